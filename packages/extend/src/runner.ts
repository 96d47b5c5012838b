import type { ExtensionRunner } from "@cardea/core/extension-host";
import { loadOnce } from "@cardea/core/extension-kit";
import { askAdmission } from "./ask-admission.ts";
import { askAttempt, notifyOutcome } from "./ask-attempt.ts";
import { askMayAdd } from "./ask-change.ts";
import { checkSession, withReplacement } from "./check-session.ts";
import { collectSections } from "./collect-sections.ts";
import { createRequestTools, toolsFor } from "./create-tools.ts";
import { notifyFact } from "./notify-facts.ts";
import { notifyEnded, notifyGranted, notifyStored } from "./notify-session.ts";
import { openFound, tokenHashOf } from "./opened-session.ts";
import { outageOf } from "./outage.ts";
import { cancelPendingSignIns, keepSignIn } from "./pending-sign-in.ts";
import { endReauthentication } from "./reauthenticate.ts";
import { findOwnSession, renewSession } from "./request-session.ts";
import { requestWithoutSession } from "./without-session.ts";

/** Reading a session needs neither actions nor pages. */
const loadActions = loadOnce(() => import("./run-action.ts"));

/** Calls the extensions of a configuration, combining their answers by the rules in docs/extensions.md#laws. */
export const runner: ExtensionRunner = {
  attempt: askAttempt,
  admit: askAdmission,
  mayAdd: askMayAdd,
  check: async (context, found, isFresh) => {
    const verdict = await checkSession(context, await openFound(context.config, found), isFresh);
    return withReplacement(context, found, verdict);
  },
  outcome: notifyOutcome,
  granted: notifyGranted,
  stored: async (context, found, cause) => {
    await notifyStored(context, await openFound(context.config, found), await tokenHashOf(found), cause);
    // What another user of this browser left unfinished is not for this one.
    if (cause.cause === "signin") await cancelPendingSignIns(context, found.userId);
  },
  ended: async (context, found, end) => notifyEnded(context, await openFound(context.config, found), end),
  note: (config, fact) => notifyFact(config, toolsFor(config), fact),
  keep: keepSignIn,
  cancelKept: (context) => cancelPendingSignIns(context, null),
  authorize: (context, extension, credentials, request) =>
    extension.authorize?.(
      credentials,
      requestWithoutSession(request, context),
      createRequestTools(context, extension.id),
    ),
  reauthenticated: endReauthentication,
  act: async (context, extension, spec) => (await loadActions()).runAction(context, extension, spec),
  sections: collectSections,
  outage: outageOf,
  session: findOwnSession,
  renew: renewSession,
  tools: (config, id) => toolsFor(config)(id),
  requestTools: createRequestTools,
};
