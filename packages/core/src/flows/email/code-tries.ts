import { guardStore } from "../../application/guard-store.ts";
import { encodeBase64url } from "../../crypto/base64url.ts";
import { hmac } from "../../crypto/hmac.ts";
import { randomToken } from "../../crypto/primitives.ts";
import type { FlowContext } from "../../model/context.ts";
import { InvalidConfiguration } from "../../model/errors.ts";
import type { Store } from "../../model/store.ts";
import type { Seconds } from "../../model/units.ts";

/**
 * Attempts at codes, counted in the store, so that all processes share the count (docs/email.md#codes). An attempt is
 * counted before the code is compared, so that concurrent requests cannot exceed the limit.
 */

/** Wrong attempts after which a code is invalid. */
export const MAX_TRIES_OF_CODE = 5;

/** Wrong attempts for one address, over all sign-ins, after which codes are disabled for it. */
const MAX_TRIES_OF_ADDRESS = 20;

const DAY: Seconds = 24 * 60 * 60;

/** Longer than any code is valid. */
const CODE_TRIES_KEPT: Seconds = 60 * 60;

/** An allowed attempt. */
export interface AllowedTry {
  /** The number of this attempt at the code, starting at 1. */
  readonly number: number;
  /** Refunds the attempt after a correct code. */
  readonly succeeded: () => Promise<void>;
}

/**
 * Counts an attempt at a code.
 *
 * 1. At most five attempts per code.
 * 2. At most twenty attempts per address in any 24 hours. Each takes one of twenty slots, which is free again a day
 *    later; a daily counter would allow forty around midnight.
 *
 * @returns null if no attempt is left.
 * @throws errors of the store; the attempt is then not made.
 */
export async function takeTry(
  context: FlowContext,
  { flow, address }: { readonly flow: string; readonly address: string },
): Promise<AllowedTry | null> {
  const store = storeOf(context);
  const { value } = await store.add(await keyOf(context, "code", flow), 1, { ttl: CODE_TRIES_KEPT });
  if (value > MAX_TRIES_OF_CODE) return null;
  const [current, ...former] = await placesOf(context, address);
  // After a rotation of the secret, slots under the previous one still count.
  const taken = (await Promise.all(former.flat().map((key) => store.get(key)))).filter((mark) => mark !== null);
  const mark = randomToken(16);
  for (const key of (current ?? []).slice(taken.length)) {
    if (!(await store.set(key, mark, { ttl: DAY, ifAbsent: true }))) continue;
    const succeeded = async () => void (await store.swap(key, mark, null, { ttl: DAY }));
    return { number: value, succeeded };
  }
  return null;
}

/** Whether codes are disabled for an address. */
export async function areCodesOff(context: FlowContext, address: string): Promise<boolean> {
  const store = storeOf(context);
  const [current, ...former] = await placesOf(context, address);
  // Slots are taken in order, so the last slot is taken last.
  const last = current?.at(-1) ?? "";
  if (former.length === 0 && (await store.get(last)) === null) return false;
  const marks = await Promise.all([...(current ?? []), ...former.flat()].map((key) => store.get(key)));
  return marks.filter((mark) => mark !== null).length >= MAX_TRIES_OF_ADDRESS;
}

/** The slots of an address under each secret, the current one first. */
async function placesOf({ config }: FlowContext, address: string): Promise<readonly (readonly string[])[]> {
  return Promise.all(
    config.secrets.map(async (secret) => {
      const about = encodeBase64url(
        (await hmac(secret, JSON.stringify(["e-mail code tries", address]))).subarray(0, 32),
      );
      return Array.from({ length: MAX_TRIES_OF_ADDRESS }, (_, place) => `cardea:email-code:${about}:${place}`);
    }),
  );
}

async function keyOf({ config }: FlowContext, kind: string, about: string): Promise<string> {
  const mac = await hmac(config.secrets[0] ?? "", JSON.stringify(["e-mail code tries", kind, about]));
  return `cardea:email-code:${encodeBase64url(mac.subarray(0, 32))}`;
}

function storeOf({ config }: FlowContext): Store {
  if (config.store !== undefined) return guardStore(config.store);
  throw new InvalidConfiguration(
    "`store` is missing: it is required to count attempts at e-mail codes (docs/email.md#codes).",
  );
}
