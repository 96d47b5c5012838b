import { loadRunner } from "../context/extension-runner.ts";
import type { FlowContext } from "../model/context.ts";
import type { FoundSession, StoredCause } from "../model/extension-runner.ts";
import { isPromise } from "../model/when-there.ts";
import { clearSessionCookies } from "./session-cookie.ts";
import type { ReadMode, SessionRead } from "./strategy.ts";

/**
 * Asks the extensions about a session. Without one that checks sessions the answer is there at once.
 *
 * @returns null for a session that is good; else what the read comes to, with the cookies cleared where the session has ended.
 * @throws SessionUnavailable.
 */
export async function checkFound(
  context: FlowContext,
  mode: ReadMode,
  found: FoundSession,
): Promise<Exclude<SessionRead, { kind: "session" }> | null> {
  const { extensions } = context.config;
  if (extensions?.checks !== true) return null;
  const loading = loadRunner(context.config);
  const runner = isPromise(loading) ? await loading : loading;
  if (runner === undefined) return null;
  const answer = runner.check(context, found);
  const verdict = typeof answer === "object" && "then" in answer ? await answer : answer;
  if (verdict === "valid") return null;
  if (typeof verdict === "object" && "ask" in verdict) return { kind: "asked", ask: verdict.ask };
  if (mode !== "look") clearSessionCookies(context);
  return { kind: "none", ended: typeof verdict === "object" ? verdict.ended : "ended" };
}

/** Tells the extensions that a session was stored. Throws at a sign-in what they throw. */
export async function tellExtensions(context: FlowContext, found: FoundSession, cause: StoredCause): Promise<void> {
  const runner = await loadRunner(context.config);
  await runner?.stored(context, found, cause);
}
