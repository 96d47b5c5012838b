import { APPLICATION_TIMEOUT_MS, type ResolvedConfig, readSessionName, withTimeout } from "@cardea/core/extension-host";
import type { AddedFacts, EndOfSessions, Tools } from "@cardea/core/extension-kit";
import { extensionsOf } from "./extensions-of.ts";

/**
 * Ends all that stands for an earlier proof of a user, by raising the user's epoch, and the sessions, through every extension that supports it.
 * Without such an extension, database records are deleted, that of the spared session only if the adapter cannot list them; stateless sessions
 * cannot be ended, and a warning is logged. If one step fails, the others are still carried out.
 *
 * @returns The facts with which the spared session is re-issued.
 * @throws the first error of the store, an extension or the adapter.
 */
export async function endSessions(
  config: ResolvedConfig,
  toolsOf: (id: string) => Tools,
  userId: string,
  end: EndOfSessions,
): Promise<AddedFacts> {
  const list = extensionsOf(config);
  const [first] = list;
  if (first === undefined) return {};
  const t = toolsOf(first.id);
  const able = list.filter((one) => one.endSessions !== undefined);
  let facts: AddedFacts = {};
  let epoch: EndOfSessions["epoch"];
  const raise = async () => {
    epoch = await t.epoch(userId).raise();
    return { e: epoch.value };
  };
  const parts = [
    raise,
    ...able.map((one) => () => one.endSessions?.(userId, { ...end, epoch }, toolsOf(one.id))),
    ...(able.length === 0 ? [() => endRecords(t, userId, end.spared)] : []),
  ];
  const failures: unknown[] = [];
  // Sequential: the epoch is raised first; otherwise a pending sign-in could continue with outdated values.
  for (const part of parts) {
    try {
      facts = { ...facts, ...(await withTimeout(APPLICATION_TIMEOUT_MS, part())) };
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return facts;
}

async function endRecords(t: Tools, userId: string, spared: string | undefined): Promise<AddedFacts> {
  if (t.strategy === "database" && t.adapterHas("deleteSessionsByUserId")) {
    const isSparing = spared !== undefined && t.adapterHas("listSessionsByUserId");
    if (!isSparing || !(await endOthers(t, userId, spared))) await t.callAdapter("deleteSessionsByUserId", userId);
    return {};
  }
  t.logger.warn(
    "sessions-not-ended: a user's sessions could not be ended, because no extension supports it. Add sessions() from @cardea/sessions.",
  );
  return {};
}

/** A session gets a new record at most once in a request. */
const MAX_PASSES = 5;

/**
 * Deletes all records but those of one session. One that is renewed at this moment has a new record before the former is deleted, which the
 * next pass finds.
 *
 * @returns false if there are still others.
 */
async function endOthers(t: Tools, userId: string, spared: string): Promise<boolean> {
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const records = await t.callAdapter("listSessionsByUserId", userId);
    const others = records.filter(({ sessionToken }) => readSessionName(sessionToken)?.sid !== spared);
    if (others.length === 0) return true;
    await Promise.all(others.map(({ sessionToken }) => t.callAdapter("deleteSession", sessionToken)));
  }
  return false;
}
