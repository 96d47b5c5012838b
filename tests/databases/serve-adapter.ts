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
  /** Stores these times, in milliseconds since 1970, and reads them. */
  | { readonly kind: "times"; readonly times: readonly number[] }
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
    times: ({ times }) => Promise.all(times.map((time) => storeTime(adapter, time))),
    end: async () => setTimeout(() => process.exit(0), 10),
  };
  process.on("message", (asked: Asked) => {
    const answer: (asked: never) => Promise<unknown> = answers[asked.kind];
    answer(asked as never).then(
      (value) => process.send?.({ value }),
      (error: unknown) => process.send?.({ error: String(error) }),
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

/** The time of a link, as it is read. */
async function storeTime(adapter: Adapter, time: number): Promise<number | null> {
  const key = { identifier: `${crypto.randomUUID()}@example.com`, token: crypto.randomUUID() };
  await adapter.createVerificationToken?.({ ...key, expires: new Date(time) });
  return (await adapter.useVerificationToken?.(key))?.expires.getTime() ?? null;
}
