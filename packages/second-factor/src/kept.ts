import type { ActionRequest, OpenedSession } from "@cardea/extend";

/** Removes what was added a moment ago. */
type Undo = () => Promise<unknown>;

/** Whether what was added to a user may stay. If not, or if this cannot be determined, it has been undone. */
export type Keep = (undo: Undo) => Promise<boolean>;

/**
 * Confirms, after something was added to a user, that the session that asked for it still exists. It may have ended in between:
 * its owner signed out everywhere.
 *
 * @throws (rejects) SessionUnavailable, and errors of `undo`.
 */
export function whileThere(action: ActionRequest, { sid }: OpenedSession): Keep {
  return async (undo) => {
    let isThere = false;
    try {
      isThere = (await action.session())?.sid === sid;
    } finally {
      if (!isThere) await undo();
    }
    return isThere;
  };
}
