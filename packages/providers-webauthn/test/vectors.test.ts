import { readFileSync } from "node:fs";
import { SettingsService } from "@simplewebauthn/server";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ORIGIN, recordOf } from "../../core/test/harness/harness.ts";
import { type PasskeyCase, setUpPasskeys } from "../../core/test/harness/passkey-app.ts";
import type { WebAuthnOptions } from "../src/index.ts";

/** One registration and one authentication with the same passkey; bytes in hexadecimal. */
interface Vector {
  readonly credentialId: string;
  readonly registration: Ceremony<"attestationObject">;
  readonly authentication: Ceremony<"authenticatorData" | "signature">;
}

type Ceremony<Member extends string> = Readonly<Record<"challenge" | "clientDataJSON" | Member, string>>;

// A cast: the file beside this one has this shape.
const { attestationRoot, vectors } = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8")) as {
  readonly attestationRoot: string;
  readonly vectors: Readonly<Record<string, Vector>>;
};
const NAMES = Object.keys(vectors);

const HOME = `${ORIGIN}/dash`;
const ANN = "email=ann@example.com";
const RELYING_PARTY = { id: "example.org", name: "Example", origin: "https://example.org" };

/** Everything that the vectors need and the defaults reject: no user verification, frames, larger curves. */
const ALGORITHMS = { supportedAlgorithmIDs: [-7, -8, -35, -36, -257] };
const LENIENT: WebAuthnOptions = {
  registrationOptions: ALGORITHMS,
  verifyRegistrationOptions: {
    ...ALGORITHMS,
    requireUserVerification: false,
    // The library's types have it for authentications only.
    ...{ expectedTopOrigin: "https://example.com" },
  },
  verifyAuthenticationOptions: { requireUserVerification: false, expectedTopOrigin: "https://example.com" },
};

const toBase64url = (hex: string) => Buffer.from(hex, "hex").toString("base64url");

/** Options whose challenge is the vector's: only the source of random bytes is replaced, for this one request. */
async function askFor(app: PasskeyCase, query: string, challenge: string): Promise<void> {
  const random = crypto.getRandomValues.bind(crypto);
  const bytes = Uint8Array.from(Buffer.from(challenge, "hex"));
  const spy = vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
    // A cast: everything that asks for 32 bytes asks for an array of bytes.
    return array?.byteLength === 32 ? (bytes as unknown as typeof array) : random(array);
  });
  try {
    expect(await app.options(query)).toMatchObject({ challenge: toBase64url(challenge) });
  } finally {
    spy.mockRestore();
  }
}

async function send(app: PasskeyCase, action: string, id: string, members: Readonly<Record<string, string>>) {
  const { challenge: _, ...rest } = members;
  const response = Object.fromEntries(Object.entries(rest).map(([name, hex]) => [name, toBase64url(hex)]));
  const data = { id: toBase64url(id), rawId: toBase64url(id), type: "public-key", response };
  const answer = await app.answer(action, data);
  if ((await answer.json()).url === HOME) return "accepted";
  const logs = recordOf(answer).logs.map(({ text }) => text);
  return `${action}: ${/"check":"([a-z-]+)"/.exec(logs.join())?.[1]}`;
}

/** Registers, signs out and signs in with a vector over HTTP. Answers how far it got. */
async function play(name: string, passkey: WebAuthnOptions, changes: Partial<Vector["authentication"]> = {}) {
  const vector = vectors[name];
  if (vector === undefined) throw new Error(`There is no vector "${name}".`);
  const { credentialId, registration, authentication } = vector;
  const app = setUpPasskeys({ passkey: { relayingParty: RELYING_PARTY, ...passkey } });
  await askFor(app, `action=register&${ANN}`, registration.challenge);
  const registered = await send(app, "register", credentialId, registration);
  if (registered !== "accepted") return registered;
  await app.signOut();
  await askFor(app, `action=authenticate&${ANN}`, authentication.challenge);
  return send(app, "authenticate", credentialId, { ...authentication, ...changes });
}

/** What each vector needs that a provider without options rejects; the first failed check. */
const BY_DEFAULT: Readonly<Record<string, string>> = {
  "none-es256": "register: user-verification",
  "packed-self-es256": "authenticate: user-verification",
  "none-es256-crossOrigin": "register: cross-origin",
  "none-es256-topOrigin": "register: cross-origin",
  "none-es256-long-credential-id": "register: user-verification",
  "packed-es256": "accepted",
  "packed-es384": "register: user-verification",
  "packed-es512": "register: algorithm",
  "packed-rs256": "authenticate: user-verification",
  "packed-eddsa": "register: user-verification",
  "packed-ed448": "register: user-verification",
  "tpm-es256": "register: attestation",
  "android-key-es256": "register: attestation",
  "apple-es256": "register: user-verification",
  "fido-u2f-es256": "register: user-verification",
};

/** What no configuration accepts, and why. */
const NEVER: Readonly<Record<string, string>> = {
  // The library does not verify signatures of Ed448; offering it is a start-up error.
  "packed-ed448": "register: algorithm",
  // The library knows the manufacturers of TPMs, and rejects that of the vector (id:00000000).
  "tpm-es256": "register: attestation",
  // The library reads the root from the end of `x5c`, where the vector has none.
  "android-key-es256": "register: attestation",
  // The library requires the AAGUID of U2F, which is zero; the vector's is random.
  "fido-u2f-es256": "register: attestation",
};

describe("the test vectors of WebAuthn Level 3", () => {
  const formats = ["apple", "packed"] as const;
  const before = formats.map((identifier) => SettingsService.getRootCertificates({ identifier }));

  beforeAll(() => {
    const body = Buffer.from(attestationRoot, "hex").toString("base64");
    const certificates = [`-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`];
    for (const identifier of formats) SettingsService.setRootCertificates({ identifier, certificates });
  });

  afterAll(() => {
    for (const [n, identifier] of formats.entries())
      SettingsService.setRootCertificates({ identifier, certificates: before[n] ?? [] });
  });

  it.each(NAMES)("%s meets the defaults, or the check that rejects it", async (name) => {
    expect(await play(name, {})).toBe(BY_DEFAULT[name]);
  });

  it.each(NAMES)("%s registers and signs in where the configuration allows what it has", async (name) => {
    expect(await play(name, LENIENT)).toBe(NEVER[name] ?? "accepted");
  });

  it.each(NAMES.filter((name) => !(name in NEVER)))("%s does not sign in with another signature", async (name) => {
    const signature = vectors[name]?.authentication.signature ?? "";
    // The last byte is part of a number in each format.
    const last = Number.parseInt(signature.slice(-2), 16) ^ 1;
    const changes = { signature: signature.slice(0, -2) + last.toString(16).padStart(2, "0") };
    expect(await play(name, LENIENT, changes)).toBe("authenticate: signature");
  });
});
