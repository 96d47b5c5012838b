import type { EmailCodeTools } from "@cardea/core/providers";
import { encodeBase64url, type Seconds } from "@cardea/extend";

/**
 * Attempts at codes, counted in the store, so that all processes share the count (docs/email.md#codes). An attempt is
 * counted before the code is compared, so that concurrent requests cannot exceed the limit.
 *
 * Five attempts at a code bound nothing alone, because anyone can start further sign-ins for an address. Twenty a day are 7,300 in a
 * year, at a chance of 10⁻⁸ each: one account in 13,700 would fall in that time, while its owner gets an e-mail for each sign-in. An
 * attacker can disable codes for an address, but not its links, which have 256 bits and are not counted. A limit by IP address alone
 * is no obstacle to an attacker who has many, and a growing delay hinders the owner as much.
 */

/** Wrong attempts after which a code is invalid. */
export const MAX_TRIES_OF_CODE = 5;

/** Wrong attempts for one address, over all sign-ins, after which codes are disabled for it. */
const MAX_TRIES_OF_ADDRESS = 20;

const DAY: Seconds = 24 * 60 * 60;

/** Longer than any code is valid. */
const CODE_TRIES_KEPT: Seconds = 60 * 60;

/** An allowed attempt. */
interface AllowedTry {
  /** The number of this attempt at the code, starting at 1. */
  readonly number: number;
  /** Refunds the attempt after a correct code, which can be entered again if an outage follows. */
  readonly succeeded: () => Promise<void>;
}

/**
 * Counts an attempt at a code.
 *
 * 1. At most five attempts per code.
 * 2. At most twenty attempts per address in any 24 hours. Each takes one of twenty slots, which is free again a day
 *    later; a daily counter would allow forty around midnight.
 *
 * While the secret is being rotated, processes accept different secrets, and the limits hold for all of them together: the
 * count of a code does not depend on the secret, and an attempt takes a slot of its address under each accepted secret.
 *
 * @returns null if no attempt is left.
 * @throws errors of the store; the attempt is then not made.
 */
export async function takeTry(
  t: EmailCodeTools,
  { flow, address }: { readonly flow: string; readonly address: string },
): Promise<AllowedTry | null> {
  const { store } = t;
  const counter = await codeKeyOf(flow, address);
  const { value } = await store.add(counter, 1, { ttl: CODE_TRIES_KEPT });
  if (value > MAX_TRIES_OF_CODE) return null;
  const mark = encodeBase64url(crypto.getRandomValues(new Uint8Array(16)));
  const taken: string[] = [];
  const giveBack = async () => {
    for (const slot of taken) await store.swap(slot, mark, null, { ttl: DAY });
  };
  for (const slots of await slotsOf(t, address)) {
    const slot = await takeSlot(t, slots, mark);
    if (slot !== undefined) taken.push(slot);
    else return giveBack().then(() => null);
  }
  const succeeded = async () => {
    await giveBack();
    await store.add(counter, -1, { ttl: CODE_TRIES_KEPT });
  };
  return { number: value, succeeded };
}

async function takeSlot(
  { store }: EmailCodeTools,
  slots: readonly string[],
  mark: string,
): Promise<string | undefined> {
  for (const slot of slots) if (await store.set(slot, mark, { ttl: DAY, ifAbsent: true })) return slot;
  return undefined;
}

/** Whether codes are disabled for an address. */
export async function areCodesOff(t: EmailCodeTools, address: string): Promise<boolean> {
  for (const slots of await slotsOf(t, address)) if (await areTaken(t, slots)) return true;
  return false;
}

/** Slots are taken in order, so the last one is taken last. */
async function areTaken({ store }: EmailCodeTools, slots: readonly string[]): Promise<boolean> {
  if ((await store.get(slots.at(-1) ?? "")) === null) return false;
  return !(await Promise.all(slots.map((slot) => store.get(slot)))).includes(null);
}

/** The slots of an address under each accepted secret, the current one first. */
async function slotsOf(t: EmailCodeTools, address: string): Promise<readonly (readonly string[])[]> {
  const about = await t.macs("tries", address);
  return about.map((mac) =>
    Array.from({ length: MAX_TRIES_OF_ADDRESS }, (_, place) => `cardea:email-code:${mac}:${place}`),
  );
}

/** The id of a sign-in cannot be guessed, so the hash needs no secret. */
async function codeKeyOf(flow: string, address: string): Promise<string> {
  const about = new TextEncoder().encode(JSON.stringify(["e-mail code tries", flow, address]));
  return `cardea:email-code:${encodeBase64url(new Uint8Array(await crypto.subtle.digest("SHA-256", about)))}`;
}
