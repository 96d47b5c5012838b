import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { guardOf } from "../context/create-context.ts";
import { encryptClaims } from "../crypto/sealed-claims.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { AuthError, JWTSessionError } from "../model/errors.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { JWT } from "../model/records.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";
import { withChecks } from "../protocol/session-facts.ts";
import { foundOf, initialFactsOf, lifeFrom, putBackFacts, startOf } from "./check-found.ts";
import { describe, type JwtCallbackOutcome, storeImageOnce } from "./claims.ts";
import { inBrowser } from "./replaced-token.ts";
import { type Commit, prepareSessionCookies, receivedSessionTokens, writtenSessionCookie } from "./session-cookie.ts";
import { changedClaim } from "./unproven-address.ts";

/** An encrypted token that `commit` adds to the response. */
interface Prepared {
  readonly commit: Commit;
  readonly found: FoundSession;
  readonly expires: EpochSeconds;
}

/** Encrypts a token and prepares its cookies. `known`: the stored facts of the session. */
export async function prepare(context: FlowContext, claims: JWT, known: unknown): Promise<Prepared> {
  const facts = withChecks(known ?? initialFactsOf(context, claims), checksOf(context));
  const life = lifeFrom(context, startOf(facts), context.config.jwt.maxAge);
  // The application's `encode` may not set `iat`; without it, every read would consider the session outdated.
  const token = { ...putBackFacts(storeImageOnce(claims), facts), iat: context.now() };
  const commit = prepareSessionCookies(context, await encodeToken(context, token, life), life);
  return { commit, found: foundOf({ claims, facts }), expires: context.now() + life };
}

/** A session that is written was checked by all of them. */
const checksOf = ({ config }: FlowContext) => config.extensions?.checks ?? [];

/** The application's claims may not be serializable, such as a bigint. */
function encodeFailed(error: unknown): AuthError {
  return error instanceof AuthError
    ? error
    : new JWTSessionError("`jwt.encode` failed.", { cause: { err: toError(error) } });
}

/** @throws JWTSessionError if an application function fails or does not return a string. */
async function encodeToken(context: FlowContext, token: JWT, maxAge: Seconds): Promise<string> {
  const { encode, secrets } = context.config.jwt;
  const { salt, seal } = writtenSessionCookie(context);
  const encoded: unknown = await callEncode(() => {
    if (seal !== undefined) return seal(token, maxAge);
    if (encode !== undefined) return encode({ token, secret: secrets, salt, maxAge });
    return encryptClaims(token, { secrets, purpose: "session", salt }, maxAge);
  });
  if (typeof encoded === "string" && encoded !== "") return encoded;
  throw new JWTSessionError(
    `\`jwt.encode\` returned ${encoded === "" ? "an empty string" : describe(encoded)}; return the token.`,
  );
}

async function callEncode(call: () => unknown): Promise<unknown> {
  try {
    return await withTimeout(APPLICATION_TIMEOUT_MS, call());
  } catch (error) {
    throw encodeFailed(error);
  }
}

/**
 * Adds the cookies of a prepared renewal to the jar, and notifies the extensions; neither if the user signed out or signed in
 * again in the meantime. The cookies are judged once more when the headers are written: handlers and pages take their time.
 *
 * @returns whether the session is still that of the browser.
 */
export async function commitRenewal(
  context: FlowContext,
  { commit, found, expires }: Prepared,
  cause: "renewal" | "read",
): Promise<boolean> {
  const former = inBrowser(context, receivedSessionTokens(context), [found]);
  if (former.isSuperseded()) return false;
  commit({ of: former, cause });
  await guardOf(context.config)?.stored(context, found, { cause: "renewal", expires, account: undefined });
  return true;
}

/** A failed renewal is logged, and the session is served unchanged. */
export async function prepareRenewal(context: FlowContext, claims: JWT, facts: unknown): Promise<Prepared | null> {
  try {
    return await prepare(context, claims, facts);
  } catch (error) {
    const failed = new JWTSessionError("The session could not be renewed.", { cause: { err: toError(error) } });
    context.logger.error(error instanceof AuthError ? error : failed);
    return null;
  }
}

/** Claims that identify a session and its user, or limit its lifetime (RFC 7519 §4.1). */
const OWN_CLAIMS = ["sub", "jti", "iat", "exp", "nbf", "unproven"] as const;

/**
 * A session keeps its user, its id and its times for its whole lifetime. `callbacks.jwt` can set `sub` at sign-in only: in
 * an update it may merge data from the browser into the token, which must not transfer the session to another user.
 */
function copyOwnClaims(claims: JWT, stored: JWT): JWT {
  const kept: JWT = { ...claims };
  for (const name of OWN_CLAIMS) {
    if (stored[name] === undefined) delete kept[name];
    else Object.assign(kept, { [name]: stored[name] });
  }
  return kept;
}

/** What is stored of claims. The order of their members does not count. */
function storedText(claims: JWT): string {
  const members = Object.entries(putBackFacts(storeImageOnce(claims), undefined));
  return JSON.stringify(Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1))));
}

/**
 * The claims returned by the callback; `stored` if they would be stored as before. If they contain a different address, the new one may
 * also have been removed from the user.
 */
export async function ownClaims(
  context: FlowContext,
  { claims, before }: Extract<JwtCallbackOutcome, { kind: "changed" }>,
  stored: JWT,
): Promise<JWT> {
  const kept = copyOwnClaims(claims, stored);
  if (storedText(kept) === storedText(JSON.parse(before))) return stored;
  if (kept.email === stored.email || kept.unproven !== undefined) return kept;
  const unproven = await changedClaim(context, kept);
  return unproven === undefined ? kept : { ...kept, unproven };
}
