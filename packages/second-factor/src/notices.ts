import type { Tools } from "@cardea/extend";
import type { FactorNotice, Settings } from "./options.ts";

/** Notifies every extension and the user that factors changed (ASVS 6.3.7). A message that cannot be sent is logged. */
export async function tell({ notify }: Pick<Settings, "notify">, t: Tools, notice: FactorNotice): Promise<void> {
  const { kind, factor, userId, by } = notice;
  if (kind === "added") t.note({ kind: "factor.added", userId, factor, by });
  if (kind === "removed" || kind === "reset") t.note({ kind: "factor.removed", userId, factor, by });
  try {
    await notify?.(notice);
  } catch (error) {
    t.logger.error(error instanceof Error ? error : new Error(String(error)));
  }
}
