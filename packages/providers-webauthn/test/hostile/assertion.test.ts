import { createAuthenticator, type Manipulation } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { BASE, expectRefused, ORIGIN, recordOf } from "../../../core/test/harness/harness.ts";
import { type PasskeyCase, setUpPasskeys, toStored, withResponse } from "../../../core/test/harness/passkey-app.ts";

const HOME = { url: `${ORIGIN}/dash` };

async function withPasskey(options: Parameters<typeof setUpPasskeys>[0] = {}): Promise<PasskeyCase> {
  const app = setUpPasskeys(options);
  await app.register();
  await app.signOut();
  return app;
}

/** Refused by this check; authenticators are as they were, and no one is signed in. */
async function expectCheck(app: PasskeyCase, check: string, act: () => Promise<Response>): Promise<void> {
  const { verificationTokens: _before, ...before } = app.memory.snapshot();
  const answer = await act();
  expectRefused(answer);
  expect(
    recordOf(answer)
      .logs.map(({ text }) => text)
      .join(),
  ).toContain(`"check":"${check}"`);
  const { verificationTokens: _after, ...after } = app.memory.snapshot();
  expect(after).toEqual(before);
  const { url }: { url: string } = await answer.json();
  // What a device may forget: see privacy.test.ts.
  expect(url.replace("&code=unknown-credential", "")).toBe(
    `${ORIGIN}${BASE}/signin?error=Callback&callbackUrl=${encodeURIComponent(`${ORIGIN}/dash`)}`,
  );
}

describe("an assertion", () => {
  const LIES: readonly [string, Manipulation][] = [
    ["user-presence", { userPresent: false }],
    ["user-presence", { userPresent: false, userVerified: false }],
    ["user-verification", { userVerified: false }],
    ["signature", { breakSignature: true }],
    ["type", { type: "payment.get" }],
  ];

  it.each(LIES)("H224 is refused by the check %s: %o", async (check, manipulation) => {
    const app = await withPasskey();
    await expectCheck(app, check, () => app.authenticate("", manipulation));
    await expectCheck(app, check, () => app.authenticate("email=ann@example.com", manipulation));
  });

  it.each([
    ["user-presence", { userPresent: false }],
    ["user-verification", { userVerified: false }],
  ] as const)("H224 a registration is refused by the check %s", async (check, manipulation) => {
    const app = setUpPasskeys();
    await expectCheck(app, check, () => app.register(undefined, manipulation));
  });

  it("H224 without verification of the person where the application says so", async () => {
    const verify = { requireUserVerification: false };
    const app = await withPasskey({ passkey: { verifyAuthenticationOptions: verify } });
    expect(await (await app.authenticate("", { userVerified: false })).json()).toEqual(HOME);
    await app.signOut();
    await expectCheck(app, "user-presence", () => app.authenticate("", { userPresent: false, userVerified: false }));
  });

  it.each([0, 1, 4, 5])("H226 is refused when the counter goes from 5 to %i", async (counter) => {
    const app = await withPasskey();
    await app.authenticate("", { counter: 5 });
    await app.signOut();
    await expectCheck(app, "counter", () => app.authenticate("", { counter }));
    expect(
      app.logs.filter(({ level, text }) => level === "warn" && text.includes("may have been copied")),
    ).toHaveLength(1);
    expect(app.memory.snapshot().authenticators).toMatchObject([{ counter: 5 }]);
    expect(await (await app.authenticate("", { counter: 6 })).json()).toEqual(HOME);
  });

  it.each([
    [5, 6],
    [5, 4_294_967_295],
  ])("H226 signs in when the counter goes from %i to %i", async (from, to) => {
    const app = await withPasskey();
    await app.authenticate("", { counter: from });
    await app.signOut();
    expect(await (await app.authenticate("", { counter: to })).json()).toEqual(HOME);
    expect(app.memory.snapshot().authenticators).toMatchObject([{ counter: Math.min(to, 2_147_483_647) }]);
  });

  it("H226 signs in each time when the authenticator does not count", async () => {
    const app = setUpPasskeys();
    const authenticator = createAuthenticator({ counts: false, backedUp: true });
    const registration = await app.options("action=register&email=ann@example.com");
    await app.answer("register", await authenticator.create(registration));
    for (let n = 0; n < 3; n++) {
      await app.signOut();
      const data = await authenticator.get(await app.options("action=authenticate"));
      expect(await (await app.answer("authenticate", data)).json()).toEqual(HOME);
      expect(app.memory.snapshot().authenticators).toMatchObject([{ counter: 0 }]);
    }
  });

  it.each([0, 1, 5])(
    "H226 of a synced passkey signs in when the counter goes from 5 to %i, with a warning",
    async (counter) => {
      const app = setUpPasskeys();
      const authenticator = createAuthenticator({ backedUp: true });
      await app.answer(
        "register",
        await authenticator.create(await app.options("action=register&email=ann@example.com")),
      );
      for (const count of [5, counter, 6]) {
        await app.signOut();
        const data = await authenticator.get(await app.options("action=authenticate"), { counter: count });
        expect(await (await app.answer("authenticate", data)).json()).toEqual(HOME);
      }
      expect(app.logs.filter(({ text }) => text.includes("passkey-counter: "))).toMatchObject([{ level: "warn" }]);
    },
  );

  it("H226 of a copied key the second use is refused", async () => {
    const app = await withPasskey();
    const [original] = app.authenticator.credentials;
    if (original === undefined) throw new Error("no credential");
    const before = original.counter;
    expect(await (await app.authenticate()).json()).toEqual(HOME);
    await app.signOut();
    original.counter = before;
    await expectCheck(app, "counter", () => app.authenticate());
  });

  it("H227 is refused when another person was asked for", async () => {
    const app = await withPasskey();
    await app.register("email=walter@example.com");
    await app.signOut();
    const asked = await app.options("action=authenticate&email=ann@example.com");
    // Walter's, the newest, whatever the list says.
    const data = await app.authenticator.get({ ...asked, allowCredentials: [] });
    await expectCheck(app, "other-person", () => app.answer("authenticate", data));
  });

  it("H227 is refused when a user was asked for who does not exist", async () => {
    const app = await withPasskey();
    const asked = await app.options("action=authenticate&email=unknown@example.com");
    const data = await app.authenticator.get({ ...asked, allowCredentials: [] });
    await expectCheck(app, "other-person", () => app.answer("authenticate", data));
  });

  it("H227 is refused when it says that it is of another credential", async () => {
    const app = await withPasskey();
    await app.register("email=walter@example.com");
    await app.signOut();
    const [annes] = app.authenticator.credentials;
    await expectCheck(app, "signature", () => app.authenticate("", { credentialId: annes?.id ?? "", counter: 9 }));
  });

  it("H227 is refused when its user handle names another user", async () => {
    const app = await withPasskey();
    const handle = async (email: string) => {
      await app.register(`email=${email}`);
      const { user } = await app.options("action=register");
      await app.register("");
      await app.signOut();
      return user.id;
    };
    const walters = await handle("walter@example.com");
    const zoes = await handle("zoe@example.com");
    expect(walters).not.toBe(zoes);
    for (const query of ["", "email=zoe@example.com"]) {
      await expectCheck(app, "other-person", () => app.authenticate(query, { userHandle: walters }));
      expect(await (await app.authenticate(query, { userHandle: zoes })).json()).toEqual(HOME);
      await app.signOut();
    }
  });

  it("H227 needs a user handle when any passkey was accepted", async () => {
    const app = await withPasskey();
    await expectCheck(app, "other-person", () => app.authenticate("", { userHandle: null }));
    expect(await (await app.authenticate("email=ann@example.com", { userHandle: null })).json()).toEqual(HOME);
  });

  it("is refused when the credential is unknown", async () => {
    const app = await withPasskey();
    await expectCheck(app, "unknown-credential", () => app.authenticate("", { credentialId: "A".repeat(43) }));
  });

  it("is refused when a decoy of the list is answered", async () => {
    const app = await withPasskey();
    const asked = await app.options("action=authenticate&email=unknown@example.com");
    const credentialId = asked.allowCredentials[0]?.id ?? "";
    const data = await app.authenticator.get({ ...asked, allowCredentials: [] }, { credentialId });
    await expectCheck(app, "unknown-credential", () => app.answer("authenticate", data));
  });

  it.each([
    ["authenticatorData", "AAAA"],
    ["authenticatorData", Buffer.alloc(36).toString("base64url")],
    ["signature", "AAAA"],
    ["signature", "MAA"],
  ])("is refused with a %s of %s", async (member, value) => {
    const app = await withPasskey();
    const data = await app.authenticator.get(await app.options("action=authenticate"));
    const answer = await app.answer("authenticate", withResponse(data, { [member]: value }));
    expectRefused(answer);
    expect(app.memory.snapshot().authenticators).toMatchObject([{ counter: 1 }]);
  });

  it("finds a credential whatever the padding of its stored id", async () => {
    const app = await withPasskey();
    const [credential] = app.authenticator.credentials;
    expect(app.memory.snapshot().authenticators).toMatchObject([{ credentialID: toStored(credential?.id ?? "") }]);
    expect(await (await app.authenticate("email=ANN@example.com")).json()).toEqual(HOME);
  });

  it("contract 6.3 is refused while another user is signed in", async () => {
    const app = await withPasskey();
    const other = createAuthenticator();
    const registration = await app.options("action=register&email=walter@example.com");
    await app.answer("register", await other.create(registration));
    const answer = await app.authenticate();
    expectRefused(answer);
    expect((await answer.json()).url).toContain("error=OAuthAccountNotLinked");
    expect(await app.session()).toMatchObject({ user: { email: "walter@example.com" } });
    expect(app.memory.snapshot().authenticators.map(({ counter }) => counter)).toEqual([1, 1]);
  });

  it("signs the same person in again, in a new session", async () => {
    const app = setUpPasskeys();
    await app.register();
    const before = app.memory.snapshot().sessions;
    expect(await (await app.authenticate()).json()).toEqual(HOME);
    const after = app.memory.snapshot().sessions;
    expect(after).toHaveLength(1);
    expect(after[0]?.sessionToken).not.toBe(before[0]?.sessionToken);
  });

  const MALFORMED: readonly [string, unknown, unknown][] = [
    ["no data", "authenticate", undefined],
    ["null", "authenticate", null],
    ["a number", "authenticate", 7],
    ["a list", "authenticate", []],
    ["no JSON", "authenticate", "{"],
    ["JSON of null", "authenticate", "null"],
    ["JSON of text", "authenticate", '"x"'],
    ["__proto__", "authenticate", '{"__proto__":{"id":"AAAA","rawId":"AAAA","type":"public-key"}}'],
    ["an action that is a list", ["authenticate"], "{}"],
    ["an action named constructor", "constructor", "{}"],
    ["no action", undefined, "{}"],
    ["an empty action", "", "{}"],
  ];

  it.each(MALFORMED)("H234 is a bad request: %s", async (_, action, data) => {
    const app = await withPasskey();
    const calls = app.memory.calls.length;
    const answer = await app.answer(action, data);
    expect([answer.status, Object.keys(await answer.json())]).toEqual([400, ["message"]]);
    expectRefused(answer);
    expect(app.memory.calls.slice(calls)).toEqual([]);
  });

  it.each([
    ["id", 7],
    ["id", ""],
    ["id", "not base64url!"],
    ["id", "A".repeat(1365)],
    ["rawId", "AAAA"],
    ["type", "password"],
    ["response", null],
    ["response", []],
    ["response", "x"],
  ])("H234 is a bad request when %s is %j", async (member, value) => {
    const app = await withPasskey();
    const data = await app.authenticator.get(await app.options("action=authenticate"));
    const answer = await app.answer("authenticate", { ...data, [member]: value });
    expect(answer.status).toBe(400);
    expectRefused(answer);
  });

  it.each([
    ["clientDataJSON", 7],
    ["clientDataJSON", ""],
    ["clientDataJSON", "e30"],
    ["clientDataJSON", Buffer.from("[]").toString("base64url")],
    ["clientDataJSON", Buffer.from('{"type":7,"challenge":"a","origin":"b"}').toString("base64url")],
    ["clientDataJSON", Buffer.from('{"type":"a","challenge":"a","origin":"b","crossOrigin":1}').toString("base64url")],
    ["authenticatorData", null],
    ["signature", {}],
  ])("H234 is a bad request when response.%s is %j", async (member, value) => {
    const app = await withPasskey();
    const data = await app.authenticator.get(await app.options("action=authenticate"));
    const answer = await app.answer("authenticate", withResponse(data, { [member]: value }));
    expect(answer.status).toBe(400);
    expectRefused(answer);
  });

  it("H234 five megabytes are too many", async () => {
    const app = await withPasskey();
    const calls = app.memory.calls.length;
    const answer = await app.answer("authenticate", "x".repeat(5_000_000));
    expect(answer.status).toBe(413);
    expect(app.memory.calls.slice(calls)).toEqual([]);
  });

  it("H234 takes data as an object and as text, in JSON and in a form", async () => {
    const app = await withPasskey();
    for (const form of [JSON.stringify, (data: object) => data]) {
      const data = await app.authenticator.get(await app.options("action=authenticate"));
      expect(await (await app.answer("authenticate", form(data))).json()).toEqual(HOME);
      await app.signOut();
    }
    const data = JSON.stringify(await app.authenticator.get(await app.options("action=authenticate")));
    const sent = await app.post(`${BASE}/callback/passkey`, { action: "authenticate", data, callbackUrl: "/dash" });
    expect(sent.redirectsTo).toBe(HOME.url);
  });

  it("a passkey is no link: GET callback is not allowed", async () => {
    const app = await withPasskey();
    const answer = await app.browser.fetch(`${BASE}/callback/passkey?action=authenticate&data={}`);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });
});
