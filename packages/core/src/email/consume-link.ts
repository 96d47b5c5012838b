import type { VerificationToken } from "../model/adapter.ts";
import type { Undo } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { Verification } from "../model/errors.ts";
import type { EmailIdentity } from "../model/identity.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import type { Proven } from "../model/sign-in-method.ts";
import type { EpochMilliseconds } from "../model/units.ts";
import { parseEmailAddress } from "../protocol/email-address.ts";
import { isLinkValid, looksWeak } from "../protocol/email-token.ts";
import { isFuture } from "../protocol/is-recent.ts";
import { requireAccounts } from "../session/accounts.ts";
import { prove, requireAttempt } from "../sign-in/allow-attempt.ts";
import { type LinkToken, useToken } from "./stored-token.ts";
import { type ConsumedTry, consumeTry, MAX_WRONG_TRIES, returnTry } from "./tries.ts";

/** The parameters of a link, and the request that contains them. */
interface OpenedLink extends LinkToken {
  readonly email: string;
  readonly request: Request;
}

/**
 * Consumes the token of a link by deleting it from the database, so that one of several concurrent requests succeeds.
 * If the sign-in then fails for a reason beyond the visitor's control, the link is restored.
 *
 * 1. `callbacks.allowAttempt` allows it, before any lookup.
 * 2. The token belongs to this provider and address; if tokens appear weak, an attempt is left.
 * 3. It has not expired, and is not older than the link that last verified the address.
 *
 * @throws AccessDenied (1), Verification (2, 3), CallbackRouteError, AdapterError.
 */
export async function consumeLink(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  { token, own, email, request }: OpenedLink,
  undo: Undo[],
): Promise<Pick<Proven<EmailIdentity>, "identity" | "attempt">> {
  context.redact(token);
  const identifier = parseEmailAddress(email, provider);
  if (identifier === null) throw new Verification("The link contains no e-mail address.");
  const asked = { provider: provider.id, type: "email", identifier, request } as const;
  const attempt = await requireAttempt(context, asked, "email-link");
  const record = await prove(context, attempt, () => requireRecord(context, provider, identifier, { token, own }));
  undo.push(restoringOf(context, record));
  return { identity: await identify(context, provider, record, email), attempt };
}

/** Restores a consumed link, so that it can be opened again. */
export function restoringOf({ config }: FlowContext, record: VerificationToken): Undo {
  return { of: "proof", run: () => requireAccounts(config).records.call("createVerificationToken", record) };
}

async function requireRecord(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  identifier: string,
  link: LinkToken,
): Promise<VerificationToken> {
  const record = await redeem(context, provider, identifier, link);
  if (record === null) throw new Verification("The link is unknown or was already used.");
  return record;
}

/**
 * Tokens that appear weak are looked up only while attempts are left. The form of a token determines how it was stored.
 */
async function redeem(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  identifier: string,
  link: LinkToken,
): Promise<VerificationToken | null> {
  if (!isGuessable(provider, link.token)) return useToken(context, provider, identifier, link);
  const attempt = await consumeTry(context, provider, identifier);
  if (attempt === null) return null;
  let next: ConsumedTry = attempt;
  try {
    const record = await useToken(context, provider, identifier, link);
    if (record !== null && sentAtOf(provider, record) >= attempt.since) return record;
    next = { ...attempt, wrong: attempt.wrong + 1 };
    if (next.wrong === MAX_WRONG_TRIES)
      context.logger.warn(
        `email-tries: provider "${provider.id}" invalidated the links of an address after ${next.wrong} wrong attempts.`,
      );
    return null;
  } finally {
    await returnTry(context, provider, identifier, next);
  }
}

/** Whether a token of this form may be guessed: attempts are counted, and only a form consumes the link. */
export function isGuessable({ generateVerificationToken }: ResolvedEmailProvider, token: string): boolean {
  return generateVerificationToken !== undefined && looksWeak(token);
}

/** The links of an address expire a fixed time after they were sent. */
function sentAtOf({ maxAge }: ResolvedEmailProvider, { expires }: VerificationToken): EpochMilliseconds {
  return expires.getTime() - maxAge * 1000;
}

/**
 * The identity behind a consumed token.
 *
 * @param spelling the address of the token, as it was spelled.
 * @throws Verification if it has expired, or is older than the one that last verified the address. AdapterError.
 */
export async function identify(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  record: VerificationToken,
  spelling: string,
): Promise<EmailIdentity> {
  const { existing, claimed } = await requireAccounts(context.config).find.claim(provider, record.identifier, spelling);
  const sentAt = sentAtOf(provider, record);
  const lastProven = existing?.emailVerified instanceof Date ? existing.emailVerified.getTime() : null;
  if (!isLinkValid({ now: Date.now(), expires: record.expires.getTime(), sentAt, lastProven })) {
    throw new Verification("The link has expired, or a newer link was used.");
  }
  return {
    kind: "email",
    provider,
    spelling,
    ...claimed,
    // A link that a server sent whose clock is far ahead was sent before now.
    provenAt: new Date(isFuture(sentAt / 1000, context.now()) ? Date.now() : sentAt),
    startsFresh: false,
  };
}
