/** What a program with a documented set-up answers to the test that started it. Runs in a process of its own. */

import type { Adapter } from "@cardea/core/adapters";
import type { Store } from "@cardea/core/types";

/** What the block of a page has made. */
type Served =
  | {
      readonly adapter: Adapter;
      inTransaction(work: (adapter: Adapter) => Promise<unknown>): PromiseLike<unknown>;
    }
  | { readonly store: Store };

/** A request of the test. */
export type Asked =
  | { readonly kind: "create"; readonly email: string }
  | { readonly kind: "find"; readonly email: string }
  /** Creates a user in a transaction, which `go-on` ends with another user. */
  | { readonly kind: "begin"; readonly email: string }
  | { readonly kind: "go-on" }
  /** Stores links that expire at these times, in milliseconds since 1970. */
  | { readonly kind: "write"; readonly times: readonly number[] }
  /** Reads when the links of these times expire. */
  | { readonly kind: "read"; readonly times: readonly number[] }
  | { readonly kind: "end" };

/** The answer: `error` is the name of what was thrown. */
export interface Answered {
  readonly value?: unknown;
  readonly error?: string;
}

const userOf = (email: string) => ({ id: crypto.randomUUID(), email, emailVerified: null });

/** Answers the messages of the parent process, one at a time. */
export function serve(served: Served): void {
  const { adapter, inTransaction } = "store" in served ? overStore(served.store) : served;
  let goOn = () => {};
  let transaction: PromiseLike<unknown> | undefined;
  const answers: { readonly [K in Asked["kind"]]: (asked: Extract<Asked, { kind: K }>) => Promise<unknown> } = {
    create: async ({ email }) => (await adapter.createUser?.(userOf(email)))?.email,
    find: async ({ email }) => (await adapter.getUserByEmail?.(email))?.email ?? null,
    begin: ({ email }) =>
      new Promise((resolve, reject) => {
        const waits = new Promise<void>((resolve) => (goOn = resolve));
        transaction = inTransaction(async (inside) => {
          await inside.createUser?.(userOf(email));
          resolve("begun");
          await waits;
          await inside.createUser?.(userOf(`second-${email}`));
        });
        transaction.then(undefined, reject);
      }),
    "go-on": async () => {
      goOn();
      await transaction;
    },
    write: async ({ times }) => {
      for (const time of times) await adapter.createVerificationToken?.({ ...linkOf(time), expires: new Date(time) });
      return "written";
    },
    read: async ({ times }) => {
      const read: unknown[] = [];
      for (const time of times) read.push((await adapter.useVerificationToken?.(linkOf(time)))?.expires.getTime());
      return read;
    },
    end: async () => setTimeout(() => process.exit(0), 10),
  };
  process.on("message", (asked: Asked) => {
    const answer: (asked: never) => Promise<unknown> = answers[asked.kind];
    answer(asked as never).then(
      (value) => process.send?.({ value }),
      (error: unknown) => process.send?.({ error: `${error}\n${Object(error).cause ?? ""}` }),
    );
  });
  process.send?.({ value: "ready" });
}

/** Users in a store, which has no transactions. */
function overStore(store: Store) {
  const adapter: Adapter = {
    createUser: async (user) => {
      await store.set(String(user.email), user.id, { ttl: 60 });
      return user;
    },
  };
  return { adapter, inTransaction: (work: (adapter: Adapter) => Promise<unknown>) => work(adapter) };
}

const linkOf = (time: number) => ({ identifier: "ann@example.com", token: `link ${time}` });
