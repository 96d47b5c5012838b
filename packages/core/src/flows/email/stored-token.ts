import { callAdapter } from "../../application/call-adapter.ts";
import { sha256Hex } from "../../crypto/primitives.ts";
import type { VerificationToken } from "../../model/adapter.ts";
import type { FlowContext } from "../../model/context.ts";
import type { ResolvedEmailProvider } from "../../model/resolved-config.ts";
import { hashInput } from "../../protocol/email-token.ts";

/** Tokens of links in the database: only their hashes, bound to provider and secret. */

/**
 * Stores the hash of a token.
 *
 * @throws AdapterError.
 */
export async function storeToken(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  { identifier, token, expires }: VerificationToken,
): Promise<void> {
  const hash = await hashForStorage(context, provider, token);
  await callAdapter(context.config, "createVerificationToken", { identifier, token: hash, expires });
}

/** The hash of a token under the current secret. */
export function hashForStorage(context: FlowContext, provider: ResolvedEmailProvider, token: string): Promise<string> {
  return hashToken(token, provider, secretsOf(context, provider)[0] ?? "");
}

/**
 * Consumes a token; null if there is none. All listed secrets verify, so that rotation does not invalidate links that were
 * already sent.
 */
export async function useToken(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  identifier: string,
  token: string,
): Promise<VerificationToken | null> {
  for (const secret of secretsOf(context, provider)) {
    const hash = await hashToken(token, provider, secret);
    const record = await callAdapter(context.config, "useVerificationToken", { identifier, token: hash });
    // An adapter that compared only the identifier would accept any token (CVE-2022-39263).
    if (record && record.identifier === identifier && (record.token ?? hash) === hash)
      return { identifier, token: hash, expires: record.expires };
  }
  return null;
}

function secretsOf(context: FlowContext, provider: ResolvedEmailProvider): readonly string[] {
  return provider.secret === undefined ? context.config.secrets : [provider.secret];
}

function hashToken(token: string, { id }: ResolvedEmailProvider, secret: string): Promise<string> {
  return sha256Hex(hashInput(token, { providerId: id, secret }));
}
