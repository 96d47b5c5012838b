import {
  APPLICATION_TIMEOUT_MS,
  AuthError,
  type FlowContext,
  type SessionEnd,
  SignOutError,
  type StoredCause,
  withTimeout,
} from "@cardea/core/extension-host";
import {
  AccessDenied,
  CallbackRouteError,
  type EndedSession,
  type GrantedTokens,
  type OpenedSession,
  type StoredSession,
  toError,
} from "@cardea/core/extension-kit";
import { createRequestTools } from "./create-tools.ts";
import { extensionError, extensionsOf } from "./extensions-of.ts";
import { patchInfo, recordSession } from "./session-info.ts";
import { isOutdated, OUTDATED } from "./user-epoch.ts";

/**
 * Records a session if required, then notifies every extension.
 *
 * @throws errors of recording or of an extension, at sign-in or rotation. At a renewal, failures are only logged.
 */
export async function notifyStored(
  context: FlowContext,
  opened: OpenedSession,
  tokenHash: string,
  cause: StoredCause,
): Promise<void> {
  const { expires, account } = cause;
  const replaces = cause.cause === "rotation" ? cause.replaces : undefined;
  const session: StoredSession = { ...opened, cause: cause.cause, expires, account, tokenHash, replaces };
  try {
    if (context.config.extensions?.recordsSessions) await record(context, session, cause);
    for (const extension of extensionsOf(context.config)) {
      if (extension.onSession === undefined) continue;
      await withTimeout(
        APPLICATION_TIMEOUT_MS,
        extension.onSession(session, createRequestTools(context, extension.id)),
      );
    }
    // Whatever ends the sessions from now on finds this one.
    if (cause.cause === "signin" && (await isOutdated(context, opened.userId))) throw new AccessDenied(OUTDATED);
  } catch (error) {
    if (cause.cause === "signin") await closeRecord(context, session);
    if (cause.cause !== "renewal") throw error;
    const failed = new CallbackRouteError("An extension failed during the renewal of a session.", {
      cause: { err: toError(error) },
    });
    context.logger.error(error instanceof AuthError ? error : failed);
  }
}

/** Closes the record of a session that was not issued, so that it is not counted or listed. */
async function closeRecord({ config, now, logger }: FlowContext, { sid }: StoredSession): Promise<void> {
  if (!config.extensions?.recordsSessions) return;
  try {
    await patchInfo(config, sid, { endedAt: new Date(now() * 1000), endReason: "failed" });
  } catch (error) {
    logger.warn("session-record-left: the record of a session that was not issued could not be closed:", error);
  }
}

async function record({ config, now }: FlowContext, session: StoredSession, cause: StoredCause): Promise<void> {
  const { sid, tokenHash } = session;
  const state = { tokenHash, seenAt: new Date(now() * 1000), expires: new Date(cause.expires * 1000) };
  if (cause.cause === "renewal") {
    await patchInfo(config, sid, state);
    return;
  }
  const { facts } = cause;
  const known = {
    ...state,
    factors: facts.f.map(([m, t]) => ({ m, t })),
    epoch: facts.e,
    idp: facts.idp ?? null,
    deviceKey: facts.cnf?.jkt ?? null,
  };
  // A session issued before sessions were recorded gets its record with its first new facts.
  if (cause.cause === "rotation" && (await patchInfo(config, sid, known)) !== null) return;
  const { provider = "", providerAccountId = "" } = cause.account ?? {};
  const { userId } = session;
  await recordSession(config, {
    ...known,
    id: sid,
    userId,
    createdAt: new Date(facts.at * 1000),
    provider,
    providerAccountId,
  });
}

/**
 * Notifies every extension that a session ended.
 *
 * @returns The first URL returned by an extension, where the browser is redirected first; otherwise null.
 * @throws SignOutError if an extension failed; the others were still notified.
 */
export async function notifyEnded(
  context: FlowContext,
  opened: OpenedSession,
  end: SessionEnd,
): Promise<string | null> {
  const ended: EndedSession = { ...opened, ...end };
  let redirect: string | null = null;
  let failure: unknown;
  for (const extension of extensionsOf(context.config)) {
    if (extension.onSignOut === undefined) continue;
    try {
      const answer = await withTimeout(
        APPLICATION_TIMEOUT_MS,
        extension.onSignOut(ended, createRequestTools(context, extension.id)),
      );
      const url: unknown = answer?.redirect;
      if (redirect === null && url instanceof URL && /^https?:$/.test(url.protocol)) redirect = url.href;
    } catch (error) {
      failure = error;
    }
  }
  if (failure === undefined) return redirect;
  const message = "The cookie was cleared, but the session could not be ended everywhere.";
  throw new SignOutError(message, { cause: { err: toError(failure), incomplete: true } });
}

/** Passes the tokens of a sign-in to every extension. Never throws: the sign-in succeeds without them. */
export async function notifyGranted(context: FlowContext, granted: GrantedTokens): Promise<void> {
  for (const extension of extensionsOf(context.config)) {
    if (extension.onTokens === undefined) continue;
    try {
      await withTimeout(APPLICATION_TIMEOUT_MS, extension.onTokens(granted, createRequestTools(context, extension.id)));
    } catch (error) {
      context.logger.error(extensionError(extension, "onTokens", error));
    }
  }
}
