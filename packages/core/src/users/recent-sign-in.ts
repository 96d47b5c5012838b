import { readSignInTime } from "../cookies/sign-in-time.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { Seconds } from "../model/units.ts";
import { isRecent } from "../protocol/is-recent.ts";

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
  const ages = [...providers.values()].flatMap((one) => (one.kind === "webauthn" ? (one.maxSignInAge ?? []) : []));
  return ages.length === 0 ? undefined : Math.min(...ages);
}
