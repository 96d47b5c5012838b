/** Whose account is it: takeover by linking, planted users, races (safety H312 to H313, H360 to H369). */
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { secondProvider, setUpDatabase, signInByApplication } from "../harness/database-app.ts";
import { BASE, COOKIE, ORIGIN } from "../harness/harness.ts";

/** The second provider by the application's own button, all redirects followed. */
async function signInWithSecond(app: ReturnType<typeof setUpDatabase>) {
  return signInByApplication(app, "op2");
}

function setUpTwo(overrides: object = {}, options: Parameters<typeof setUpDatabase>[0] = {}) {
  const second = secondProvider(overrides);
  const also = [second.op.issuer];
  const app = setUpDatabase({ ...options, providers: [second.provider], routes: second.routes, alsoTo: also });
  return { app, second };
}

const rows = (app: ReturnType<typeof setUpDatabase>) => {
  const { users, accounts } = app.memory.snapshot();
  return { users: users.length, accounts: accounts.length };
};

describe("account linking", () => {
  it("H086 spec 1.2 database spec 6 events.createUser spec 6 events.linkAccount spec 9 adapter makes user, account and session of a new person, with an event each", async () => {
    const app = setUpDatabase();
    await app.signInWithOp();
    expect(rows(app)).toEqual({ users: 1, accounts: 1 });
    expect(app.memory.snapshot().sessions).toHaveLength(1);
    expect(app.eventNames()).toEqual(["createUser", "linkAccount", "signIn"]);
  });

  it("spec 3 signUp tells callbacks.jwt and the signIn event of a first sign-in, and of no later one", async () => {
    const triggers: unknown[] = [];
    const app = setUpDatabase({
      strategy: "jwt",
      config: {
        callbacks: {
          jwt: ({ token, trigger, isNewUser }) => {
            triggers.push([trigger, isNewUser]);
            return token;
          },
        },
      },
    });
    await app.signInWithOp();
    await app.signOut();
    await app.signInWithOp();
    expect(triggers).toEqual([
      ["signUp", true],
      ["signIn", false],
    ]);
  });

  it("H360 spec 7 OAuthAccountNotLinked refuses a taken address, and leaves the database as it is", async () => {
    const { app } = setUpTwo();
    await app.signInWithOp();
    await app.signOut();
    const before = app.memory.snapshot();
    const answer = await signInWithSecond(app);
    expect(answer.url).toContain("error=OAuthAccountNotLinked");
    expect(app.memory.snapshot()).toEqual(before);
  });

  it.each([
    ["H361 the provider does not vouch for the address", { email_verified: false }],
    ["H361 the provider says nothing of the address", {}],
  ])("refuses to link by e-mail when %s", async (_reason, claims) => {
    const { app, second } = setUpTwo({ allowDangerousEmailAccountLinking: true });
    await app.signInWithOp();
    await app.signOut();
    second.op.user = { sub: "2", email: "ada@example.com", ...claims };
    expect((await signInWithSecond(app)).url).toContain("error=OAuthAccountNotLinked");
    expect(rows(app)).toEqual({ users: 1, accounts: 1 });
  });

  it("H362 does not link by e-mail to a user whose address was never proven: the owner of the address is asked", async () => {
    const { app } = setUpTwo({ allowDangerousEmailAccountLinking: true });
    app.op.user = { sub: "1", email: "ada@example.com", email_verified: false };
    await app.signInWithOp();
    await app.signOut();
    expect((await signInWithSecond(app)).url).toBe(`${ORIGIN}${BASE}/confirm-address`);
    expect(await app.session()).toBeNull();
    expect(rows(app)).toEqual({ users: 1, accounts: 1 });
  });

  it("H369 links by e-mail where both sides proved it; a link is no new user", async () => {
    const { app } = setUpTwo({ allowDangerousEmailAccountLinking: true });
    await app.signInWithOp();
    await app.signOut();
    await signInWithSecond(app);
    expect(rows(app)).toEqual({ users: 1, accounts: 2 });
    expect(app.eventNames().slice(-2)).toEqual(["linkAccount", "signIn"]);
  });

  it("links a second provider to who is signed in, whatever its address", async () => {
    const { app, second } = setUpTwo();
    await app.signInWithOp();
    second.op.user = { sub: "2", email: "other@example.com", email_verified: true };
    await signInWithSecond(app);
    expect(rows(app)).toEqual({ users: 1, accounts: 2 });
    expect(await app.session()).toMatchObject({ user: { email: "ada@example.com" } });
  });

  it("H365 refuses an account of another user while signed in, and keeps the session", async () => {
    const { app, second } = setUpTwo();
    second.op.user = { sub: "2", email: "bob@example.com", email_verified: true };
    await signInWithSecond(app);
    await app.signOut();
    await app.signInWithOp();
    expect((await signInWithSecond(app)).url).toContain("error=OAuthAccountNotLinked");
    expect(await app.session()).toMatchObject({ user: { email: "ada@example.com" } });
  });

  it("H168 H364 links nothing to a session that did not begin the sign-in", async () => {
    const { app, second } = setUpTwo();
    second.op.user = { sub: "attacker", email: "attacker@example.com", email_verified: true };
    const page = await app.browser.navigate(`${BASE}/signin`);
    const begun = await app.browser.submit(page, { action: `${BASE}/signin/op2` });
    const answer = await second.op.authorize(begun.redirectsTo ?? "");
    await app.signInWithOp();
    await app.browser.navigate(answer.url);
    const { users, accounts } = app.memory.snapshot();
    const victim = users.find(({ email }) => email === "ada@example.com");
    expect(accounts.filter(({ userId }) => userId === victim?.id)).toHaveLength(1);
    expect(users).toHaveLength(2);
  });

  it("makes a user of an identity without an e-mail address, one for each", async () => {
    const app = setUpDatabase();
    for (const sub of ["1", "2"]) {
      app.op.user = { sub, name: "Unknown" };
      await app.signInWithOp();
      await app.signOut();
    }
    expect(rows(app)).toEqual({ users: 2, accounts: 2 });
  });

  it("H202 takes one address for one, however it is written", async () => {
    const app = setUpDatabase();
    app.op.user = { sub: "1", email: "Víctim@X.IO", email_verified: true };
    await app.signInWithOp();
    await app.signOut();
    await app.ask("VíCTIM@x.io");
    await app.open();
    expect(app.memory.snapshot().users.map(({ email }) => email)).toEqual(["víctim@x.io"]);
  });

  it("H367 tells the same subject at two providers apart", async () => {
    const { app, second } = setUpTwo();
    app.op.user = { sub: "1", email: "ada@example.com", email_verified: true };
    second.op.user = { sub: "1", email: "bob@example.com", email_verified: true };
    await app.signInWithOp();
    await app.signOut();
    await signInWithSecond(app);
    expect(rows(app)).toEqual({ users: 2, accounts: 2 });
  });

  it("H215 keeps a credentials session in the database, and refuses a user who is not there", async () => {
    const app = setUpDatabase();
    expect((await app.signIn()).redirectsTo).toContain("error=Configuration");
    const memory = createMemoryAdapter({
      seed: { users: [{ id: "7", name: "Ann", email: "ann@example.com", emailVerified: null, image: null }] },
    });
    const seeded = setUpDatabase({ memory });
    await seeded.signIn();
    expect(await seeded.session()).toMatchObject({ user: { email: "ann@example.com" } });
    expect(memory.snapshot().sessions).toMatchObject([{ userId: "7" }]);
    expect(memory.snapshot().accounts).toEqual([]);
  });
});

describe("races", () => {
  it("H312 R13 R16 makes one user of two callbacks of one new account, and shows no one an error", async () => {
    const app = setUpDatabase();
    const begin = async () => {
      const page = await app.browser.navigate(`${BASE}/signin`);
      const begun = await app.browser.submit(page, { action: `${BASE}/signin/op` });
      return (await app.op.authorize(begun.redirectsTo ?? "")).url;
    };
    const [one, two] = [await begin(), await begin()];
    const answers = await Promise.all([app.browser.tab().navigate(one), app.browser.tab().navigate(two)]);
    expect(answers.map(({ redirectsTo }) => redirectsTo)).toEqual([`${ORIGIN}/`, `${ORIGIN}/`]);
    expect(rows(app)).toEqual({ users: 1, accounts: 1 });
    expect(app.eventNames().filter((name) => name === "createUser")).toHaveLength(1);
    expect(await app.session()).not.toBeNull();
  });

  it("H313 makes one user of one address that signs up at two providers at once", async () => {
    const { app, second } = setUpTwo();
    const begin = async (id: string, op: typeof app.op) => {
      const page = await app.browser.navigate(`${BASE}/signin`);
      const begun = await app.browser.submit(page, { action: `${BASE}/signin/${id}` });
      return (await op.authorize(begun.redirectsTo ?? "")).url;
    };
    const [one, two] = [await begin("op", app.op), await begin("op2", second.op)];
    const answers = await Promise.all([app.browser.tab().navigate(one), app.browser.tab().navigate(two)]);
    const targets = answers.map(({ redirectsTo }) => redirectsTo ?? "").sort();
    expect(targets[0]).toBe(`${ORIGIN}/`);
    expect(targets[1]).toContain("error=OAuthAccountNotLinked");
    expect(rows(app)).toEqual({ users: 1, accounts: 1 });
  });

  it("R14 signs in when the account turns out to be linked already", async () => {
    const app = setUpDatabase();
    await app.signInWithOp();
    await app.signOut();
    app.memory.fail({ method: "getUserByAccount", returns: null });
    app.memory.fail({ method: "getUserByEmail", returns: null });
    await app.signInWithOp();
    expect(rows(app)).toEqual({ users: 1, accounts: 1 });
    expect(app.browser.cookies.get(COOKIE.session)).toBeDefined();
  });
});
