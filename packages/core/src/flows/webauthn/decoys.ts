import { decodeBase64 } from "../../crypto/base64.ts";
import { encodeBase64url } from "../../crypto/base64url.ts";
import { hmac } from "../../crypto/hmac.ts";
import type { AdapterAuthenticator } from "../../model/adapter.ts";
import type { EpochSeconds, Seconds } from "../../model/units.ts";

/**
 * The credentials that an address may sign in with, so written that nobody learns whether the address is known
 * (WebAuthn L3 §14.6.2): always eight, real ones among made-up ones, in an order that says nothing.
 */

/** A credential as options name it (WebAuthn L3 §5.8.3). */
export interface CredentialDescriptor {
  readonly id: string;
  readonly type: "public-key";
  readonly transports?: readonly string[];
}

/** More passkeys than nearly anybody has. Those beyond it sign in without an address being typed. */
const LISTED = 8;

/** How long a made-up credential stays: from three months to two years and a half. */
const DAY: Seconds = 24 * 60 * 60;
const MIN_LIFE_DAYS = 90;

/** Where a credential is used from: a phone or password manager, this device, a key at a port, or nothing is known of it. */
const PHONE = { transports: ["hybrid", "internal"] } as const;
const DEVICE = { transports: ["internal"] } as const;
const KEY = { transports: ["nfc", "usb"] } as const;
const PORT = { transports: ["usb"] } as const;
const SILENT = {} as const;

/** Lengths of ids in bytes, and transports, that authenticators in use have, the common ones more than once. */
const KINDS = [
  ...[16, 16, 20, 20, 32, 32].map((bytes) => ({ bytes, hints: PHONE })),
  ...[16, 20, 32].map((bytes) => ({ bytes, hints: DEVICE })),
  ...[32, 48, 64].map((bytes) => ({ bytes, hints: KEY })),
  ...[32, 64].map((bytes) => ({ bytes, hints: PORT })),
  ...[32, 64].map((bytes) => ({ bytes, hints: SILENT })),
];

/** A stored authenticator as options name it; null when its id cannot be read. */
export function toDescriptor(authenticator: AdapterAuthenticator): CredentialDescriptor | null {
  const id = decodeBase64(authenticator.credentialID);
  if (id === null || id.length === 0) return null;
  const transports = (authenticator.transports ?? "").split(",").filter((one) => one !== "");
  const hints = transports.length === 0 ? {} : { transports: transports.sort() };
  return { id: encodeBase64url(id), type: "public-key", ...hints };
}

/**
 * Hides credentials among made-up ones.
 *
 * @param secret the same for as long as possible: with another one all that is made up changes, and only that.
 * @param seed who was asked for, as it was typed; the same address gets the same list.
 * @param now made-up credentials are replaced one by one, after months: passkeys that are added and removed are no exception.
 */
export async function hideAmongDecoys(
  real: readonly CredentialDescriptor[],
  secret: string,
  seed: string,
  now: EpochSeconds,
): Promise<readonly CredentialDescriptor[]> {
  const kinds = await hmac(secret, `webauthn decoys ${seed}`);
  const decoys = await Promise.all(
    Array.from({ length: LISTED }, (_, index) => decoy(secret, seed, index, kinds, now)),
  );
  const kept = sortById(real).slice(0, LISTED);
  return sortById([...kept, ...decoys.slice(kept.length)]);
}

async function decoy(
  secret: string,
  seed: string,
  index: number,
  drawn: Uint8Array,
  now: EpochSeconds,
): Promise<CredentialDescriptor> {
  const [shape = 0, span = 0, high = 0, low = 0] = [0, 8, 16, 24].map((start) => drawn[start + index]);
  const life = (MIN_LIFE_DAYS + span * 3) * DAY;
  const generation = Math.floor((now + ((high * 256 + low) / 65_536) * life) / life);
  const bytes = await hmac(secret, `webauthn decoy ${index} ${generation} ${seed}`);
  const kind = KINDS[shape % KINDS.length];
  return { id: encodeBase64url(bytes.subarray(0, kind?.bytes)), type: "public-key", ...kind?.hints };
}

function sortById(list: readonly CredentialDescriptor[]): CredentialDescriptor[] {
  return [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
}
