import { type EndedBy, type Handled, handleOf } from "@cardea/core/extend";
import { appsOf, listRows } from "./credentials.ts";
import { tell } from "./notices.ts";
import type { SecondFactorOptions } from "./options.ts";
import { codesLeft } from "./recovery.ts";

/** Id of the extension. */
export const ID = "second-factor";

/** An authenticator app of a user. */
export interface EnrolledApp {
  readonly id: string;
  readonly label: string | null;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/** Who resets the factors of a user, and which. */
interface ResetOptions {
  readonly by: EndedBy;
  readonly notify?: SecondFactorOptions["notify"];
  /**
   * Whether the user's passkeys are unlinked as well, as the first step too; default false. A user without another way in is locked out by
   * it. Needs an adapter with `listAccountsByUserId`.
   */
  readonly passkeys?: boolean;
}

/** What server code does with the second factors of users. */
export interface SecondFactorOperations {
  /** What a user has enrolled. */
  list(userId: string): Promise<{ readonly totp: readonly EnrolledApp[]; readonly recoveryCodesLeft: number }>;
  /**
   * Removes every authenticator app and recovery code of a user who has lost them, and with `passkeys` their passkeys. Remembered browsers end with it. Prove who asks before
   * you call it: it is the way past the second factor, so no action leads here. Where a factor is required, the next sign-in enrols.
   *
   * @returns how many credentials were removed.
   */
  reset(userId: string, o: ResetOptions): Promise<number>;
}

/**
 * The second factors behind what `createAuth` returned.
 *
 * @param auth the result of `createAuth`, or its `auth`.
 */
export function secondFactorOf(auth: Handled): SecondFactorOperations {
  const handle = handleOf(auth, ID);
  return {
    async list(userId) {
      const rows = await listRows(await handle.tools(), userId);
      const totp = appsOf(rows).map(({ id, label = null, createdAt, usedAt = null }) => ({
        id,
        label,
        createdAt,
        usedAt,
      }));
      return { totp, recoveryCodesLeft: codesLeft(rows) };
    },
    async reset(userId, { by, notify, passkeys = false }) {
      const t = await handle.tools();
      const rows = (await listRows(t, userId)).filter(({ type }) => type === "totp" || type === "recovery");
      const accounts = passkeys ? await t.callAdapter("listAccountsByUserId", userId) : [];
      const keys = accounts.filter(({ type }) => type === "webauthn");
      for (const { id } of rows) await t.callAdapter("deleteCredential", id);
      for (const { provider, providerAccountId } of keys)
        await t.callAdapter("unlinkAccount", { provider, providerAccountId });
      const count = rows.length + keys.length;
      if (count > 0) await tell({ notify }, t, { kind: "reset", factor: "all", userId, by });
      return count;
    },
  };
}
