import { withTimeout } from "../application/with-timeout.ts";
import type { Adapter } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { EmailSignInError, MissingAdapter } from "../model/errors.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import type { SignInStart } from "../model/sign-in-method.ts";
import type { EpochMilliseconds } from "../model/units.ts";
import { buildEmailLink, looksWeak } from "../protocol/email-token.ts";
import { addressesOf, requireAccounts } from "../session/accounts.ts";
import { allowAttempt } from "../sign-in/allow-attempt.ts";
import { askSignInCallback } from "../sign-in/redirect.ts";
import { issueCode, type RequestedSignIn } from "./codes.ts";
import { createLinkToken, readAddress } from "./hooks.ts";
import { encryptForLink } from "./link-context.ts";
import { releaseEmailSlot, reserveEmailSlot } from "./rate-limit.ts";
import { hasCodes, rememberEmailSignIn, verifyRequestUrl } from "./requesting-browser.ts";
import { storeToken, useToken } from "./stored-token.ts";
import { allowTries } from "./tries.ts";

/** How long a mail server may take to accept an e-mail. */
const SEND_TIMEOUT_MS = 10_000;

/**
 * Sends a link to an address (docs/email.md#sign-in-flow). The response is the same for registered and unregistered
 * addresses, and beyond the limit.
 *
 * 1. The address is a single address, normalised.
 * 2. `callbacks.signIn` decides, with `email.verificationRequest` set.
 * 3. If `callbacks.allowAttempt` allows it, and within the limit: the token's hash is stored, then the e-mail is sent; if
 *    that fails, the token is deleted.
 *
 * @returns the page that tells the visitor to look for the e-mail, or where `callbacks.signIn` redirects them.
 * @throws EmailSignInError (1, 3), AccessDenied (2), AdapterError.
 */
export async function startEmail(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  { callbackUrl, fields, context: own, request: requestOf }: SignInStart,
): Promise<string> {
  const adapter = requireAdapter(context);
  const typed = readAddress(provider, fields.get("email"));
  const { identifier, spelling } = typed;
  const { existing, claimed } = await requireAccounts(context.config).find.claim(provider, identifier, spelling);
  const identity = { ...claimed, context: own };
  const elsewhere = await askSignInCallback(context, identity, existing, { verificationRequest: true });
  if (elsewhere !== null) return elsewhere;
  const token = await createLinkToken(context, provider);
  context.redact(token);
  const asked = { ...typed, token, callbackUrl, own };
  // For every request, so that the response does not reveal whether an e-mail was sent.
  const issued = hasCodes(provider) ? await issueCode(context, provider, asked) : null;
  await rememberEmailSignIn(context, provider, token, {
    code: issued?.entry,
    startedFor: await addressesOf(context)?.startedFor(context, fields),
  });
  const sentTo = verifyRequestUrl(context, provider, issued === null ? {} : { flow: issued.flow });
  const request = requestOf();
  const attempt = { provider: provider.id, type: "email", identifier, request } as const;
  if (!(await allowAttempt(context, attempt, "email")).allow) {
    context.logger.warn(`email-attempt-refused: too many attempts; provider "${provider.id}" sent no e-mail.`);
    return sentTo;
  }
  const { application, secrets } = context.config;
  // The default limit is one for all providers.
  const providerId = provider.source.rateLimit === undefined ? "" : provider.id;
  const slot = { providerId, identifier, application, adapter, secret: secrets.at(-1) };
  const sentAt = await reserveEmailSlot(slot, provider.rateLimit, Date.now()).catch((error) =>
    failedLimit(provider, error),
  );
  if (sentAt === null) {
    context.logger.warn(`email-rate-limit: provider "${provider.id}" has reached its e-mail limit for this address.`);
    return sentTo;
  }
  const mail: Mail = { ...asked, sentAt, request, code: issued?.code, isSending: false };
  await storeAndSend(context, provider, mail).catch((error: unknown) => {
    if (!mail.isSending) releaseEmailSlot(slot, sentAt);
    throw error;
  });
  return sentTo;
}

function failedLimit({ id }: ResolvedEmailProvider, error: unknown): never {
  throw new EmailSignInError("`rateLimit` failed.", "sending", { err: toError(error), provider: id });
}

function requireAdapter(context: FlowContext): Adapter {
  const { adapter } = context.config;
  if (adapter === undefined) throw new MissingAdapter("E-mail sign-in requires a database adapter.");
  return adapter;
}

/** An e-mail to one address. */
interface Mail extends RequestedSignIn {
  readonly sentAt: EpochMilliseconds;
  /** For `sendVerificationRequest`. */
  readonly request: Request;
  /** The code that accompanies the link; undefined if there is none. */
  readonly code: string | undefined;
  /** Whether it was sent, or may still be: a mail server that does not answer in time may send it later. */
  isSending: boolean;
}

async function storeAndSend(context: FlowContext, provider: ResolvedEmailProvider, mail: Mail): Promise<void> {
  const { identifier, spelling, token, sentAt, callbackUrl, own, request, code } = mail;
  const expires = new Date(sentAt + provider.maxAge * 1000);
  await storeToken(context, provider, { identifier, token, own, expires });
  if (looksWeak(token)) await allowTries(context, provider, identifier, sentAt);
  const params = { callbackUrl, token, email: spelling, ...(await encryptForLink(context, provider, token, own)) };
  const url = buildEmailLink(`${context.baseUrl}/callback/${provider.id}`, params);
  const { theme } = context.config;
  try {
    const content = { identifier, url, expires, provider: provider.source, token, theme, request };
    mail.isSending = true;
    const sending = (async () =>
      provider.sendVerificationRequest({ ...content, ...(code === undefined ? {} : { code }) }))();
    await withTimeout(
      SEND_TIMEOUT_MS,
      sending.catch((error: unknown) => {
        mail.isSending = false;
        throw error;
      }),
    );
  } catch (error) {
    await useToken(context, provider, identifier, { token, own }).catch((failure) =>
      context.logger.error(toError(failure)),
    );
    throw new EmailSignInError("The e-mail could not be sent.", "sending", {
      err: toError(error),
      provider: provider.id,
    });
  }
}
