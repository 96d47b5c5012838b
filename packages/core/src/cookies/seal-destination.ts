import { type CookieBinding, sealCookie } from "../crypto/sealed-cookie.ts";
import type { FlowContext } from "../model/context.ts";
import type { Seconds } from "../model/units.ts";

/** Below the 4096 bytes of a cookie that browsers store (RFC 6265bis §5.6), with room for its name and its attributes. */
const MAX_VALUE_LENGTH = 3840;

/**
 * Encrypts a cookie that contains the destination of a sign-in. Browsers silently ignore a cookie that is too large, and the sign-in could
 * never be completed: if the destination does not fit beside the other values, it is replaced by the base URL.
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
  const sealed = await sealCookie(values, binding, lifetime);
  return sealed.length <= MAX_VALUE_LENGTH ? sealed : sealCookie({ ...values, [to]: origin }, binding, lifetime);
}
