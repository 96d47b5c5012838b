import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import type { AddedFacts, EndOfSessions } from "../model/added-facts.ts";
import type { Extension } from "../model/extension.ts";
import type { Tools } from "../model/tools.ts";

/**
 * Ends the sessions of a user by every extension that can. Without one, records in the database are deleted; a session that is a token
 * cannot be ended, which the log says.
 *
 * @returns the facts with which the spared session is re-issued.
 * @throws what an extension or the adapter throws.
 */
export async function endSessions(
  list: readonly Extension[],
  toolsOf: (id: string) => Tools,
  userId: string,
  end: EndOfSessions,
): Promise<AddedFacts> {
  const [first] = list;
  if (first !== undefined) await toolsOf(first.id).endPendingSignIns(userId);
  const able = list.filter((one) => one.endSessions !== undefined);
  let facts: AddedFacts = {};
  for (const extension of able) {
    const added = await withTimeout(
      APPLICATION_TIMEOUT_MS,
      extension.endSessions?.(userId, end, toolsOf(extension.id)),
    );
    facts = { ...facts, ...added };
  }
  if (able.length > 0 || first === undefined) return facts;
  const t = toolsOf(first.id);
  if (t.strategy === "database" && t.adapterHas("deleteSessionsByUserId")) {
    await t.callAdapter("deleteSessionsByUserId", userId);
    return facts;
  }
  t.logger.warn(
    "sessions-not-ended: the sessions of a user should end, and nothing can end them. Add the extension of @cardea/sessions.",
  );
  return facts;
}
