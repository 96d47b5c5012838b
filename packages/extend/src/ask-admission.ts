import {
  APPLICATION_TIMEOUT_MS,
  type FlowContext,
  type JoinedAdmission,
  strategyOf,
  withTimeout,
} from "@cardea/core/extension-host";
import type { AddedFacts, Candidate } from "@cardea/core/extension-kit";
import { createRequestTools } from "./create-tools.ts";
import { extensionsOf, ownsAction } from "./extensions-of.ts";
import { parseAdmission } from "./laws.ts";
import { openFound } from "./opened-session.ts";
import { isOutdated, OUTDATED } from "./user-epoch.ts";

/**
 * Asks every extension whether a user may receive a session. The first refusal or challenge wins.
 *
 * @throws errors of extensions.
 */
export async function askAdmission(context: FlowContext, candidate: Candidate): Promise<JoinedAdmission> {
  const facts: AddedFacts[] = [];
  const former = await strategyOf(context.config).find(context);
  const replaces = former === null ? undefined : (await openFound(context.config, former)).sid;
  for (const extension of extensionsOf(context.config)) {
    if (extension.admit === undefined) continue;
    const asked = extension.admit({ ...candidate, replaces }, createRequestTools(context, extension.id));
    const answer: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, asked);
    const admission = parseAdmission(answer, (action) => ownsAction(extension, action));
    if ("refuse" in admission) return { refuse: `${extension.id}: ${admission.refuse}` };
    if ("ask" in admission) return admission;
    facts.push(admission.facts ?? {});
  }
  // After the last answer: ending all sessions first invalidates pending sign-ins, and then raises the counters that
  // extensions read.
  if (await isOutdated(context, candidate.user.id)) return { refuse: OUTDATED };
  return { admit: true, facts };
}
