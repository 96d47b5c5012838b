import { guardStore } from "../../application/guard-store.ts";
import { encodeBase64url } from "../../crypto/base64url.ts";
import { hmac } from "../../crypto/hmac.ts";
import { randomToken } from "../../crypto/primitives.ts";
import type { FlowContext } from "../../model/context.ts";
import { InvalidConfiguration } from "../../model/errors.ts";
import type { Store } from "../../model/store.ts";
import type { Seconds } from "../../model/units.ts";

/**
 * Tries at codes, counted in the store, so that all processes share the counts (docs/email.md#codes). A try is counted before anything
 * is compared: of any number of requests at the same time no more are compared than there are tries.
 */

/** Wrong tries after which a code is void. */
export const MAX_TRIES_OF_CODE = 5;

/** Wrong tries for one address, over all sign-ins, after which codes are switched off for it. */
const MAX_TRIES_OF_ADDRESS = 20;

const DAY: Seconds = 24 * 60 * 60;

/** Longer than any code is valid. */
const CODE_TRIES_KEPT: Seconds = 60 * 60;

/** A try that may be made. */
export interface AllowedTry {
  /** The number of this try at the code, from 1. */
  readonly number: number;
  /** Gives the try back: the code was the right one. */
  readonly succeeded: () => Promise<void>;
}

/**
 * Takes a try at a code.
 *
 * 1. Of this code at most five are made.
 * 2. Of the address at most twenty are made in any 24 hours. Each takes one of twenty places, which is free again a day later: a
 *    counter that began again each day would allow forty around midnight.
 *
 * @returns null when none is left.
 * @throws what the store throws: no try is made then.
 */
export async function takeTry(
  context: FlowContext,
  { flow, address }: { readonly flow: string; readonly address: string },
): Promise<AllowedTry | null> {
  const store = storeOf(context);
  const { value } = await store.add(await keyOf(context, "code", flow), 1, { ttl: CODE_TRIES_KEPT });
  if (value > MAX_TRIES_OF_CODE) return null;
  const [current, ...former] = await placesOf(context, address);
  // After the secret was rotated, places under the former one still count.
  const taken = (await Promise.all(former.flat().map((key) => store.get(key)))).filter((mark) => mark !== null);
  const mark = randomToken(16);
  for (const key of (current ?? []).slice(taken.length)) {
    if (!(await store.set(key, mark, { ttl: DAY, ifAbsent: true }))) continue;
    const succeeded = async () => void (await store.swap(key, mark, null, { ttl: DAY }));
    return { number: value, succeeded };
  }
  return null;
}

/** Whether codes are switched off for an address. */
export async function areCodesOff(context: FlowContext, address: string): Promise<boolean> {
  const store = storeOf(context);
  const [current, ...former] = await placesOf(context, address);
  // The first free place is taken, so that the last one is taken last.
  const last = current?.at(-1) ?? "";
  if (former.length === 0 && (await store.get(last)) === null) return false;
  const marks = await Promise.all([...(current ?? []), ...former.flat()].map((key) => store.get(key)));
  return marks.filter((mark) => mark !== null).length >= MAX_TRIES_OF_ADDRESS;
}

/** The places of an address under each secret, the current one first. */
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
  throw new InvalidConfiguration("`store` is missing: codes in e-mails are counted in it (docs/email.md#codes).");
}
