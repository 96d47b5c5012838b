import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { randomToken } from "../crypto/primitives.ts";
import { warnOnce } from "../log/warn-once.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { AuthError, EmailSignInError } from "../model/errors.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import { parseEmailAddress, spellingOf } from "../protocol/email-address.ts";
import { isToken, looksWeak } from "../protocol/email-token.ts";

/** Results of an e-mail provider's hooks are validated like the values they replace, including their type. */

/**
 * Reads the submitted address.
 *
 * 1. It is a single address, normalised. Text without an `@` is passed on if `normalizeIdentifier` may complete it.
 * 2. `normalizeIdentifier` receives the normalised address; its result must also be a single address.
 *
 * @returns the address, and how it was spelled before it was converted to lower case.
 * @throws EmailSignInError (`address`), or the AuthError that `normalizeIdentifier` throws.
 */
export function readAddress(
  provider: ResolvedEmailProvider,
  typed: unknown,
): { readonly identifier: string; readonly spelling: string } {
  const { normalizeIdentifier } = provider;
  if (typeof typed !== "string") throw notOneAddress();
  const address = parseEmailAddress(typed, provider);
  const accept = (text: string, identifier: string | null) =>
    identifier === null ? raise(notOneAddress()) : { identifier, spelling: spellingOf(text) };
  if (normalizeIdentifier === undefined) return accept(typed, address);
  const word = /^[^@\p{C}]{1,254}$/u.test(spellingOf(typed)) ? spellingOf(typed) : null;
  const result = callNormalize(normalizeIdentifier, address ?? word ?? raise(notOneAddress()));
  if (typeof result === "string") return accept(result, parseEmailAddress(result, provider));
  // The rejection of an asynchronous hook must not end the process.
  Promise.resolve(result).catch(() => undefined);
  throw new EmailSignInError("`normalizeIdentifier` must return a string synchronously.", "address", {
    provider: provider.id,
  });
}

function callNormalize(normalizeIdentifier: (identifier: string) => unknown, identifier: string): unknown {
  try {
    return normalizeIdentifier(identifier);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new EmailSignInError("`normalizeIdentifier` rejected the address.", "address", { err: toError(error) });
  }
}

/**
 * Creates the token of a link. If the provider's token appears weak, it is used and a warning is logged once.
 *
 * @throws EmailSignInError (`sending`) if the provider's function fails or returns an invalid token.
 */
export async function createLinkToken(context: FlowContext, provider: ResolvedEmailProvider): Promise<string> {
  const { generateVerificationToken, id } = provider;
  if (generateVerificationToken === undefined) return randomToken();
  const token = await callGenerate(generateVerificationToken, id);
  if (!isToken(token)) {
    const rule = "must return a string of 1 to 512 characters without control characters";
    throw new EmailSignInError(`\`generateVerificationToken\` ${rule}.`, "sending", { provider: id });
  }
  if (looksWeak(token)) {
    const said = `generateVerificationToken of provider "${id}" returns tokens that appear weaker than 128 bits`;
    warnOnce(context, `weak-email-token: ${said}. After ten wrong attempts for an address, its links become invalid.`);
  }
  return token;
}

async function callGenerate(generate: () => unknown, provider: string): Promise<unknown> {
  try {
    return await withTimeout(APPLICATION_TIMEOUT_MS, generate());
  } catch (error) {
    const cause = { err: toError(error), provider };
    throw new EmailSignInError("`generateVerificationToken` failed.", "sending", cause);
  }
}

function notOneAddress(): EmailSignInError {
  return new EmailSignInError("Not a single, valid e-mail address.", "address");
}

function raise(error: AuthError): never {
  throw error;
}
