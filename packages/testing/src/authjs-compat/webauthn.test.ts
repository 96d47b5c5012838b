// The passkey providers of @auth/core as they come from npm: their way to sign in is not part of core.
import AuthJsPasskey from "@auth/core/providers/passkey";
import AuthJsWebAuthn from "@auth/core/providers/webauthn";
import { createAuth } from "@cardea/core";
import type { Provider } from "@cardea/core/providers";
// Version 9, as packages for Auth.js install it; applications may set it as `simpleWebAuthn`.
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { describe, expect, it } from "vitest";
import { recordOf } from "../../../core/test/harness/harness.ts";
import { setUpPasskeys } from "../../../core/test/harness/passkey-app.ts";
import type { Manipulation } from "../authenticator.ts";
import { createMemoryAdapter } from "../memory-adapter.ts";

const start = (provider: Provider) => () =>
  createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: createMemoryAdapter().adapter,
    providers: [provider],
    experimental: { enableWebAuthn: true },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  });

describe.each([
  { id: "passkey", theirs: AuthJsPasskey({}) },
  { id: "webauthn", theirs: AuthJsWebAuthn({ relayingParty: { id: "example.com", name: "Example" } }) },
])("$id of @auth/core", ({ id, theirs }) => {
  it("is refused at start, and the package is named", () => {
    expect(start(theirs)).toThrow(
      `\`providers[0]\` of provider "${id}" has no passkey sign-in: use Passkey() or WebAuthn() from @cardea/providers-webauthn`,
    );
  });
});

describe("version 9 of @simplewebauthn/server", () => {
  const simpleWebAuthn = {
    generateAuthenticationOptions,
    generateRegistrationOptions,
    verifyAuthenticationResponse,
    verifyRegistrationResponse,
  };
  const start9 = () => setUpPasskeys({ passkey: { simpleWebAuthn } });
  const checkOf = (answer: Response) =>
    /"check":"([\w-]+)"/.exec(
      recordOf(answer)
        .logs.map(({ text }) => text)
        .join(),
    )?.[1];

  it("registers a passkey and signs in with it", async () => {
    const app = start9();
    await app.register();
    await app.signOut();
    expect(await (await app.authenticate()).json()).toEqual({ url: "https://app.example.com/dash" });
    expect(app.memory.snapshot().authenticators).toMatchObject([{ counter: 2, credentialDeviceType: "singleDevice" }]);
  });

  it.each<readonly [string, Manipulation]>([
    ["type", { type: "payment.get" }],
    ["origin", { origin: "https://evil.example" }],
    ["cross-origin", { crossOrigin: true }],
    ["cross-origin", { crossOrigin: true, clientData: { topOrigin: "https://evil.example" } }],
    ["token-binding", { clientData: { tokenBinding: { status: "present" } } }],
    ["rp-id", { rpId: "example.com" }],
    ["user-presence", { userPresent: false }],
    ["user-verification", { userVerified: false }],
    ["backup", { backupEligible: false, backedUp: true }],
  ])("refuses by the check %s: %o", async (check, manipulation) => {
    const app = start9();
    expect(checkOf(await app.register(undefined, manipulation))).toBe(check);
    await app.register();
    await app.signOut();
    expect(checkOf(await app.authenticate(undefined, manipulation))).toBe(check);
  });

  it.each<readonly [string, Manipulation]>([
    ["signature", { breakSignature: true }],
    ["counter", { counter: 1 }],
    ["backup", { backupEligible: true }],
  ])("refuses an authentication by the check %s: %o", async (check, manipulation) => {
    const app = start9();
    await app.register();
    await app.signOut();
    expect(checkOf(await app.authenticate(undefined, manipulation))).toBe(check);
  });
});
