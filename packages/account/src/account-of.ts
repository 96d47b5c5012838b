import { type EndedBy, type Handled, handleOf, parseEmailAddress } from "@cardea/extend";
import { requestChange } from "./change-address.ts";
import { endSessionsOf } from "./end-method-sessions.ts";
import { type RemovedMethod, removeMethod, type Unlinked } from "./methods.ts";
import type { Settings } from "./options.ts";
import { type AccountOverview, overviewOf } from "./overview.ts";
import { cancelRemoval, type Removal, type RemovedUsers, removeDue, requestRemoval } from "./remove-user.ts";

/** Who acts. */
export interface ActOptions {
  /** Default `"admin"`. */
  readonly by?: EndedBy;
}

/** Operations on the account of any user, for server code. They do not check the caller's permissions. */
export interface AccountOperations {
  /** What the account page shows about a user; null if there is none. Contains no tokens and no secrets. */
  get(userId: string): Promise<AccountOverview | null>;
  /**
   * Removes a way to sign in, and ends the sessions that came from it. `last`: nothing was removed, because the user could no longer sign in;
   * `missing`: the user does not have it.
   */
  unlink(userId: string, method: RemovedMethod, options?: ActOptions): Promise<Unlinked>;
  /**
   * Starts a change of address: its owner receives a link, and the address changes when it is opened. Nothing is returned about whether the
   * address belongs to another account.
   *
   * @throws TypeError for an invalid address, an unknown user, or without `AUTH_URL` or `mail`.
   */
  changeEmail(userId: string, email: string, options?: ActOptions): Promise<void>;
  /** Requests the deletion of a user. It is carried out by {@link AccountOperations.removeDue} when it is due. */
  remove(userId: string, options?: ActOptions): Promise<Removal>;
  /** Cancels a deletion; false if there is none, or it has begun. */
  cancelRemoval(userId: string, options?: ActOptions): Promise<boolean>;
  /** Deletes the users whose deletion is due. Call it from a scheduler, such as every hour. */
  removeDue(): Promise<RemovedUsers>;
}

/**
 * Returns the operations of the `account()` extension of an application.
 *
 * @param auth the result of `createAuth`, or its `auth`.
 */
export function accountOf(auth: Handled): AccountOperations {
  const handle = handleOf(auth, "account");
  const open = async () => {
    const t = await handle.tools();
    // A cast: those of `account()`.
    return { t, settings: t.settings as Settings };
  };
  return {
    get: async (userId) => overviewOf((await open()).t, String(userId)),
    async unlink(userId, method, { by = "admin" } = {}) {
      const { t } = await open();
      const { outcome, accounts } = await removeMethod(t, String(userId), method, by);
      const of = { userId: String(userId), method, accounts };
      if (outcome === "removed") await endSessionsOf(t, { ...of, by, own: undefined });
      return outcome;
    },
    async changeEmail(userId, given, { by = "admin" } = {}) {
      const { t, settings } = await open();
      const email = parseEmailAddress(given);
      const user = await t.callAdapter("getUser", String(userId));
      if (email === null) throw new TypeError("accountOf().changeEmail(): not a single, valid e-mail address.");
      if (user === null) throw new TypeError("accountOf().changeEmail(): the user does not exist.");
      if (t.fixedUrl === undefined || settings.mail === undefined)
        throw new TypeError(
          "accountOf().changeEmail(): set AUTH_URL and the option `mail` of account(), for the link in the message.",
        );
      await requestChange(settings, t, { user, email, approved: true, by, baseUrl: t.fixedUrl });
    },
    async remove(userId, { by = "admin" } = {}) {
      const { t, settings } = await open();
      const user = await t.callAdapter("getUser", String(userId));
      if (user === null) throw new TypeError("accountOf().remove(): the user does not exist.");
      return requestRemoval(settings, t, { user, by, baseUrl: t.fixedUrl });
    },
    cancelRemoval: async (userId, { by = "admin" } = {}) => cancelRemoval((await open()).t, String(userId), by),
    async removeDue() {
      const { t, settings } = await open();
      return removeDue(settings, t);
    },
  };
}
