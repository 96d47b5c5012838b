import { sha256Hex } from "../crypto/primitives.ts";
import type { VerificationToken } from "../model/adapter.ts";
import type { SignInContext } from "../model/callbacks.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import { hashInput } from "../protocol/email-token.ts";
import { writeContext } from "../protocol/sign-in-context.ts";
import { requireAccounts } from "../session/accounts.ts";

/** Link tokens in the database: only hashes, bound to provider, secret and the application's own data. */

/** The token of a link, and what it is bound to. */
export interface LinkToken {
  readonly token: string;
  /** The application's own data. */
  readonly own: SignInContext | undefined;
}

/**
 * Stores the hash of a token.
 *
 * @throws AdapterError.
 */
export async function storeToken(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  { identifier, token, own, expires }: VerificationToken & LinkToken,
): Promise<void> {
  const hash = await hashForStorage(context, provider, { token, own });
  await requireAccounts(context.config).records.call("createVerificationToken", { identifier, token: hash, expires });
}

/** The hash of a token under the current secret. */
export function hashForStorage(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  link: LinkToken,
): Promise<string> {
  return hashToken(link, provider, secretsOf(context, provider)[0] ?? "");
}

/**
 * Consumes a token; null if there is none. All listed secrets verify, so that rotation does not invalidate links that were
 * already sent.
 */
export async function useToken(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  identifier: string,
  link: LinkToken,
): Promise<VerificationToken | null> {
  for (const secret of secretsOf(context, provider)) {
    const hash = await hashToken(link, provider, secret);
    const record = await requireAccounts(context.config).records.consume({ identifier, token: hash });
    if (record !== null) return record;
  }
  return null;
}

function secretsOf(context: FlowContext, provider: ResolvedEmailProvider): readonly string[] {
  return provider.secret === undefined ? context.config.secrets : [provider.secret];
}

function hashToken({ token, own }: LinkToken, { id }: ResolvedEmailProvider, secret: string): Promise<string> {
  return sha256Hex(hashInput(token, { providerId: id, secret, own: writeContext(own) }));
}
