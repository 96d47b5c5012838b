/** Adapters that return something other than their types declare: rows where one record was asked for, records without an id. */
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, ORIGIN } from "../harness/harness.ts";
import { setUpPasskeys } from "../harness/passkey-app.ts";

const RUNS = process.env.CARDEA_TEST_LONG === undefined ? 50 : 500;

/** What drivers return for no row, and records whose id is not one. */
const MALFORMED: Readonly<Record<string, () => unknown>> = {
  "an empty list": () => [],
  "a list of records": () => [{ id: "user-1", email: "bob@example.com" }],
  "an empty object": () => ({}),
  "the result of a driver": () => ({ rows: [], rowCount: 0 }),
  false: () => false,
  true: () => true,
  zero: () => 0,
  text: () => "user-1",
  "a function": () => () => ({ id: "user-1" }),
  "a record without an id": () => ({ email: "bob@example.com", emailVerified: new Date() }),
  "an id that is null": () => ({ id: null, email: "bob@example.com", emailVerified: new Date() }),
  "an id that is empty": () => ({ id: "", email: "bob@example.com", emailVerified: new Date() }),
  "an id that is a flag": () => ({ id: false, email: "bob@example.com", emailVerified: new Date() }),
  "an id that is an object": () => ({ id: {}, email: "bob@example.com", emailVerified: new Date() }),
  "an id that is a list": () => ({ id: ["user-1"], email: "bob@example.com", emailVerified: new Date() }),
};

type Adapter = MemoryAdapter["adapter"];
type Method = keyof Adapter;

/** Methods whose result names a user, by the journey that calls them. */
const CALLED = [
  ...["getUserByAccount", "getUserByEmail", "createUser", "createUserWithAccount"].map((method) => ({
    method,
    byMail: false,
  })),
  ...["getUserByEmail", "createUser", "updateUser", "getUser"].map((method) => ({ method, byMail: true })),
];

interface Broken {
  readonly memory: MemoryAdapter;
  /** From now on the method returns the value instead of its result. */
  breakDown(method: Method, value: () => unknown): void;
}

function breakable(atOnce: boolean): Broken {
  const memory = createMemoryAdapter();
  const broken = new Map<string, () => unknown>();
  const methods = Object.entries(memory.adapter).map(([name, method]: [string, unknown]) => [
    name,
    async (...args: unknown[]) => {
      const answer: unknown = await Reflect.apply(Object(method), memory.adapter, args);
      const value = broken.get(name);
      return value === undefined ? answer : value();
    },
  ]);
  const { createUserWithAccount, ...stepwise } = assumeAdapter(Object.fromEntries(methods));
  const adapter = atOnce ? { ...stepwise, createUserWithAccount } : stepwise;
  return {
    memory: { ...memory, adapter: assumeAdapter(adapter) },
    breakDown: (method, value) => void broken.set(method, value),
  };
}

/** A cast: every method is wrapped. */
const assumeAdapter = (methods: object): Adapter => methods as Adapter;

interface Attempt {
  readonly strategy: "jwt" | "database";
  readonly atOnce: boolean;
  readonly isKnown: boolean;
  readonly byMail: boolean;
  readonly method: string;
  readonly value: string;
}

/** Signs in while a method is broken; the subject of the session, or undefined where there is no session. */
async function attempt({ strategy, atOnce, isKnown, byMail, method, value }: Attempt) {
  const { memory, breakDown } = breakable(atOnce);
  const subjects: unknown[] = [];
  const app = setUpDatabase({
    memory,
    strategy,
    mayFail: true,
    config: {
      callbacks: {
        session: ({ session, token, user }) => {
          subjects.push(token === undefined ? user.id : token.sub);
          return session;
        },
      },
    },
  });
  const signIn = async () => {
    if (!byMail) return void (await app.signInWithOp());
    await app.ask("bob@example.com");
    if (app.mails.length > 0) await app.open();
  };
  if (isKnown) {
    await signIn();
    await app.signOut();
    app.mails.length = 0;
  }
  breakDown(method as Method, MALFORMED[value] ?? (() => null));
  await signIn();
  const hasSession = app.browser.cookies.get(COOKIE.session) !== undefined;
  subjects.length = 0;
  await app.session();
  const { users } = memory.snapshot();
  const errors = app.logs.filter(({ level }) => level === "error").map(({ values }) => Object(values[0]).type);
  await app.end();
  return { hasSession, subjects, users: users.map(({ id }) => id), errors };
}

describe("an adapter that returns malformed users", () => {
  it("signs no one in as a user without an id", async () => {
    const anAttempt = fc.record({
      strategy: fc.constantFrom("jwt", "database"),
      atOnce: fc.boolean(),
      isKnown: fc.boolean(),
      called: fc.constantFrom(...CALLED),
      value: fc.constantFrom(...Object.keys(MALFORMED)),
    });
    await fc.assert(
      fc.asyncProperty(anAttempt, async ({ called, ...one }) => {
        const { subjects, users } = await attempt({ ...one, ...called });
        for (const subject of subjects) expect(users, "the session is that of a row").toContain(subject);
      }),
      { numRuns: RUNS },
    );
  });

  it.each(Object.keys(MALFORMED))(
    "denies a sign-in whose account belongs to %s, and names the method",
    async (value) => {
      const given = {
        strategy: "jwt",
        atOnce: true,
        isKnown: true,
        byMail: false,
        method: "getUserByAccount",
      } as const;
      const { hasSession, errors } = await attempt({ ...given, value });
      expect([hasSession, new Set(errors)]).toEqual([false, new Set(["AdapterError"])]);
    },
  );

  it.each(Object.keys(MALFORMED))(
    "signs in the user who was stored when the adapter returns %s for a new one",
    async (value) => {
      const given = { strategy: "jwt", atOnce: true, isKnown: false, byMail: false } as const;
      const { subjects, users } = await attempt({ ...given, method: "createUserWithAccount", value });
      expect([users, subjects]).toEqual([["user-1"], ["user-1"]]);
    },
  );
});

describe("an adapter that returns malformed lists", () => {
  it.each(["listAccountsByUserId", "listAuthenticatorsByUserId"] as const)(
    "hands no user over while %s returns something other than a list",
    async (method) => {
      for (const value of [...Object.values(MALFORMED).filter((make) => !Array.isArray(make())), () => null]) {
        const mails: string[] = [];
        const email = { id: "email", name: "E-mail", type: "email" } as const;
        const sendVerificationRequest = ({ url }: { readonly url: string }) => void mails.push(url);
        const { memory, breakDown } = breakable(true);
        const planted = await memory.adapter.createUser({ id: "", email: "bob@example.com", emailVerified: null });
        breakDown(method, value);
        const providers = [{ ...email, sendVerificationRequest }];
        const app = setUpDatabase({ memory, mayFail: true, config: { providers } });
        await app.ask("bob@example.com");
        await app.browser.navigate(mails[0] ?? "");
        const [row] = memory.snapshot().users;
        expect([row, await app.session()]).toEqual([planted, null]);
        await app.end();
      }
    },
  );
});

describe("an adapter that returns malformed sessions", () => {
  it.each(Object.keys(MALFORMED))("keeps the cookie and answers 503 for %s", async (value) => {
    const { memory, breakDown } = breakable(true);
    const app = setUpDatabase({ memory, mayFail: true });
    await app.signInWithOp();
    breakDown("getSessionAndUser", MALFORMED[value] ?? (() => null));
    const { status, headers } = await app.browser.fetch(`${BASE}/session`);
    expect([status, headers.getSetCookie()]).toEqual([503, []]);
    const [error] = app.logs.at(-1)?.values ?? [];
    expect(error).toMatchObject({ cause: { err: { type: "AdapterError", cause: { method: "getSessionAndUser" } } } });
  });

  it("finds no session in a result whose session is null", async () => {
    const { memory, breakDown } = breakable(true);
    const app = setUpDatabase({ memory });
    await app.signInWithOp();
    breakDown("getSessionAndUser", () => ({ session: null, user: null }));
    expect(await app.session()).toBe(null);
  });
});

describe("an adapter that returns malformed passkeys", () => {
  const start = async (strategy: "jwt" | "database") => {
    const { memory, breakDown } = breakable(true);
    const app = setUpPasskeys({ memory, strategy, mayFail: true });
    await app.register();
    await app.signOut();
    return {
      app,
      breakDown,
      stored: await memory.adapter.getAuthenticator(memory.snapshot().authenticators[0]?.credentialID ?? ""),
    };
  };

  it.each(Object.keys(MALFORMED))("signs no one in with %s, and names the method", async (value) => {
    const { app, breakDown } = await start("jwt");
    breakDown("getAuthenticator", MALFORMED[value] ?? (() => null));
    const { url } = await (await app.authenticate("email=ann@example.com")).json();
    expect(url).toContain("error=Configuration");
    expect(app.logs.at(-1)?.values[0]).toMatchObject({ type: "AdapterError", cause: { method: "getAuthenticator" } });
    expect(await app.session()).toBe(null);
  });

  it.each([
    ["a bigint", 0n, 5n],
    ["text", "0", "5"],
  ])("accepts a counter that is %s, and still refuses one that goes backwards", async (_, zero, five) => {
    const { app, breakDown, stored } = await start("database");
    const authenticate = async (counter: number) => (await (await app.authenticate("", { counter })).json()).url;
    breakDown("getAuthenticator", () => ({ ...stored, counter: zero }));
    expect(await authenticate(0)).toBe(`${ORIGIN}/dash`);
    await app.signOut();
    breakDown("getAuthenticator", () => ({ ...stored, counter: five }));
    expect(await authenticate(5)).toContain("error=");
    expect(await authenticate(0)).toContain("error=");
    expect(await authenticate(6)).toBe(`${ORIGIN}/dash`);
  });
});
