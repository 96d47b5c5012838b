import { sha256 } from "../crypto/primitives.ts";
import { decryptFirstCookie, encryptCookie } from "../crypto/sealed-claims.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { type EpochSeconds, type Seconds, SIGN_IN_TIME_LIFETIME } from "../model/units.ts";
import { valuesOf } from "../protocol/cookie-values.ts";
import { isRecent } from "../protocol/is-recent.ts";
import { bindingOf, forgetCookie, setCookie } from "./own-cookie.ts";

/**
 * When this browser signed a user in, for providers with `maxSignInAge` (ASVS 7.5.1): set at each sign-in, cleared at each sign-out,
 * and never renewed in between, whatever the session does.
 */

const SEALED = { cookie: "signInTime", purpose: "sign-in-time" } as const;

/**
 * Keeps the time of a sign-in, where a provider uses it.
 *
 * @param at null when the time is unknown, or when it was not a sign-in of this user.
 */
export async function rememberSignInTime(
  context: FlowContext,
  userId: string | undefined,
  at: EpochSeconds | null,
): Promise<void> {
  if (!strictestSignInAge(context.config) || userId === undefined || at === null)
    return forgetCookie(context, "signInTime");
  const sealed = { by: await userDigest(userId), at: String(at) };
  const value = await encryptCookie(sealed, bindingOf(context, SEALED), SIGN_IN_TIME_LIFETIME);
  setCookie(context, "signInTime", value, undefined);
}

/** When this user signed in with this browser, within the last day; null if unknown. */
export async function readSignInTime(context: FlowContext, userId: string): Promise<EpochSeconds | null> {
  const values = valuesOf(context.cookies.signInTime.name, context);
  const { by, at = "" } = (await decryptFirstCookie(values, bindingOf(context, SEALED))) ?? {};
  return by === (await userDigest(userId)) && at !== "" ? Number(at) : null;
}

function userDigest(userId: string): Promise<string> {
  return sha256(`signed in ${userId}`);
}

/**
 * Whether the user of a session signed in recently enough to add an account (ASVS 7.5.1). A stolen session must not give
 * permanent access. The smallest `maxSignInAge` of all providers applies to every sign-in method, so that a lenient one does
 * not circumvent a strict one.
 *
 * @returns true also if no provider sets `maxSignInAge`.
 */
export async function isSignInRecent(context: FlowContext, userId: string): Promise<boolean> {
  const maxAge = strictestSignInAge(context.config);
  if (maxAge === undefined) return true;
  const signedInAt = await readSignInTime(context, userId);
  // The second in which the limit is reached still counts.
  return signedInAt !== null && isRecent(signedInAt, maxAge + 1, context.now());
}

function strictestSignInAge({ providers }: ResolvedConfig): Seconds | undefined {
  const ages = [...providers.values()].flatMap((one) => ("maxSignInAge" in one ? (one.maxSignInAge ?? []) : []));
  return ages.length === 0 ? undefined : Math.min(...ages);
}
