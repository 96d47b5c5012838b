import {
  createLogger,
  type ExtensionRunner,
  type FlowContext,
  type NamedValues,
  type ResolvedConfig,
} from "@cardea/core/extension-host";
import { type Extension, loadOnce, type SecurityFactBody, type Tools } from "@cardea/core/extension-kit";
import { askAdmission } from "./ask-admission.ts";
import { askAttempt, notifyOutcome } from "./ask-attempt.ts";
import { askMayAdd } from "./ask-change.ts";
import type { Bound } from "./bind.ts";
import { checkSession, withReplacement } from "./check-session.ts";
import { collectSections } from "./collect-sections.ts";
import { createRequestTools, createTools } from "./create-tools.ts";
import { endSessions } from "./end-sessions.ts";
import { forgetTokens, notifyEnded, notifyFact, notifyGranted, notifyStored } from "./notify-session.ts";
import { openFound, tokenHashOf } from "./opened-session.ts";
import { outageOf } from "./outage.ts";
import { cancelPendingSignIns, keepSignIn } from "./pending-sign-in.ts";
import { endReauthentication } from "./reauthenticate.ts";
import { findOwnSession, renewSession } from "./request-session.ts";
import { requestWithoutSession } from "./without-session.ts";

/** Reading a session needs neither actions nor pages. */
const loadActions = loadOnce(() => import("./run-action.ts"));

/** Calls the extensions of a configuration, combining their answers by the rules in docs/extensions.md#laws. */
export function createRunner(list: readonly Extension[]): ExtensionRunner {
  const note = (config: ResolvedConfig, fact: SecurityFactBody) => notifyFact(list, (id) => tools(config, id), fact);
  const tools = (config: ResolvedConfig, id: string): Tools => createTools(offline(config), id, note);
  const bound: Bound = { list, toolsOf: (context, { id }) => createRequestTools(context, id, note) };
  return {
    authorize: (context, extension, credentials, request) =>
      extension.authorize?.(credentials, requestWithoutSession(request, context), bound.toolsOf(context, extension)),
    attempt: (context, attempt) => askAttempt(bound, context, attempt),
    outcome: (context, attempt, result) => notifyOutcome(bound, context, attempt, result),
    mayAdd: (context, addition) => askMayAdd(bound, context, addition),
    admit: (context, candidate) => askAdmission(bound, context, candidate),
    keep: (context, asked) => keepSignIn(bound, context, asked),
    cancelKept: cancelPendingSignIns,
    granted: (context, granted) => notifyGranted(bound, context, granted),
    reauthenticated: (context, answer) => endReauthentication(bound, context, answer),
    check: async (context, found, isFresh) => {
      const verdict = await checkSession(bound, context, await openFound(context.config, found), isFresh);
      return withReplacement(context, found, verdict);
    },
    stored: async (context, found, cause) =>
      notifyStored(bound, context, await openFound(context.config, found), await tokenHashOf(found), cause),
    ended: async (context, found, end) => notifyEnded(bound, context, await openFound(context.config, found), end),
    sections: (context, slot, page) => collectSections(bound, context, slot, page),
    session: (context, id, isFresh) => findOwnSession(bound, context, id, isFresh),
    renew: renewSession,
    act: async (context, extension, spec) => (await loadActions()).runAction(bound, context, extension, spec),
    outage: outageOf,
    endSessions: (config, userId, end) => endSessions(list, (id) => tools(config, id), userId, end),
    forgetTokens: (config, account) => forgetTokens(list, (id) => tools(config, id), account),
    note,
    tools,
    requestTools: bound.toolsOf,
  };
}

/** The clock and the logger of an application, outside of a request. */
function offline(config: ResolvedConfig) {
  const made: NamedValues[] = [];
  const logger = createLogger(config.logger, config.debug, config.redacted, made);
  const redact: FlowContext["redact"] = (value) => void made.push([["token", value]]);
  return { config, logger, redact, now: () => Math.floor(Date.now() / 1000) };
}
