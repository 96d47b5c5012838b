import { type AdapterCredential, type AdapterUser, toError } from "@cardea/extend";
import { findPassword, type NewPassword, storePassword } from "../credential.ts";
import type { Step } from "./answer.ts";

/** A password to store. */
interface Replacement {
  readonly user: AdapterUser;
  /** Whether the session or the pending sign-in that sets it still exists. */
  readonly isThere: () => Promise<boolean>;
  /** The password that was read; null if the user has none. */
  readonly former: AdapterCredential | null;
  readonly next: NewPassword;
}

/**
 * Stores a password, and checks after the write whether the session or pending sign-in that sets it still exists: its owner may
 * have signed out everywhere in between. If it ended, the former password is restored. If this cannot be determined, a password that was added
 * is removed, and one that was replaced is not restored: the user may have replaced it because someone else knows it.
 *
 * @returns `changed` if another request changed the password first; `ended` if the session or pending sign-in ended.
 * @throws AdapterError; SessionUnavailable if the user had no password.
 */
export async function storeWhileThere(
  step: Pick<Step, "t">,
  replacement: Replacement,
): Promise<"stored" | "changed" | "ended"> {
  const { t } = step;
  const { user, isThere, former, next } = replacement;
  if (!(await storePassword(t, user.id, former, next))) return "changed";
  try {
    if (await isThere()) return "stored";
  } catch (error) {
    if (former !== null) {
      t.logger.error(toError(error));
      return "stored";
    }
    await restore(step, replacement);
    throw error;
  }
  await restore(step, replacement);
  return "ended";
}

/** Restores the former password, unless another one has been set since. */
async function restore({ t }: Pick<Step, "t">, { user, former, next }: Replacement): Promise<void> {
  const now = await findPassword(t, user.id);
  if (now?.secret !== next.hash) return;
  const { id, version } = now;
  if (former === null) await t.callAdapter("deleteCredential", id);
  else await t.callAdapter("updateCredential", { id, version, secret: former.secret, state: former.state });
}
