import { guardOf } from "../context/create-context.ts";
import { forgetCsrfToken } from "../cookies/csrf.ts";
import { forgetCookie } from "../cookies/own-cookie.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { SignOutError } from "../model/errors.ts";
import { addressesOf } from "../session/accounts.ts";
import { strategyOf } from "../session/select-strategy.ts";

/** Options of a sign-out. */
interface SignOutWish {
  /** The destination afterwards; already validated. */
  readonly callbackUrl: string;
  /** Whether to sign out at the provider; undefined: as configured in the extension. */
  readonly federated: boolean | undefined;
}

/**
 * Ends the session, and what waits in this browser to become one. The cookie is always cleared; success is reported only if the record was deleted. The `signOut` event
 * is emitted only if there was a session.
 *
 * Extensions are notified after the session ended locally.
 *
 * @returns The URL to which an extension redirects the browser first; otherwise null.
 * @throws SignOutError if the record could not be deleted, or an extension failed or could not be notified; the cookies are already in
 *   the jar.
 */
export async function finishSignOut(
  context: FlowContext,
  { callbackUrl, federated }: SignOutWish,
): Promise<string | null> {
  const guard = guardOf(context.config);
  const strategy = strategyOf(context.config);
  let lookup: unknown;
  const found =
    guard === undefined
      ? []
      : await strategy.findAll(context).catch((failure: unknown) => {
          lookup = failure;
          return [];
        });
  const { ended, error } = await strategy.revoke(context);
  forgetCsrfToken(context);
  forgetCookie(context, "signInTime");
  forgetCookie(context, "identifier");
  await addressesOf(context)?.cancel(context);
  await guard?.cancelKept(context);
  forgetCookie(context, "callbackUrl");
  if (error !== undefined) {
    throw new SignOutError("The cookie was cleared, but the session could not be deleted from the database.", {
      cause: { err: error },
    });
  }
  if (lookup !== undefined) {
    throw new SignOutError("The cookie was cleared, but no extension could be notified.", {
      cause: { err: toError(lookup), incomplete: true },
    });
  }
  let elsewhere: string | null = null;
  for (const [n, one] of found.entries()) {
    // A browser can go on to one place.
    const end = { cause: "signout", callbackUrl, federated: n === 0 ? federated : false } as const;
    const to = await guard?.ended(context, one, end);
    elsewhere ??= to ?? null;
  }
  if (ended !== null) await context.emit("signOut", ended);
  return elsewhere;
}
