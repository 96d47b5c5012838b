/** What fails around passkeys: rows that do not fit together, a database that is down, callbacks that refuse. */
import { createAuthenticator, createMemoryAdapter, type SoftwareAuthenticator } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { everyCall, FAULTS, groupOf, namesOf } from "../../../core/test/harness/every-call.ts";
import { BASE, COOKIE, expectRefused, ORIGIN, recordOf } from "../../../core/test/harness/harness.ts";
import { type PasskeyCase, setUpPasskeys, toStored } from "../../../core/test/harness/passkey-app.ts";
import { assertRows } from "../../../testing/src/long-form.ts";

const HOME = { url: `${ORIGIN}/dash` };

/** Sessions of both kinds; adapters as those for Auth.js are, and one that makes user, account and passkey at once. */
const SETTINGS = [
  { strategy: "database", isAtOnce: false },
  { strategy: "jwt", isAtOnce: false },
  { strategy: "database", isAtOnce: true },
] as const;

type Setting = (typeof SETTINGS)[number];

/** A ceremony that is struck and repeated, as a person would: from its options on. */
interface Flow {
  readonly prepare: (app: PasskeyCase) => Promise<unknown>;
  /** True when it succeeded. */
  readonly act: (app: PasskeyCase) => Promise<boolean>;
  readonly rows: { readonly users: number; readonly accounts: number; readonly authenticators: number };
}

/** As a person does it with one device: also what browsers say of a list, and of a passkey that was refused. */
async function perform(
  app: PasskeyCase,
  action: "register" | "authenticate",
  query: string,
  device = app.authenticator,
): Promise<boolean> {
  const asked = await app.ask(`action=${action}&${query}`);
  if (!asked.ok) return false;
  const { options } = await asked.json();
  const data = await (action === "register" ? device.create(options) : device.get(options)).catch(String);
  // The passkey was stored, and only the session was not made again.
  if (typeof data === "string") return data.includes("InvalidStateError");
  const answer = await app.answer(action, data);
  const { url } = await answer.json();
  if (answer.ok && url === HOME.url) return true;
  if (url?.includes("error=OAuthAccountNotLinked") !== true) return false;
  // The account was made, and only the session was not: its passkey signs in, the new one was refused.
  device.forget(data.id);
  return perform(app, "authenticate", "");
}

const FLOWS = {
  "R53 signing in with a passkey": {
    prepare: async (app) => {
      await app.register();
      await app.signOut();
    },
    act: (app) => perform(app, "authenticate", ""),
    rows: { users: 1, accounts: 1, authenticators: 1 },
  },
  "R53 signing in with a passkey, the address typed": {
    prepare: async (app) => {
      await app.register();
      await app.signOut();
    },
    act: (app) => perform(app, "authenticate", "email=ann@example.com"),
    rows: { users: 1, accounts: 1, authenticators: 1 },
  },
  "H235 R04 a new person's first passkey": {
    prepare: async () => undefined,
    act: (app) => perform(app, "register", "email=ann@example.com"),
    rows: { users: 1, accounts: 1, authenticators: 1 },
  },
  "H235 a further passkey": {
    prepare: (app) => app.register(),
    act: (app) => perform(app, "register", "", secondDevice(app)),
    rows: { users: 1, accounts: 2, authenticators: 2 },
  },
} satisfies Record<string, Flow>;

const secondDevices = new WeakMap<PasskeyCase, SoftwareAuthenticator>();

function secondDevice(app: PasskeyCase): SoftwareAuthenticator {
  const device = secondDevices.get(app) ?? createAuthenticator();
  secondDevices.set(app, device);
  return device;
}

/** An adapter without the methods of ours that those for Auth.js lack. */
function plainMemory() {
  // A row that was written before the answer was lost is recognised by its id alone.
  const memory = createMemoryAdapter({ keepIds: true });
  const { createUserWithAccount: _ours, ...adapter } = memory.adapter;
  return { memory, adapter };
}

function start({ strategy, isAtOnce }: Setting): PasskeyCase {
  const { memory, adapter } = plainMemory();
  return setUpPasskeys({ strategy, memory, config: { adapter: isAtOnce ? memory.adapter : adapter }, mayFail: true });
}

/** The methods of the database that an action calls when none of them fails. */
async function methodsOf(flow: keyof typeof FLOWS, setting: Setting): Promise<string[]> {
  const { prepare, act } = FLOWS[flow];
  const app = start(setting);
  await prepare(app);
  const before = app.memory.calls.length;
  expect(await act(app)).toBe(true);
  const methods = app.memory.calls.slice(before).map(({ method }) => method);
  await app.end();
  return methods;
}

describe("adapter failures around passkeys", () => {
  it("P1 P2 P7: every call once; the next try succeeds", { timeout: 600_000 }, async () => {
    const rows = await everyCall(namesOf(FLOWS), SETTINGS, methodsOf);
    await assertRows(rows, groupOf, async ({ flow, call, fault, ...setting }) => {
      const { prepare, act, rows: expected } = FLOWS[flow];
      const app = start(setting);
      await prepare(app);
      const events = app.eventNames().length;
      app.memory.fail({ ...FAULTS[fault], call });
      let isDone = await act(app);
      app.memory.heal();
      const struck = app.eventNames().slice(events);
      if (!isDone) expect(struck, "no user was signed in").not.toContain("signIn");
      for (let tries = 0; tries < 2 && !isDone; tries++) isDone = await act(app);
      const { users, accounts, authenticators } = app.memory.snapshot();
      const found = { users: users.length, accounts: accounts.length, authenticators: authenticators.length };
      expect({ isDone, ...found }).toEqual({ isDone: true, ...expected });
      expect(await app.session()).toMatchObject({ user: { email: "ann@example.com" } });
      const created = app.eventNames().filter((event) => event === "createUser");
      // None where the answer of the one write was lost.
      expect(created.length).toBeLessThanOrEqual(1);
      await app.signOut();
      await app.end();
    });
  });
});

describe("rows that do not fit together", () => {
  /** Ann, signed out, with one of her rows taken away or changed. */
  async function broken(change: (app: PasskeyCase, credentialID: string) => Promise<unknown>): Promise<PasskeyCase> {
    const app = setUpPasskeys();
    await app.register();
    await app.signOut();
    await change(app, toStored(app.authenticator.credentials[0]?.id ?? ""));
    return app;
  }

  it("R53 an authenticator without an account signs no one in", async () => {
    const app = await broken(({ memory }, providerAccountId) =>
      Promise.resolve(memory.adapter.unlinkAccount({ provider: "passkey", providerAccountId })),
    );
    expectRefused(await app.authenticate());
    expect(app.memory.snapshot()).toMatchObject({ sessions: [], authenticators: [{ counter: 1 }] });
  });

  it("R53 an account of another user than the authenticator signs no one in", async () => {
    const app = await broken(async ({ memory }, providerAccountId) => {
      await memory.adapter.unlinkAccount({ provider: "passkey", providerAccountId });
      const mallory = { id: "", name: null, image: null, email: "mallory@example.com", emailVerified: null };
      const { id: userId } = await memory.adapter.createUser(mallory);
      await memory.adapter.linkAccount({ provider: "passkey", type: "webauthn", providerAccountId, userId });
    });
    expectRefused(await app.authenticate());
    expectRefused(await app.authenticate("email=mallory@example.com", {}).catch(() => app.answer("authenticate", {})));
    expect(app.memory.snapshot()).toMatchObject({ sessions: [], authenticators: [{ counter: 1 }] });
  });

  it("R53 an account whose user is gone signs no one in", async () => {
    const app = await broken(async () => undefined);
    app.memory.fail({ method: "getUserByAccount", returns: null });
    expectRefused(await app.authenticate());
    expect(app.memory.snapshot().sessions).toEqual([]);
  });

  it.each([undefined, null])("R53 an adapter that says %s for a credential knows none", async (returns) => {
    const app = await broken(async () => undefined);
    app.memory.fail({ method: "getAuthenticator", returns });
    expectRefused(await app.authenticate());
  });

  it("R53 an adapter that finds another credential than it was asked for is not believed", async () => {
    const app = await broken(async () => undefined);
    const [row] = app.memory.snapshot().authenticators;
    app.memory.fail({ method: "getAuthenticator", returns: { ...row, credentialID: "b3RoZXI=" } });
    expectRefused(await app.authenticate());
  });

  it.each(["", "AAAA", "not base64!"])("R53 a stored key of %j signs no one in", async (credentialPublicKey) => {
    const app = await broken(async () => undefined);
    const [row] = app.memory.snapshot().authenticators;
    app.memory.fail({ method: "getAuthenticator", returns: { ...row, credentialPublicKey } });
    const answer = await app.authenticate();
    expectRefused(answer);
    expect(
      recordOf(answer)
        .logs.map(({ text }) => text)
        .join(),
    ).toContain('"check":"signature"');
  });

  it("R53 a counter that cannot be stored issues no session", async () => {
    const { memory } = plainMemory();
    const app = setUpPasskeys({ memory, mayFail: true });
    await app.register();
    await app.signOut();
    app.memory.fail({ method: "updateAuthenticatorCounter", throws: new Error("down") });
    const answer = await app.authenticate();
    expect((await answer.json()).url).toContain("/error?error=Configuration");
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith(COOKIE.session))).toEqual([]);
    expect(app.memory.snapshot().sessions).toEqual([]);
  });

  it("H235 an account whose passkey cannot be stored leaves nothing, and the same address can register", async () => {
    const app = start({ strategy: "database", isAtOnce: false });
    app.memory.fail({ method: "createAuthenticator", throws: new Error("down") });
    await app.register();
    expect(app.memory.snapshot()).toMatchObject({ users: [], accounts: [], authenticators: [], sessions: [] });
    expect(app.eventNames()).toEqual([]);
    expect(await (await app.register()).json()).toEqual(HOME);
    const { users, accounts, authenticators } = app.memory.snapshot();
    expect([users.length, accounts.length, authenticators.length]).toEqual([1, 1, 1]);
  });

  it("H235 the first error is told when undoing fails as well", async () => {
    const app = start({ strategy: "database", isAtOnce: false });
    app.memory.fail({ method: "createAuthenticator", throws: new Error("first") });
    app.memory.fail({ method: "deleteUser", throws: new Error("second") });
    app.memory.fail({ method: "unlinkAccount", throws: new Error("third") });
    const answer = await app.register();
    expect((await answer.json()).url).toContain("error=Configuration");
    expect(app.logs.filter(({ level }) => level === "error")).toHaveLength(3);
    expect(await app.session()).toBeNull();
  });

  it("H235 an adapter that cannot undo is asked for nothing it lacks", async () => {
    const memory = createMemoryAdapter();
    const { createUserWithAccount: _ours, deleteUser: _delete, unlinkAccount: _unlink, ...adapter } = memory.adapter;
    const app = setUpPasskeys({ memory, config: { adapter }, mayFail: true });
    memory.fail({ method: "createAuthenticator", throws: new Error("down") });
    expect((await (await app.register()).json()).url).toContain("error=Configuration");
    expect(await app.session()).toBeNull();
  });
});

describe("callbacks.signIn and passkeys", () => {
  it("H038 decides about every ceremony: a string is where to go, and nothing is written", async () => {
    const app = setUpPasskeys({ config: { callbacks: { signIn: () => "/blocked" } } });
    const answer = await app.register();
    expect(await answer.json()).toEqual({ url: `${ORIGIN}/blocked` });
    expect(app.memory.snapshot()).toMatchObject({ users: [], accounts: [], authenticators: [], sessions: [] });
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith(COOKIE.session))).toEqual([]);
    expect(app.eventNames()).toEqual([]);
  });

  const VERDICTS: readonly [string, () => boolean | string, string][] = [
    ["a string", () => "/blocked", `${ORIGIN}/blocked`],
    ["a foreign URL", () => "https://evil.example/", ORIGIN],
    ["false", () => false, `${ORIGIN}${BASE}/error?error=AccessDenied`],
    [
      "a throw",
      () => {
        throw new Error("no");
      },
      `${ORIGIN}${BASE}/error?error=AccessDenied`,
    ],
  ];

  it.each(VERDICTS)("H038 for a known passkey: %s", async (_, verdict, target) => {
    let decide: () => boolean | string = () => true;
    const app = setUpPasskeys({ config: { callbacks: { signIn: () => decide() } } });
    await app.register();
    await app.signOut();
    decide = verdict;
    expect(await (await app.authenticate()).json()).toEqual({ url: target });
    expect(app.memory.snapshot()).toMatchObject({ sessions: [], authenticators: [{ counter: 1 }] });
  });

  it("H038 for a further passkey: nothing is linked", async () => {
    let isAllowed = true;
    const app = setUpPasskeys({ config: { callbacks: { signIn: () => isAllowed } } });
    await app.register();
    isAllowed = false;
    expect((await (await app.register("")).json()).url).toContain("error=AccessDenied");
    expect(app.memory.snapshot().authenticators).toHaveLength(1);
    expect(await app.session()).toMatchObject({ user: { email: "ann@example.com" } });
  });

  it("gets the user of the database, the account and no profile", async () => {
    const seen: unknown[] = [];
    const app = setUpPasskeys({ config: { callbacks: { signIn: (params) => seen.push(params) > 0 } } });
    await app.register("email=ann@example.com");
    await app.signOut();
    await app.authenticate();
    expect(seen).toMatchObject([
      { user: { email: "ann@example.com" }, account: { type: "webauthn", provider: "passkey" } },
      { user: { id: "user-1", email: "ann@example.com" }, account: { type: "webauthn", userId: "user-1" } },
    ]);
  });
});
