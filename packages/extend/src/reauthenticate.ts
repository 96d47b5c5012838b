import {
  type ActionContext,
  type FlowContext,
  methodOf,
  originalRequest,
  parseFacts,
  type ReauthenticationAnswer,
} from "@cardea/core/extension-host";
import { type Factor, isSameId, type Reauthentication, type SessionFacts } from "@cardea/core/extension-kit";
import { findOwnSession, renewSession } from "./request-session.ts";

/**
 * Re-authentication at the provider that a session came from: an authorization code flow whose pending sign-in is
 * encrypted with the session's id and the required classes, so that its response can only serve as a proof for that
 * session.
 */

/** The encrypted data between start and finish. */
interface SealedReauthentication {
  readonly sid: string;
  readonly acr: readonly string[];
  readonly otherwise: string;
}

/** Starts re-authentication; see `ActionRequest.reauthenticate`. */
export async function startReauthentication(
  context: ActionContext,
  id: string,
  { maxAge, acr, callbackUrl, otherwise }: Reauthentication,
): Promise<string | null> {
  const session = await currentSession(context, id);
  const { provider: origin = "", iss, sub } = session?.facts.idp ?? {};
  const provider = context.config.providers.get(origin);
  if (session === null || provider?.kind !== "oauth" || iss === undefined || sub === undefined) return null;
  const sealed: SealedReauthentication = { sid: session.sid, acr, otherwise };
  const params = new URLSearchParams({ max_age: String(maxAge), login_hint: sub });
  if (acr.length > 0) params.set("acr_values", acr.join(" "));
  const { start } = await methodOf(context.config, provider).load();
  const started = start?.(context, provider, {
    callbackUrl,
    fields: new Map(),
    requested: { by: "server", params },
    reauthentication: JSON.stringify(sealed),
    request: () => originalRequest(context.request),
  });
  return (await started) ?? null;
}

/**
 * Finishes re-authentication.
 *
 * 1. The session is the one that started it.
 * 2. The ID token passed all checks of a sign-in, including `auth_time` against `max_age` (OIDC Core §3.1.3.7).
 * 3. Issuer and subject are those of the session.
 * 4. The account is still linked to the user of the session; an unlinked account proves nothing.
 * 5. `acr` is one of the required values (OIDC Core §2; RFC 9470 §5).
 */
export async function endReauthentication(context: FlowContext, answer: ReauthenticationAnswer): Promise<string> {
  // Written by `startReauthentication`, as the encryption of the cookie proves.
  const { sid, acr, otherwise } = JSON.parse(answer.sealed) as SealedReauthentication;
  const elsewhere = new URL(`${context.baseUrl}/${otherwise}`);
  elsewhere.searchParams.set("error", "provider");
  try {
    const session = await currentSession(context, "");
    const { claims, owner } = await answer.prove();
    const idp = session?.facts.idp;
    const isLinked = owner === undefined || (owner !== null && isSameId(owner, session?.userId));
    const isSame =
      isLinked &&
      session?.sid === sid &&
      idp?.provider === answer.provider &&
      idp.iss === claims?.iss &&
      idp.sub === claims?.sub;
    const { auth_time: time, acr: given }: Record<string, unknown> = { ...claims };
    const isClass = acr.length === 0 || (typeof given === "string" && acr.includes(given));
    if (!isSame || typeof time !== "number" || !isClass)
      return rejected(context, elsewhere, "the subject, time or class does not match, or the account is not linked");
    const at = Math.min(Math.floor(time), context.now());
    const proofs: Factor[] = [["oidc", at]];
    if (acr.length > 0) proofs.push([`acr:${String(given)}`, at]);
    await renewSession(context, { f: proofs });
    return answer.callbackUrl;
  } catch (error) {
    return rejected(context, elsewhere, error);
  }
}

function rejected({ logger }: FlowContext, elsewhere: URL, reason: unknown): string {
  logger.warn("reauthentication-refused: the provider did not confirm the user of the session:", reason);
  return elsewhere.href;
}

/** The session of a request with its facts, if every extension considers it valid; otherwise null. */
async function currentSession(
  context: FlowContext,
  id: string,
): Promise<{ sid: string; userId: string; facts: SessionFacts } | null> {
  const session = await findOwnSession(context, id, true);
  const facts = session === null ? null : parseFacts(await session.facts());
  return session === null || facts === null ? null : { sid: session.sid, userId: session.userId, facts };
}
