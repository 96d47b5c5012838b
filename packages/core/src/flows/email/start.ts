import { randomToken, randomUuid, sha256Hex } from "../crypto/primitives.ts";
import type { Adapter, AdapterUser, VerificationToken } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AuthError, EmailSignInError, MissingAdapter, Verification } from "../model/errors.ts";
import type { ResolvedEmailProvider } from "../model/resolved-config.ts";
import { toError } from "../model/to-error.ts";
import type { EpochMilliseconds } from "../model/units.ts";
import { parseEmailAddress } from "../protocol/email-address.ts";
import { buildEmailLink, hashInput, isLinkValid } from "../protocol/email-token.ts";
import { callAdapter } from "../session/call-adapter.ts";
import { APPLICATION_TIMEOUT_MS, within } from "../session/within.ts";
import { isAttemptAllowed } from "./allow-attempt.ts";
import { rememberEmailSignIn } from "./email-cookie.ts";
import { claimMail } from "./email-limit.ts";
import type { Identity } from "./identity.ts";
import { permitSignIn } from "./permit.ts";

/** How long a mail server may take to accept a mail. */
const SEND_TIMEOUT_MS = 10_000;

/** What a person asks for. */
export interface EmailStart {
  /** As typed. */
  readonly email: unknown;
  /** Where to go after sign-in; checked already. */
  readonly callbackUrl: string;
  /** For `sendVerificationRequest`. */
  readonly request: Request;
}

/**
 * Sends a link to an address (contract 8). The answer is the same for known and unknown addresses, and beyond the limit.
 *
 * 1. The address is one address, in its one form.
 * 2. `callbacks.signIn` decides, with `email.verificationRequest` set.
 * 3. Where `callbacks.allowAttempt` agrees, and within the limit: the token's hash is stored first, then the mail is sent; if that fails the token is taken back.
 *
 * @returns null, or where `callbacks.signIn` sends the person instead.
 * @throws EmailSignInError (1, 3), AccessDenied (2), AdapterError.
 */
export async function startEmail(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  start: EmailStart,
): Promise<string | null> {
  const adapter = requireAdapter(context);
  const identifier = normalize(provider, start.email);
  const existing = (await callAdapter(context.config, "getUserByEmail", identifier)) ?? null;
  const identity = identityOf(provider, identifier, existing);
  const elsewhere = await permitSignIn(context, identity, existing, { verificationRequest: true });
  if (elsewhere !== null) return elsewhere;
  const token = await within(APPLICATION_TIMEOUT_MS, provider.generateVerificationToken?.() ?? randomToken());
  context.conceal(token);
  await rememberEmailSignIn(context, provider, token);
  const attempt = { provider: provider.id, type: "email", identifier, request: start.request } as const;
  if (!(await isAttemptAllowed(context, attempt))) {
    context.logger.warn(`email-attempt-refused: callbacks.allowAttempt let provider "${provider.id}" send no mail.`);
    return null;
  }
  const key = { providerId: provider.id, identifier };
  const sentAt = await claimMail(adapter, key, provider.rateLimit, Date.now());
  if (sentAt === null) {
    context.logger.warn(`email-rate-limit: provider "${provider.id}" sends no further mail to this address for now.`);
    return null;
  }
  await storeAndSend(context, provider, { identifier, token, sentAt }, start);
  return null;
}

/** Where a person is told to look for the mail: the built-in page, or the application's own. */
export function verifyRequestUrl(context: FlowContext, provider: ResolvedEmailProvider): string {
  const page = context.config.pages.verifyRequest ?? `${context.baseUrl}/verify-request`;
  const url = new URL(page, context.origin);
  url.searchParams.set("provider", provider.id);
  url.searchParams.set("type", "email");
  return url.href;
}

/** A link that was taken: it works for nobody any more, unless {@link restoreLink} gives it back. */
export interface TakenLink {
  readonly identity: Identity;
  readonly record: VerificationToken;
}

/**
 * Takes the token of a link: deleted in the database, so that of several that race one wins (safety H172). When that cannot
 * be finished for a reason that is not the person's, the link is given back (safety R38).
 *
 * @throws Verification when it is unknown, used, expired or void; AdapterError.
 */
export async function takeLink(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  link: { readonly token: string; readonly email: string },
): Promise<TakenLink> {
  context.conceal(link.token);
  const identifier = normalize(provider, link.email, () => new Verification("The link names no address."));
  const record = await useToken(context, provider, identifier, link.token);
  if (record === null) throw new Verification("The link is unknown or was used before.");
  try {
    return { identity: await identify(context, provider, record), record };
  } catch (error) {
    if (!(error instanceof Verification)) await restoreLink(context, record);
    throw error;
  }
}

async function identify(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  { identifier, expires }: VerificationToken,
): Promise<Identity> {
  const user = (await callAdapter(context.config, "getUserByEmail", identifier)) ?? null;
  const expiry = new Date(expires).getTime();
  const sentAt = expiry - provider.maxAge * 1000;
  const lastProven = user?.emailVerified instanceof Date ? user.emailVerified.getTime() : null;
  if (!isLinkValid({ now: Date.now(), expires: expiry, sentAt, lastProven })) {
    throw new Verification("The link has expired, or a later one was used.");
  }
  return { ...identityOf(provider, identifier, user), provenAt: new Date(sentAt) };
}

/** Gives a link back after a failure that was not the person's, so that they can open it again (safety R38). */
export async function restoreLink(context: FlowContext, record: VerificationToken): Promise<void> {
  try {
    await callAdapter(context.config, "createVerificationToken", record);
  } catch (error) {
    context.logger.error(toError(error));
  }
}

function requireAdapter(context: FlowContext): Adapter {
  const { adapter } = context.config;
  if (adapter === undefined) throw new MissingAdapter("Sign-in by e-mail needs a database adapter.");
  return adapter;
}

function normalize(
  provider: ResolvedEmailProvider,
  email: unknown,
  refuse: () => AuthError = () => new EmailSignInError("The address is not one e-mail address.", "address"),
): string {
  if (typeof email !== "string") throw refuse();
  if (provider.normalizeIdentifier === undefined) return parseEmailAddress(email) ?? raise(refuse());
  try {
    return provider.normalizeIdentifier(email);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw refuse();
  }
}

function raise(error: AuthError): never {
  throw error;
}

function identityOf(provider: ResolvedEmailProvider, email: string, existing: AdapterUser | null): Identity {
  const user = existing ?? { id: randomUuid(), email, emailVerified: null };
  return { user, account: { provider: provider.id, type: "email", providerAccountId: email, userId: user.id } };
}

/** One mail to one address. */
interface Mail {
  readonly identifier: string;
  readonly token: string;
  readonly sentAt: EpochMilliseconds;
}

async function storeAndSend(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  { identifier, token, sentAt }: Mail,
  start: EmailStart,
): Promise<void> {
  const expires = new Date(sentAt + provider.maxAge * 1000);
  const hash = await hashToken(token, secretsOf(context, provider)[0] ?? "");
  await callAdapter(context.config, "createVerificationToken", { identifier, token: hash, expires });
  const { callbackUrl, request } = start;
  const url = buildEmailLink(`${context.baseUrl}/callback/${provider.id}`, { callbackUrl, token, email: identifier });
  const { theme } = context.config;
  try {
    const mail = { identifier, url, expires, provider: provider.source, token, theme, request };
    await within(SEND_TIMEOUT_MS, provider.sendVerificationRequest(mail));
  } catch (error) {
    await useToken(context, provider, identifier, token).catch((failure) => context.logger.error(toError(failure)));
    throw new EmailSignInError("The e-mail could not be sent.", "sending", {
      err: toError(error),
      provider: provider.id,
    });
  }
}

/** Every listed secret verifies, so that a rotated one breaks no link that is on its way (safety H336). */
async function useToken(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  identifier: string,
  token: string,
): Promise<VerificationToken | null> {
  for (const secret of secretsOf(context, provider)) {
    const hash = await hashToken(token, secret);
    const record = await callAdapter(context.config, "useVerificationToken", { identifier, token: hash });
    // An adapter that looked at the identifier alone would take any token for the right one (CVE-2022-39263).
    if (record && record.identifier === identifier && (record.token ?? hash) === hash)
      return { identifier, token: hash, expires: record.expires };
  }
  return null;
}

function secretsOf(context: FlowContext, provider: ResolvedEmailProvider): readonly string[] {
  return provider.secret === undefined ? context.config.secrets : [provider.secret];
}

function hashToken(token: string, secret: string): Promise<string> {
  return sha256Hex(hashInput(token, secret));
}
