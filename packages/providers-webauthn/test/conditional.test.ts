import { createAuthenticator } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { ORIGIN } from "../../core/test/harness/harness.ts";
import { type PasskeyCase, setUpPasskeys } from "../../core/test/harness/passkey-app.ts";
import { Passkey, relatedOrigins } from "../src/index.ts";

const HOME = { url: `${ORIGIN}/dash` };
const NO_ONE = { userPresent: false, userVerified: false };
const QUERY = "action=register&mediation=conditional";

async function signedIn(passkey = { conditionalCreate: true }): Promise<PasskeyCase> {
  const app = setUpPasskeys({ passkey });
  await app.signInWithOp();
  return app;
}

describe("a passkey that is created without a prompt", () => {
  it("is added to the user without presence and verification, and signs in with both alone", async () => {
    const app = await signedIn();
    const asked = await app.options(QUERY);
    expect(asked).toMatchObject({
      authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
    });
    expect(await (await app.answer("register", await app.authenticator.create(asked, NO_ONE))).json()).toEqual(HOME);
    await app.signOut();
    for (const absent of [{ userPresent: false }, { userVerified: false }, NO_ONE])
      expect((await (await app.authenticate("", absent)).json()).url).toContain("error=Callback");
    expect(await (await app.authenticate()).json()).toEqual(HOME);
  });

  it("needs presence and verification where the browser was told to prompt, whatever the answer says", async () => {
    const app = await signedIn();
    for (const absent of [NO_ONE, { userPresent: false }, { userVerified: false }]) {
      const asked = await app.options("action=register");
      const data = await createAuthenticator().create(asked, absent);
      const fields = { mediation: "conditional", isConditional: true };
      const answer = await app.answer("register", data, { fields });
      expect((await answer.json()).url).toContain("error=Callback");
    }
    expect(app.memory.snapshot().authenticators).toEqual([]);
  });

  it("is refused without the option, and without a session", async () => {
    const app = await signedIn({ conditionalCreate: false });
    expect((await app.ask(QUERY)).status).toBe(400);
    const visitor = setUpPasskeys({ passkey: { conditionalCreate: true } });
    expect((await visitor.ask(`${QUERY}&email=ann@example.com`)).status).toBe(400);
  });
});

describe("hints", () => {
  it("are part of both kinds of options", async () => {
    const app = setUpPasskeys({ passkey: { hints: ["client-device", "hybrid"] } });
    for (const query of ["action=authenticate", "action=register&email=ann@example.com"])
      expect(await app.options(query)).toMatchObject({ hints: ["client-device", "hybrid"] });
  });
});

describe("relatedOrigins()", () => {
  const origin = ["https://example.com", "https://www.example.com", "https://example.co.uk", "android:apk-key-hash:x"];

  it("answers with the origins on other domains, as JSON", async () => {
    const answer = relatedOrigins(Passkey({ relayingParty: { id: "example.com", origin } }))();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await answer.json()).toEqual({ origins: ["https://example.co.uk"] });
  });

  it.each([
    [undefined, /relayingParty\.id/],
    [{ id: ["example.com", "example.org"], origin }, /relayingParty\.id/],
    [{ id: "example.com", origin: "https://www.example.com" }, /no origin outside/],
  ])("refuses %j", (relayingParty, message) => {
    expect(() => relatedOrigins({ relayingParty })).toThrow(message);
  });

  it("has its counterpart at verification: a passkey is used on a related origin, and on no other", async () => {
    const relayingParty = { id: "app.example.com", origin: [ORIGIN, "https://app.example.net"] };
    const app = setUpPasskeys({ passkey: { relayingParty } });
    expect(await (await app.register(undefined, { origin: "https://app.example.net" })).json()).toEqual(HOME);
    await app.signOut();
    expect((await (await app.authenticate("", { origin: "https://app.example.org" })).json()).url).toContain("error=");
    expect(await (await app.authenticate("", { origin: "https://app.example.net" })).json()).toEqual(HOME);
  });
});
