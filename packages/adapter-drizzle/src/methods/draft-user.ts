import type { AdapterUser } from "@cardea/core/adapters";
import type { AnyTable, OpenDatabase, Row } from "../database.ts";
import { columnOf } from "../where.ts";

/** A user before it is inserted. */
export interface UserDraft {
  readonly row: Row;
  /** The id that the user will have; null if the database makes it, and says it with `RETURNING`. */
  readonly id: string | null;
}

/**
 * The row of a new user. The id is the one that the table makes (`$defaultFn`), else the one that the database makes (`default`), else
 * the one that is proposed. MySQL does not say what it made, so that there the proposed one takes its place.
 */
export function draftUser(
  { dialect }: OpenDatabase,
  users: AnyTable,
  { id: proposed, ...user }: AdapterUser,
): UserDraft {
  const { defaultFn, hasDefault } = columnOf(users, "id");
  const made: unknown = defaultFn?.();
  if (typeof made === "string") return { row: { ...user, id: made }, id: made };
  if (hasDefault && dialect !== "mysql") return { row: user, id: null };
  return { row: { ...user, id: proposed }, id: proposed };
}

/** Whether the id of a new user is only known after the insert. */
export function isIdMadeByDatabase({ dialect }: OpenDatabase, users: AnyTable): boolean {
  const { defaultFn, hasDefault } = columnOf(users, "id");
  return defaultFn === undefined && hasDefault && dialect !== "mysql";
}
