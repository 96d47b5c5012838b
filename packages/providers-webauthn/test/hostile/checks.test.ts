/** WebAuthn L3 §7.1 and §7.2: the same checks for registration and authentication, by the library or by the provider. */

import { createHash } from "node:crypto";
import { createAuth } from "@cardea/core";
import { Passkey } from "@cardea/providers-webauthn";
import { createMemoryAdapter, type Manipulation } from "@cardea/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectRefused, ORIGIN, recordOf, SECRET } from "../../../core/test/harness/harness.ts";
import { setUpPasskeys, withResponse } from "../../../core/test/harness/passkey-app.ts";

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

/** No option of the library may switch off what the library checks for us. */
describe("the options of an application", () => {
  const weaker = { requireUserPresence: false, advancedFIDOConfig: { userVerification: "discouraged" } } as const;

  it.each([
    ["user-presence", { userPresent: false }],
    ["user-verification", { userVerified: false }],
  ] as const)("do not switch off the check %s", async (check, manipulation) => {
    const app = setUpPasskeys({
      passkey: { verifyRegistrationOptions: weaker, verifyAuthenticationOptions: weaker },
    });
    expect(checkOf(await app.register(undefined, manipulation))).toBe(check);
    await app.register();
    await app.signOut();
    expect(checkOf(await app.authenticate(undefined, manipulation))).toBe(check);
  });

  it("cannot replace the expected origin, relying party and challenge", async () => {
    const other: object = {
      expectedOrigin: "https://evil.example",
      expectedRPID: "evil.example",
      expectedChallenge: () => true,
    };
    const app = setUpPasskeys({ passkey: { verifyRegistrationOptions: other, verifyAuthenticationOptions: other } });
    const evil = { origin: "https://evil.example" };
    expect(checkOf(await app.register(undefined, evil))).toBe("origin");
    await app.register();
    await app.signOut();
    expect(checkOf(await app.authenticate(undefined, evil))).toBe("origin");
    expect(checkOf(await app.authenticate(undefined, { rpId: "evil.example" }))).toBe("rp-id");
  });

  it("allow another type, and frames on a named site", async () => {
    const TYPE = "payment.get";
    const app = setUpPasskeys({
      passkey: { verifyAuthenticationOptions: { expectedType: ["webauthn.get", TYPE], expectedTopOrigin: TOP } },
    });
    await app.register();
    await app.signOut();
    const framed = { type: TYPE, crossOrigin: true, clientData: { topOrigin: TOP } };
    const other = { ...framed, clientData: { topOrigin: `${TOP}.evil` } };
    expect(checkOf(await app.authenticate(undefined, other))).toBe("cross-origin");
    expect(await (await app.authenticate(undefined, framed)).json()).toEqual({ url: `${ORIGIN}/dash` });
  });

  it("require verification where advancedFIDOConfig does", async () => {
    const strict = { requireUserVerification: false, advancedFIDOConfig: { userVerification: "required" } } as const;
    const app = setUpPasskeys({ passkey: { verifyAuthenticationOptions: strict } });
    await app.register();
    await app.signOut();
    expect(checkOf(await app.authenticate(undefined, { userVerified: false }))).toBe("user-verification");
  });
});

const ID = Buffer.alloc(16, 9);

/** ES256 on P-256: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`. */
const KEY = [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x42, 1, 1, 0x22, 0x42, 2, 2];
const NO_STATEMENT = [0xa0];

/** Attested credential data (WebAuthn L3 §6.5.1). */
function attested(key: readonly number[] = KEY, id: Uint8Array = ID): readonly number[] {
  return [...Array(16).fill(0), id.length >> 8, id.length & 255, ...id, ...key];
}

/** An attestation object (§6.5.4) whose authenticator data have these flags and this rest. */
function attestationOf(flags: number, rest: readonly number[], format = "none", statement = NO_STATEMENT): Buffer {
  const rpIdHash = createHash("sha256").update("app.example.com").digest();
  const authData = Buffer.from([...rpIdHash, flags, 0, 0, 0, 0, ...rest]);
  const length = [0x59, authData.length >> 8, authData.length & 255];
  const text = (value: string) => Buffer.from([0x60 + value.length, ...Buffer.from(value)]);
  return Buffer.concat([
    ...[Buffer.from([0xa3]), text("fmt"), text(format), text("attStmt"), Buffer.from(statement)],
    ...[text("authData"), Buffer.from(length), authData],
  ]);
}

/** Sends a registration with this attestation object. */
async function registerWith(attestationObject: Uint8Array) {
  const app = setUpPasskeys();
  const data = await app.authenticator.create(await app.options("action=register&email=ann@example.com"), {
    credentialId: ID.toString("base64url"),
  });
  const forged = withResponse(data, { attestationObject: Buffer.from(attestationObject).toString("base64url") });
  const answer = await app.answer("register", forged);
  return { app, answer };
}

describe("a new credential", () => {
  it.each([
    ["a key and nothing else", attestationOf(0x45, attested())],
    ["extensions", attestationOf(0xc5, [...attested(), 0xa1, 0x61, 0x61, 0xf5])],
    ["an EdDSA key on Ed25519", attestationOf(0x45, attested([0xa4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x42, 1, 1]))],
  ])("is registered with %s", async (_, attestationObject) => {
    const { app, answer } = await registerWith(attestationObject);
    expect(await answer.json()).toEqual({ url: `${ORIGIN}/dash` });
    expect(app.memory.snapshot().authenticators).toMatchObject([{ credentialID: ID.toString("base64") }]);
  });

  it.each([
    [
      "fewer than 37 bytes of authenticator data",
      Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746141ff", "hex"),
    ],
    ["no credential", attestationOf(0x05, [])],
    ["a credential that was not announced", attestationOf(0x05, attested())],
    ["no credential where one was announced", attestationOf(0x45, [])],
    ["half a credential", attestationOf(0x45, attested().slice(0, 30))],
    ["a key that is cut off", attestationOf(0x45, attested().slice(0, -1))],
    ["a key whose encoding is not canonical", attestationOf(0x45, attested([0xa5, 1, 0x18, 2, ...KEY.slice(3)]))],
    ["a parameter twice", attestationOf(0x45, attested([0xa6, 1, 2, ...KEY.slice(1)]))],
    ["no extensions where they were announced", attestationOf(0xc5, attested())],
    ["a byte too many", attestationOf(0x45, [...attested(), 0])],
    ["another id", attestationOf(0x45, attested(KEY, Buffer.alloc(16, 8)))],
    ["no id", attestationOf(0x45, attested(KEY, Buffer.alloc(0)))],
    ["an id of 1024 bytes", attestationOf(0x45, attested(KEY, Buffer.alloc(1024, 9)))],
    ["an ES256 key on another curve", attestationOf(0x45, attested(KEY.with(6, 2)))],
    ["an ES256 key of another type", attestationOf(0x45, attested(KEY.with(2, 3)))],
    ["an EdDSA key on Ed448", attestationOf(0x45, attested([0xa4, 1, 1, 3, 0x27, 0x20, 7, 0x21, 0x42, 1, 1]))],
    ["a key without an algorithm", attestationOf(0x45, attested([0xa1, 1, 2]))],
    ["a key that is no map", attestationOf(0x45, attested([0x80]))],
    ["an unregistered format", attestationOf(0x45, attested(), "other")],
    ["the format none and a statement", attestationOf(0x45, attested(), "none", [0xa1, 0x61, 0x61, 1])],
    ["the format none and a list", attestationOf(0x45, attested(), "none", [0x80])],
    ["the format packed and no statement", attestationOf(0x45, attested(), "packed")],
    ["CBOR that is nested too deeply", Buffer.alloc(40_000, 0x81)],
    ["a list that is longer than the text", Buffer.from([0x9a, 255, 255, 255, 255])],
  ])("is refused with %s", async (_, attestationObject) => {
    const { app, answer } = await registerWith(attestationObject);
    expectRefused(answer);
    expect([checkOf(answer), app.memory.snapshot().authenticators]).toEqual(["attestation", []]);
  });

  it("is refused by a named check, whatever the bytes", async () => {
    const bytes = fc.uint8Array({ maxLength: 100 });
    const attestation = fc.oneof(
      bytes.filter(({ length }) => length > 0),
      fc.tuple(fc.nat(255), bytes).map(([flags, rest]) => attestationOf(flags, [...rest])),
    );
    await fc.assert(
      fc.asyncProperty(attestation, async (attestationObject) => {
        const { answer } = await registerWith(attestationObject);
        expectRefused(answer);
        expect(checkOf(answer)).toMatch(/^(?:attestation|user-presence|user-verification)$/);
      }),
      { numRuns: 50 },
    );
  });
});
