import { type CookieBinding, sealCookie } from "../crypto/sealed-cookie.ts";
import type { FlowContext } from "../model/context.ts";
import type { Seconds } from "../model/units.ts";
import { openDestination, storedDestination } from "../protocol/stored-destination.ts";

/** Below the 4096 bytes of a cookie that browsers store (RFC 6265bis §5.6), with room for its name and its attributes. */
const MAX_VALUE_LENGTH = 3840;

/**
 * Encrypts a cookie that contains the destination of a sign-in. Browsers silently ignore a cookie that is too large, and the sign-in could
 * never be completed: if the destination does not fit beside the other values, it is replaced by the base URL. The
 * destination is stored by `storedDestination`; see {@link withDestination}.
 *
 * @param to the name of the destination among the values.
 */
export async function sealDestination(
  { origin }: FlowContext,
  values: Readonly<Record<string, string>>,
  to: string,
  binding: CookieBinding,
  lifetime: Seconds,
): Promise<string> {
  const url = values[to];
  const stored = url === undefined ? values : { ...values, [to]: storedDestination(url, origin) };
  const sealed = await sealCookie(stored, binding, lifetime);
  return sealed.length <= MAX_VALUE_LENGTH ? sealed : sealCookie({ ...values, [to]: "" }, binding, lifetime);
}

/** The values of such a cookie, with the destination at the origin of this request. */
export function withDestination(
  { origin }: FlowContext,
  sealed: Readonly<Record<string, string>>,
  to: string,
): Readonly<Record<string, string>> {
  const stored = sealed[to];
  return stored === undefined ? sealed : { ...sealed, [to]: openDestination(stored, origin) };
}
