/** WebAuthn L3 §7.1 and §7.2: the same checks for registration and authentication, whatever the provider's library says. */

import { createAuth } from "@cardea/core";
import { Passkey } from "@cardea/providers-webauthn";
import { createMemoryAdapter, type Manipulation } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { expectRefused, ORIGIN, recordOf, SECRET } from "../../../core/test/harness/harness.ts";
import { setUpPasskeys } from "../../../core/test/harness/passkey-app.ts";

const TOP = "https://top.example";

const LIES: readonly (readonly [string, Manipulation])[] = [
  ["cross-origin", { crossOrigin: true }],
  ["cross-origin", { crossOrigin: true, clientData: { topOrigin: TOP } }],
  ["cross-origin", { clientData: { topOrigin: TOP } }],
  ["cross-origin", { clientData: { topOrigin: ORIGIN } }],
  ["token-binding", { clientData: { tokenBinding: { status: "present", id: "AAAA" } } }],
  ["type", { type: "webauthn.Create" }],
  ["origin", { origin: `${ORIGIN}/` }],
  ["origin", { origin: ORIGIN.toUpperCase() }],
  ["rp-id", { rpId: "example.com" }],
  ["user-presence", { userPresent: false }],
  ["user-verification", { userVerified: false }],
  ["backup", { backupEligible: false, backedUp: true }],
];

const checkOf = (answer: Response) =>
  /"check":"([\w-]+)"/.exec(
    recordOf(answer)
      .logs.map(({ text }) => text)
      .join(),
  )?.[1];

describe("the checks of a passkey", () => {
  it.each(LIES)("refuse by %s what a registration says: %j", async (check, manipulation) => {
    const app = setUpPasskeys();
    const answer = await app.register(undefined, manipulation);
    expectRefused(answer);
    expect([checkOf(answer), app.memory.snapshot().users]).toEqual([check, []]);
  });

  it.each(LIES)("refuse by %s what an authentication says: %j", async (check, manipulation) => {
    const app = setUpPasskeys();
    await app.register();
    await app.signOut();
    const answer = await app.authenticate(undefined, manipulation);
    expectRefused(answer);
    expect([checkOf(answer), app.memory.snapshot().sessions]).toEqual([check, []]);
  });

  it.each([
    [{}, { backupEligible: true }],
    [{}, { backupEligible: true, backedUp: true }],
    [{ backupEligible: true }, { backupEligible: false }],
    [{ backupEligible: true, backedUp: true }, {}],
  ])("refuse an authenticator whose backup eligibility changes: %j, then %j", async (first, then) => {
    const app = setUpPasskeys();
    await app.register(undefined, first);
    await app.signOut();
    expect(checkOf(await app.authenticate(undefined, then))).toBe("backup");
    expect(await (await app.authenticate(undefined, first)).json()).toEqual({ url: `${ORIGIN}/dash` });
  });

  it("let a backup be made and lost", async () => {
    const app = setUpPasskeys();
    await app.register(undefined, { backupEligible: true });
    for (const backedUp of [true, false]) {
      await app.signOut();
      const answer = await app.authenticate(undefined, { backupEligible: true, backedUp });
      expect(await answer.json()).toEqual({ url: `${ORIGIN}/dash` });
    }
  });

  it.each([[[-257]], [[-8, -36]]])("refuse an algorithm that was not offered: %j", async (supportedAlgorithmIDs) => {
    const app = setUpPasskeys({ passkey: { registrationOptions: { supportedAlgorithmIDs } } });
    const { options } = await (await app.ask("action=register&email=a@x.io")).json();
    const offered = options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg);
    expect(offered).toEqual(supportedAlgorithmIDs);
    expect(checkOf(await app.register())).toBe("algorithm");
  });

  it.each(["registrationOptions", "verifyRegistrationOptions"])("refuse Ed448 at start, in %s", (member) => {
    const passkey = { [member]: { supportedAlgorithmIDs: [-7, -53] } };
    const { adapter } = createMemoryAdapter();
    const experimental = { enableWebAuthn: true };
    expect(() => createAuth({ secret: SECRET, adapter, experimental, providers: [Passkey(passkey)] })).toThrow(/Ed448/);
  });
});
