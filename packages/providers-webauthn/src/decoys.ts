import {
  type AdapterAuthenticator,
  type EpochSeconds,
  encodeBase64url,
  type Seconds,
  type SignInTools,
} from "@cardea/extend";
import { decodeBase64 } from "./base64.ts";
import type { PasskeyProvider } from "./passkey-provider.ts";

/**
 * Pads the credential list of an address with decoys, so that neither its length nor its order reveals whether the address is
 * registered (WebAuthn L3 §14.6.2).
 */

/** A credential, as in passkey options (WebAuthn L3 §5.8.3). */
export interface CredentialDescriptor {
  readonly id: string;
  readonly type: "public-key";
  readonly transports?: readonly string[];
}

/** 64 bytes that look random, and cannot be computed without the secret. */
type Mac = (text: string) => Promise<Uint8Array>;

/** Length of most lists: more passkeys than almost any user has. It doubles for the others, whose passkeys are all listed. */
const LISTED = 8;

/** Of this many unknown addresses, one has a list of twice the length; of as many of these, one has a list of four times. */
const RARE = 128;

/** Lifetime of a decoy: from three months to two and a half years. */
const DAY: Seconds = 24 * 60 * 60;
const MIN_LIFE_DAYS = 90;

/** The location of a credential: a phone or password manager, this device, a security key, or unknown. */
const PHONE = { transports: ["hybrid", "internal"] } as const;
const DEVICE = { transports: ["internal"] } as const;
const KEY = { transports: ["nfc", "usb"] } as const;
const PORT = { transports: ["usb"] } as const;
const SILENT = {} as const;

/** Id lengths in bytes, all even, and transports of authenticators in use; common ones are listed more than once. */
const KINDS = [
  ...[16, 16, 20, 20, 32, 32].map((bytes) => ({ bytes, hints: PHONE })),
  ...[16, 20, 32].map((bytes) => ({ bytes, hints: DEVICE })),
  ...[32, 48, 64].map((bytes) => ({ bytes, hints: KEY })),
  ...[32, 64].map((bytes) => ({ bytes, hints: PORT })),
  ...[32, 64].map((bytes) => ({ bytes, hints: SILENT })),
];

/**
 * The secret that generates decoys: the oldest one, or one that is not rotated. With a new one all decoys change at once, and real ids do not.
 */
export function decoyMac(t: Pick<SignInTools, "mac">, { source }: PasskeyProvider): Mac {
  return (text) => t.mac(text, source.decoySecret);
}

/**
 * Whether a credential id is a decoy. A stranger who presents a listed id as their own, by a registration or as one that was removed, must
 * get the same response for a decoy as for the id of a user.
 */
export async function isDecoy(mac: Mac, id: Uint8Array): Promise<boolean> {
  if (!KINDS.some(({ bytes }) => bytes === id.length)) return false;
  return encodeBase64url(await withMark(mac, id)) === encodeBase64url(id);
}

/** The first half of an id, and a mark that depends on it, which looks as random. */
async function withMark(mac: Mac, id: Uint8Array): Promise<Uint8Array> {
  const head = id.subarray(0, id.length / 2);
  const mark = await mac(`decoy mark ${encodeBase64url(head)}`);
  return new Uint8Array([...head, ...mark.subarray(0, head.length)]);
}

/** A stored authenticator as a descriptor; null if its id cannot be read. */
export function toDescriptor(authenticator: AdapterAuthenticator): CredentialDescriptor | null {
  const id = decodeBase64(authenticator.credentialID);
  if (id === null || id.length === 0) return null;
  const transports = (authenticator.transports ?? "").split(",").filter((one) => one !== "");
  const hints = transports.length === 0 ? {} : { transports: transports.sort() };
  return { id: encodeBase64url(id), type: "public-key", ...hints };
}

/**
 * Adds decoys to a list of credentials. All of them are listed: a security key that is not offered cannot be used.
 *
 * @param mac see {@link decoyMac}.
 * @param seed the requested user, as submitted; the same address gets the same list.
 * @param now decoys are replaced one by one after months, as real passkeys are added and removed.
 */
export async function hideAmongDecoys(
  real: readonly CredentialDescriptor[],
  mac: Mac,
  seed: string,
  now: EpochSeconds,
): Promise<readonly CredentialDescriptor[]> {
  const length = lengthFor(real.length, await mac(`decoys length ${seed}`));
  const blocks = Array.from({ length: length / LISTED }, (_, n) => (n === 0 ? "decoys" : `decoys ${n}`));
  const drawn = await Promise.all(blocks.map((block) => mac(`${block} ${seed}`)));
  const decoys = await Promise.all(
    drawn.flatMap((kinds, n) =>
      Array.from({ length: LISTED }, (_, place) => decoy(mac, seed, { n, place, kinds }, now)),
    ),
  );
  return sortById([...real, ...decoys.slice(real.length)]);
}

/** At least what the address has, and sometimes more, so that a long list does not mean a user with many passkeys. */
function lengthFor(count: number, [first = 0, second = 0]: Uint8Array): number {
  const drawn = first % RARE !== 0 ? 1 : second % RARE !== 0 ? 2 : 4;
  const needed = 2 ** Math.ceil(Math.log2(Math.max(1, count / LISTED)));
  return LISTED * Math.max(drawn, needed);
}

/** A place in the list: of eight places each, one value determines the kinds and lifetimes. */
interface Place {
  readonly n: number;
  readonly place: number;
  readonly kinds: Uint8Array;
}

async function decoy(
  mac: Mac,
  seed: string,
  { n, place, kinds }: Place,
  now: EpochSeconds,
): Promise<CredentialDescriptor> {
  const [shape = 0, span = 0, high = 0, low = 0] = [0, 8, 16, 24].map((start) => kinds[start + place]);
  const life = (MIN_LIFE_DAYS + span * 3) * DAY;
  const generation = Math.floor((now + ((high * 256 + low) / 65_536) * life) / life);
  const bytes = await mac(`decoy ${LISTED * n + place} ${generation} ${seed}`);
  const kind = KINDS[shape % KINDS.length];
  const id = await withMark(mac, bytes.subarray(0, kind?.bytes));
  return { id: encodeBase64url(id), type: "public-key", ...kind?.hints };
}

function sortById(list: readonly CredentialDescriptor[]): CredentialDescriptor[] {
  return [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
}
