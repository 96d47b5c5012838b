import { createAuthenticator, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { BASE, expectRefused, installClock, ORIGIN, recordOf } from "../../../core/test/harness/harness.ts";
import { type PasskeyCase, setUpPasskeys, toStored } from "../../../core/test/harness/passkey-app.ts";
import { holderOf, plant } from "../../../core/test/harness/planted.ts";

const HOME = { url: `${ORIGIN}/dash` };

const checkOf = (answer: Response) =>
  /"check":"([a-z-]+)"/.exec(
    recordOf(answer)
      .logs.map(({ text }) => text)
      .join(),
  )?.[1];

/** Refused; the database is as it was, but for the challenge. */
async function expectUnchanged(app: PasskeyCase, act: () => Promise<Response>): Promise<Response> {
  const { verificationTokens: _before, ...before } = app.memory.snapshot();
  const answer = await act();
  expectRefused(answer);
  const { verificationTokens: _after, ...after } = app.memory.snapshot();
  expect(after).toEqual(before);
  return answer;
}

describe("registering a passkey", () => {
  it("spec 2.5 makes a user, an account and an authenticator with every field", async () => {
    const app = setUpPasskeys();
    expect(await (await app.register("email=Ann@Example.com&name=Ann")).json()).toEqual(HOME);
    const [credential] = app.authenticator.credentials;
    const credentialID = toStored(credential?.id ?? "");
    expect(app.memory.snapshot()).toMatchObject({
      users: [{ id: "user-1", email: "ann@example.com", emailVerified: null }],
      accounts: [{ provider: "passkey", type: "webauthn", providerAccountId: credentialID, userId: "user-1" }],
      authenticators: [
        {
          credentialID,
          providerAccountId: credentialID,
          credentialPublicKey: expect.stringMatching(/^[A-Za-z0-9+/]{103}=$/),
          counter: 1,
          credentialDeviceType: "singleDevice",
          credentialBackedUp: false,
          transports: "hybrid,internal",
          userId: "user-1",
        },
      ],
    });
    expect(app.eventNames().filter((name) => name !== "session")).toEqual(["createUser", "linkAccount", "signIn"]);
    expect(app.events.at(-1)?.message).toMatchObject({ isNewUser: true, account: { type: "webauthn" } });
  });

  it("spec 2.5 keeps that a credential is backed up, and that nothing is known of its transports", async () => {
    const app = setUpPasskeys();
    const authenticator = createAuthenticator({ backedUp: true, transports: [], counts: false });
    const data = await authenticator.create(await app.options("action=register&email=ann@example.com"));
    expect(await (await app.answer("register", data)).json()).toEqual(HOME);
    expect(app.memory.snapshot().authenticators).toMatchObject([
      { credentialDeviceType: "multiDevice", credentialBackedUp: true, transports: null, counter: 0 },
    ]);
  });

  it.each([
    [["usb", "nfc", "usb"], "nfc,usb"],
    [["smart-card", "x".repeat(40), 7, "a,b", "USB"], "smart-card"],
    [Array.from({ length: 30 }, (_, n) => `t${String(n).padStart(2, "0")}`), "t00,t01,t02,t03,t04,t05,t06,t07"],
    ["usb", null],
    [{ 0: "usb" }, null],
  ])("spec 2.5 of the transports %j keeps %j", async (transports, kept) => {
    const app = setUpPasskeys();
    const data = await app.authenticator.create(await app.options("action=register&email=ann@example.com"));
    await app.answer("register", { ...data, response: { ...data.response, transports } });
    expect(app.memory.snapshot().authenticators).toMatchObject([{ transports: kept }]);
  });

  it("goes to pages.newUser the first time, and not when a passkey is added", async () => {
    const app = setUpPasskeys({ config: { pages: { newUser: "/welcome" } } });
    const first = await app.register();
    expect((await first.json()).url).toBe(`${ORIGIN}/welcome?callbackUrl=${encodeURIComponent(HOME.url)}`);
    expect(await (await app.register("")).json()).toEqual(HOME);
  });

  it("adds a passkey to the one who is signed in", async () => {
    const app = setUpPasskeys();
    await app.register();
    const second = createAuthenticator({ transports: ["usb"] });
    const asked = await app.options("action=register");
    expect(asked.user).toMatchObject({ name: "ann@example.com", displayName: "ann@example.com" });
    expect(asked.excludeCredentials?.map(({ id }) => id)).toEqual(app.authenticator.credentials.map(({ id }) => id));
    await expect(app.authenticator.create(asked)).rejects.toThrow("InvalidStateError");
    expect(await (await app.answer("register", await second.create(asked))).json()).toEqual(HOME);
    expect(app.memory.snapshot().authenticators.map(({ userId }) => userId)).toEqual(["user-1", "user-1"]);
    expect(app.eventNames().filter((name) => name !== "session")).toEqual([
      ...["createUser", "linkAccount", "signIn"],
      ...["linkAccount", "signIn"],
    ]);
    await app.signOut();
    const data = await second.get(await app.options("action=authenticate&email=ann@example.com"));
    expect(await (await app.answer("authenticate", data)).json()).toEqual(HOME);
  });

  it("without an action: a further passkey for who is signed in, else authentication", async () => {
    const app = setUpPasskeys();
    expect(await (await app.ask("")).json()).toMatchObject({ action: "authenticate" });
    await app.register();
    expect(await (await app.ask("")).json()).toMatchObject({ action: "register" });
  });

  it("a user who signed in another way adds one, and has one user", async () => {
    const app = setUpPasskeys();
    await app.signInWithOp();
    expect(await (await app.register("")).json()).toEqual(HOME);
    await app.signOut();
    expect(await (await app.authenticate()).json()).toEqual(HOME);
    expect(app.memory.snapshot()).toMatchObject({
      users: [{ id: "user-1" }],
      accounts: [{ type: "oidc" }, { type: "webauthn" }],
    });
  });

  it("the handle in the authenticator is random for a new person, later always the same, and says nothing", async () => {
    const app = setUpPasskeys();
    const newcomers = [await app.options("action=register&email=ann@example.com")];
    newcomers.push(await app.options("action=register&email=ann@example.com"));
    expect(newcomers[0]?.user.id).not.toBe(newcomers[1]?.user.id);
    await app.register();
    const [one, other] = [await app.options("action=register"), await app.options("action=register")];
    expect(one.user.id).toBe(other.user.id);
    for (const { user } of [...newcomers, one]) {
      expect(Buffer.from(user.id, "base64url")).toHaveLength(32);
      expect(Buffer.from(user.id, "base64url").toString("latin1")).not.toMatch(/user-1|ann/);
    }
  });

  it("H229 refuses a credential that is stored already, its owner's or another's", async () => {
    const app = setUpPasskeys();
    await app.register();
    const credentialId = app.authenticator.credentials[0]?.id ?? "";
    const own = await expectUnchanged(app, () => app.register("", { credentialId }));
    expect(checkOf(own)).toBe("known-credential");
    await app.signOut();
    const others = await expectUnchanged(app, () => app.register("email=mallory@example.com", { credentialId }));
    expect(checkOf(others)).toBe("known-credential");
    expect(await app.session()).toBeNull();
  });

  it("H229 refuses the credential of an account whose authenticator was deleted: ids are public, keys are not", async () => {
    const credentialId = Buffer.from("the id of Ann's passkey").toString("base64url");
    const ann = { id: "ann", name: null, email: "ann@example.com", emailVerified: null, image: null };
    const account = { provider: "passkey", providerAccountId: toStored(credentialId), type: "webauthn", userId: "ann" };
    const memory = createMemoryAdapter({ seed: { users: [ann], accounts: [{ ...account, type: "webauthn" }] } });
    const app = setUpPasskeys({ memory });
    const planted = await expectUnchanged(app, () => app.register("email=mallory@example.com", { credentialId }));
    expect(checkOf(planted)).toBe("known-credential");
    expect(await app.session()).toBeNull();
  });

  it.each([
    [1023, HOME],
    [1024, { message: expect.any(String) }],
  ])("H229 a credential id of %i bytes", async (bytes, expected) => {
    const app = setUpPasskeys();
    const credentialId = Buffer.alloc(bytes, 7).toString("base64url");
    const answer = await app.register(undefined, { credentialId });
    expect(await answer.json()).toEqual(expected);
    expect(app.memory.snapshot().authenticators).toHaveLength(bytes === 1023 ? 1 : 0);
  });

  it.each([true, false])("H229 of two who register one id at once, one has it (all at once: %s)", async (isAtOnce) => {
    const memory = createMemoryAdapter();
    const { createUserWithAccount: _atOnce, ...others } = memory.adapter;
    const app = setUpPasskeys({ memory, config: { adapter: isAtOnce ? memory.adapter : others } });
    const credentialId = Buffer.alloc(32, 7).toString("base64url");
    const answers = [];
    for (const email of ["ann@example.com", "mallory@example.com"]) {
      const asked = await app.options(`action=register&email=${email}`);
      answers.push(await createAuthenticator().create(asked, { credentialId }));
    }
    const sent = await Promise.all(answers.map((data) => app.answer("register", data)));
    const urls = await Promise.all(sent.map(async (one) => (await one.json()).url));
    expect(urls.filter((url) => url === HOME.url)).toHaveLength(1);
    const { users, accounts, authenticators, sessions } = memory.snapshot();
    expect([users.length, accounts.length, authenticators.length, sessions.length]).toEqual([1, 1, 1, 1]);
    expect([accounts[0]?.userId, authenticators[0]?.userId]).toEqual([users[0]?.id, users[0]?.id]);
  });

  it("refuses an id that is not the credential's", async () => {
    const app = setUpPasskeys();
    const asked = await app.options("action=register&email=ann@example.com");
    const data = await app.authenticator.create(asked);
    const id = "A".repeat(43);
    const answer = await expectUnchanged(app, () => app.answer("register", { ...data, id, rawId: id }));
    expect(checkOf(answer)).toBe("attestation");
  });

  it.each(["AAAA", "oA", Buffer.from("a3636674", "hex").toString("base64url")])(
    "refuses the attestation object %s",
    async (attestationObject) => {
      const app = setUpPasskeys();
      const data = await app.authenticator.create(await app.options("action=register&email=ann@example.com"));
      const forged = { ...data, response: { ...data.response, attestationObject } };
      const answer = await expectUnchanged(app, () => app.answer("register", forged));
      expect(checkOf(answer)).toBe("attestation");
    },
  );

  it("H232 refuses to add to an account without its session", async () => {
    const app = setUpPasskeys();
    await app.register();
    const data = await createAuthenticator().create(await app.options("action=register"));
    for (const { name } of app.browser.cookies.list()) {
      if (name.includes("session-token")) app.browser.cookies.delete(name);
    }
    const answer = await expectUnchanged(app, () => app.answer("register", data));
    expect(checkOf(answer)).toBe("session");
  });

  it("H232 refuses to add in another session than the one that began, the same person's or not", async () => {
    const app = setUpPasskeys();
    await app.register();
    const begun = await createAuthenticator().create(await app.options("action=register"));
    await app.authenticate();
    const answer = await expectUnchanged(app, () => app.answer("register", begun));
    expect(checkOf(answer)).toBe("session");
  });

  it("H232 refuses a registration that began before a user signed in", async () => {
    const app = setUpPasskeys();
    await app.register("email=victim@example.com");
    await app.signOut();
    const attackers = createAuthenticator();
    const data = await attackers.create(await app.options("action=register&email=attacker@example.com"));
    await app.authenticate();
    const answer = await expectUnchanged(app, () => app.answer("register", data));
    expect(checkOf(answer)).toBe("session");
  });

  it("H232 refuses a page of another site, whatever it knows", async () => {
    const app = setUpPasskeys();
    await app.register();
    const data = await createAuthenticator().create(await app.options("action=register"));
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const answer = await expectUnchanged(app, () => app.answer("register", data, { headers }));
    expect(answer.status).toBe(403);
  });

  it.each([
    [600, true],
    [601, false],
  ])("H232 with maxSignInAge 600, %i seconds after the sign-in: added: %s", async (seconds, isAdded) => {
    const clock = installClock();
    const app = setUpPasskeys({ passkey: { maxSignInAge: 600 } });
    await app.register();
    clock.advance({ seconds });
    // Reading and renewing the session does not make the sign-in younger.
    await app.session();
    const asked = await app.ask("action=register");
    expect(asked.status).toBe(isAdded ? 200 : 403);
    if (!isAdded) {
      expectRefused(asked);
      expect(checkOf(asked)).toBe("stale-sign-in");
      await app.authenticate();
    }
    expect(await (await app.register("")).json()).toEqual(HOME);
  });

  it("H232 the age is judged again when the answer comes", async () => {
    const clock = installClock();
    const app = setUpPasskeys({ passkey: { maxSignInAge: 600 } });
    await app.register();
    clock.advance({ seconds: 600 });
    const data = await createAuthenticator().create(await app.options("action=register"));
    clock.advance({ seconds: 1 });
    const answer = await expectUnchanged(app, () => app.answer("register", data));
    expect(checkOf(answer)).toBe("stale-sign-in");
    expect((await answer.json()).url).toContain("/signin?error=SessionRequired");
  });

  it("H232 another person's sign-in, or a session alone, is no recent sign-in", async () => {
    const app = setUpPasskeys({ passkey: { maxSignInAge: 600 } });
    await app.register("email=victim@example.com");
    const stolen = app.browser.cookies.get("__Host-cardea.session-token")?.value ?? "";
    app.browser.cookies.clear();
    const line = `__Host-cardea.session-token=${stolen}; Path=/; Secure; HttpOnly`;
    app.browser.cookies.set(line, ORIGIN);
    expect((await app.ask("action=register")).status).toBe(403);
    app.browser.cookies.clear();
    const thief = createAuthenticator();
    const registration = await app.options("action=register&email=thief@example.com");
    await app.answer("register", await thief.create(registration));
    app.browser.cookies.set(line, ORIGIN);
    expect((await app.ask("action=register")).status).toBe(403);
  });

  it("H232 the time of a sign-in has a cookie of its own, which ends at sign-out", async () => {
    const app = setUpPasskeys({ passkey: { maxSignInAge: 600 } });
    const names = () => app.browser.cookies.list().map(({ name }) => name);
    await app.register();
    expect(names()).toContain("__Host-cardea.sign-in-time");
    app.browser.cookies.delete("__Host-cardea.csrf-token");
    expect((await app.ask("action=register")).status).toBe(200);
    app.browser.cookies.delete("__Host-cardea.sign-in-time");
    expect((await app.ask("action=register")).status).toBe(403);
    await app.authenticate();
    await app.signOut();
    expect(names()).not.toContain("__Host-cardea.sign-in-time");
  });

  it("H232 no time is kept where no provider has maxSignInAge", async () => {
    const app = setUpPasskeys();
    await app.register();
    expect(app.browser.cookies.get("__Host-cardea.sign-in-time")).toBeUndefined();
  });

  it("refuses to make an account for another address while a user is signed in", async () => {
    const app = setUpPasskeys();
    await app.register();
    expect((await app.ask("action=register&email=ANN@example.com")).status).toBe(200);
    const other = await app.ask("action=register&email=bob@example.com");
    expect(other.status).toBe(400);
    expectRefused(other);
  });

  it("contract 10 refuses a taken address at the callback, and signs no one in", async () => {
    const app = setUpPasskeys();
    await app.signInWithOp();
    const taken = app.memory.snapshot().users[0]?.email ?? "";
    await app.signOut();
    const answer = await expectUnchanged(app, () => app.register(`email=${taken}`));
    expect((await answer.json()).url).toContain("/signin?error=OAuthAccountNotLinked");
    expect(await app.session()).toBeNull();
  });

  it("of two people who register one address at once, one has it", async () => {
    const app = setUpPasskeys();
    const tabs = [createAuthenticator(), createAuthenticator()];
    const answers = await Promise.all(
      tabs.map(async (one) => one.create(await app.options("action=register&email=ann@example.com"))),
    );
    const sent = await Promise.all(answers.map((data) => app.answer("register", data)));
    const urls = await Promise.all(sent.map(async (one) => (await one.json()).url));
    expect(urls.filter((url) => url === HOME.url)).toHaveLength(1);
    const { users, accounts, authenticators } = app.memory.snapshot();
    expect([users.length, accounts.length, authenticators.length]).toEqual([1, 1, 1]);
  });

  it.each(["Víctim@X.IO", "  víctim@x.io ", "víctim@Ｘ.io"])(
    "H202 %s is one person, by OAuth, by e-mail and by passkey",
    async (email) => {
      const claims = { email: "Víctim@X.IO", email_verified: true };
      const app = setUpPasskeys({ op: { user: { sub: "1", ...claims } } });
      await app.register(`email=${encodeURIComponent(email)}`);
      expect(app.memory.snapshot().users).toMatchObject([{ email: "víctim@x.io" }]);
      await app.signOut();
      expect((await app.signInWithOp()).url).toContain("/confirm-address");
      app.browser.cookies.clear();
      await app.post(`${BASE}/signin/email`, { email, callbackUrl: "/" });
      await app.open();
      expect(app.memory.snapshot().users).toHaveLength(1);
    },
  );

  it("a passkey that was planted for an address does not reach its owner, who is asked", async () => {
    const planted = await plant("passkey");
    expect((await planted.prove()).redirectsTo).toContain("/confirm-address");
    await planted.startFresh();
    expect(holderOf(planted.memory)?.id).not.toBe(planted.id);
    expect(planted.memory.snapshot().authenticators.map(({ userId }) => userId)).toEqual([planted.id]);
  });

  it("an account whose provider vouches for the address is linked by the user's passkey, if the page led to it", async () => {
    for (const isMarked of [false, true]) {
      const app = setUpPasskeys({ op: { user: { sub: "1", email: "ann@example.com", email_verified: true } } });
      await app.register();
      await app.signOut();
      const asked = await app.signInWithOp();
      expect(asked.url).toContain("/confirm-address");
      const [, mark = ""] = /confirmAddress=([0-9a-f]{32})/.exec(await asked.text()) ?? [];
      expect(mark).not.toBe("");
      const data = await app.authenticator.get(await app.options("action=authenticate"));
      await app.answer("authenticate", data, { fields: isMarked ? { confirmAddress: mark } : {} });
      expect(await app.session()).toMatchObject({ user: { email: "ann@example.com" } });
      const linked = app.memory.snapshot().accounts.filter(({ provider }) => provider === "op");
      expect(linked).toHaveLength(isMarked ? 1 : 0);
      expect(app.browser.cookies.get("__Host-cardea.address")).toBeUndefined();
    }
  });

  it("requires the fields of the form", async () => {
    const app = setUpPasskeys();
    await app.csrfToken();
    for (const query of ["", "&email=", "&name=Ann"]) {
      const answer = await app.ask(`action=register${query}`);
      expect(answer.status).toBe(400);
      expectRefused(answer);
    }
  });

  it.each(["a@x.io,b@evil.example", '"a@evil.example"@x.io', "a@evil.example＠x.io", "a", "a@", "a b@x.io"])(
    "H192 H193 H194 %s is no address",
    async (email) => {
      const app = setUpPasskeys();
      await app.csrfToken();
      for (const action of ["register", "authenticate"]) {
        const answer = await app.ask(`action=${action}&email=${encodeURIComponent(email)}`);
        expect(answer.status).toBe(400);
        expectRefused(answer);
      }
      expect(app.memory.calls).toEqual([]);
    },
  );
});
