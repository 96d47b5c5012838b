import { sha256 } from "../crypto/primitives.ts";
import { type CookieBinding, decryptCookie, encryptCookie } from "../crypto/sealed-claims.ts";
import type { SignInContext } from "../model/callbacks.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import { parseContext, writeContext } from "../protocol/sign-in-context.ts";

/**
 * The application's own data in an e-mail link: encrypted, because a link can be opened in any browser, and bound to
 * the link's token, so that it cannot be moved to another link.
 */

/** The link parameter; absent without own data. */
export async function encryptForLink(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  token: string,
  own: SignInContext | undefined,
): Promise<{ readonly context?: string }> {
  if (own === undefined) return {};
  const value = { own: writeContext(own), of: await sha256(token) };
  return { context: await encryptCookie(value, bindingOf(context, provider), provider.maxAge) };
}

/** Decrypts data from {@link encryptForLink} for this token; undefined for anything else. */
export async function decryptFromLink(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  { token, context: sealed }: { readonly token: string; readonly context?: string | undefined },
): Promise<SignInContext | undefined> {
  if (sealed === undefined) return undefined;
  const opened = await decryptCookie(sealed, bindingOf(context, provider));
  return opened !== null && opened.of === (await sha256(token)) ? parseContext(opened.own) : undefined;
}

function bindingOf({ config }: FlowContext, { id }: ResolvedEmailProvider): CookieBinding {
  return { secrets: config.secrets, purpose: "email-token", salt: "email-link-context", provider: id };
}
