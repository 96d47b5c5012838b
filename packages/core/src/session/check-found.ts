import { loadRunner } from "../context/extension-runner.ts";
import type { FlowContext } from "../model/context.ts";
import type { FoundSession, StoredCause } from "../model/extension-runner.ts";
import type { SessionVerdict } from "../model/opened-session.ts";
import type { Awaitable } from "../model/records.ts";
import { isPromise } from "../model/when-there.ts";
import { clearSessionCookies } from "./session-cookie.ts";
import type { ReadMode, SessionRead } from "./strategy.ts";

/**
 * Asks the extensions about a session. Synchronous if no extension checks sessions or has to wait.
 *
 * @throws SessionUnavailable, synchronously or as a rejection.
 */
export function askExtensions(context: FlowContext, found: FoundSession, isFresh?: boolean): Awaitable<SessionVerdict> {
  if (context.config.extensions?.checks !== true) return "valid";
  const runner = loadRunner(context.config);
  if (isPromise(runner)) return runner.then((loaded) => loaded.check(context, found, isFresh));
  return runner === undefined ? "valid" : runner.check(context, found, isFresh);
}

/**
 * The result of a read, according to the extensions.
 *
 * @returns null for a valid session. If the session has ended, its cookies are cleared.
 */
export function refusalBy(
  context: FlowContext,
  mode: ReadMode,
  verdict: SessionVerdict,
): Exclude<SessionRead, { kind: "session" }> | null {
  if (verdict === "valid") return null;
  if (typeof verdict === "object" && "ask" in verdict) return { kind: "asked", ask: verdict.ask };
  if (mode !== "look") clearSessionCookies(context);
  return { kind: "none", ended: typeof verdict === "object" ? verdict.ended : "ended" };
}

/** Combines {@link askExtensions} and {@link refusalBy}. */
export async function checkFound(
  context: FlowContext,
  mode: ReadMode,
  found: FoundSession,
  isFresh?: boolean,
): Promise<Exclude<SessionRead, { kind: "session" }> | null> {
  return refusalBy(context, mode, await askExtensions(context, found, isFresh));
}

/** Notifies the extensions that a session was stored. Rethrows their errors at sign-in. */
export async function tellExtensions(context: FlowContext, found: FoundSession, cause: StoredCause): Promise<void> {
  const runner = await loadRunner(context.config);
  await runner?.stored(context, found, cause);
}
