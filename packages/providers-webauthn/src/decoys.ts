import { type AdapterAuthenticator, type EpochSeconds, encodeBase64url, type Seconds } from "@cardea/core/extend";
import { decodeBase64 } from "./base64.ts";

/**
 * Pads the credential list of an address with decoys to a fixed length and order, so that it does not reveal whether the
 * address is registered (WebAuthn L3 §14.6.2).
 */

/** A credential, as in passkey options (WebAuthn L3 §5.8.3). */
export interface CredentialDescriptor {
  readonly id: string;
  readonly type: "public-key";
  readonly transports?: readonly string[];
}

/** 64 bytes that look random, and cannot be computed without the secret. */
type Mac = (text: string) => Promise<Uint8Array>;

/** More passkeys than almost any user has. Users with more sign in with the rest without submitting an address. */
const LISTED = 8;

/** Lifetime of a decoy: from three months to two and a half years. */
const DAY: Seconds = 24 * 60 * 60;
const MIN_LIFE_DAYS = 90;

/** The location of a credential: a phone or password manager, this device, a security key, or unknown. */
const PHONE = { transports: ["hybrid", "internal"] } as const;
const DEVICE = { transports: ["internal"] } as const;
const KEY = { transports: ["nfc", "usb"] } as const;
const PORT = { transports: ["usb"] } as const;
const SILENT = {} as const;

/** Id lengths in bytes and transports of authenticators in use; common ones are listed more than once. */
const KINDS = [
  ...[16, 16, 20, 20, 32, 32].map((bytes) => ({ bytes, hints: PHONE })),
  ...[16, 20, 32].map((bytes) => ({ bytes, hints: DEVICE })),
  ...[32, 48, 64].map((bytes) => ({ bytes, hints: KEY })),
  ...[32, 64].map((bytes) => ({ bytes, hints: PORT })),
  ...[32, 64].map((bytes) => ({ bytes, hints: SILENT })),
];

/** A stored authenticator as a descriptor; null if its id cannot be read. */
export function toDescriptor(authenticator: AdapterAuthenticator): CredentialDescriptor | null {
  const id = decodeBase64(authenticator.credentialID);
  if (id === null || id.length === 0) return null;
  const transports = (authenticator.transports ?? "").split(",").filter((one) => one !== "");
  const hints = transports.length === 0 ? {} : { transports: transports.sort() };
  return { id: encodeBase64url(id), type: "public-key", ...hints };
}

/**
 * Pads a list of credentials with decoys.
 *
 * @param mac keyed by a secret that should rarely change: a new secret changes all decoys at once, which distinguishes them from
 *   real ids.
 * @param seed the requested user, as submitted; the same address gets the same list.
 * @param now decoys are replaced one by one after months, as real passkeys are added and removed.
 */
export async function hideAmongDecoys(
  real: readonly CredentialDescriptor[],
  mac: Mac,
  seed: string,
  now: EpochSeconds,
): Promise<readonly CredentialDescriptor[]> {
  const kinds = await mac(`decoys ${seed}`);
  const decoys = await Promise.all(Array.from({ length: LISTED }, (_, index) => decoy(mac, seed, index, kinds, now)));
  const kept = sortById(real).slice(0, LISTED);
  return sortById([...kept, ...decoys.slice(kept.length)]);
}

async function decoy(
  mac: Mac,
  seed: string,
  index: number,
  drawn: Uint8Array,
  now: EpochSeconds,
): Promise<CredentialDescriptor> {
  const [shape = 0, span = 0, high = 0, low = 0] = [0, 8, 16, 24].map((start) => drawn[start + index]);
  const life = (MIN_LIFE_DAYS + span * 3) * DAY;
  const generation = Math.floor((now + ((high * 256 + low) / 65_536) * life) / life);
  const bytes = await mac(`decoy ${index} ${generation} ${seed}`);
  const kind = KINDS[shape % KINDS.length];
  return { id: encodeBase64url(bytes.subarray(0, kind?.bytes)), type: "public-key", ...kind?.hints };
}

function sortById(list: readonly CredentialDescriptor[]): CredentialDescriptor[] {
  return [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
}
