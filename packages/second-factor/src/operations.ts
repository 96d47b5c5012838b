import { type AddedFacts, type EndedBy, type EndOfSessions, type Handled, handleOf, type Tools } from "@cardea/extend";
import { appsOf, listRows } from "./credentials.ts";
import { tell } from "./notices.ts";
import type { SecondFactorOptions } from "./options.ts";
import { codesLeft } from "./recovery.ts";

/** Id of the extension. */
export const ID = "second-factor";

/** An authenticator app of a user. */
export interface EnrolledApp {
  /** Id of the credential in the database. */
  readonly id: string;
  /** The name that the user gave it; null without one. */
  readonly label: string | null;
  /** When it was enrolled. */
  readonly createdAt: Date;
  /** When one of its codes was last accepted; null if never. */
  readonly usedAt: Date | null;
}

/** Options of {@link SecondFactorOperations.reset}. */
interface ResetOptions {
  /** Who resets the factors; part of the record and of the notification. */
  readonly by: EndedBy;
  /** Notifies the user; default: no notice is sent. */
  readonly notify?: SecondFactorOptions["notify"];
  /**
   * Whether the user's passkeys are also unlinked, including for passkey sign-in; default false. This locks out users
   * without another sign-in method. Requires an adapter with `listAccountsByUserId`.
   */
  readonly passkeys?: boolean;
}

/**
 * Ends what stands for an earlier proof of a user who lost a factor. Without `sessions()`, all sessions go on.
 *
 * @returns The facts with which the spared session is re-issued.
 * @throws errors of the store, and of ending sessions.
 */
export async function endProofs(t: Tools, userId: string, end: EndOfSessions): Promise<AddedFacts> {
  if (t.hasExtension("sessions")) return t.endSessions(userId, end);
  await t.epoch(userId).raise();
  return {};
}

/** Operations on users' second factors, for server code. */
export interface SecondFactorOperations {
  /** Lists what a user has enrolled. */
  list(userId: string): Promise<{ readonly totp: readonly EnrolledApp[]; readonly recoveryCodesLeft: number }>;
  /**
   * Removes every authenticator app and recovery code of a user who has lost them and, with `passkeys`, their passkeys.
   * Whatever stands for an earlier proof ends: sessions (with `sessions()`), pending sign-ins, remembered browsers, known devices. Verify the
   * identity of the requester before you call it: it bypasses the second factor, so no route calls it. If a factor is required, the user enrols at
   * the next sign-in.
   *
   * @returns The number of removed credentials.
   */
  reset(userId: string, o: ResetOptions): Promise<number>;
}

/**
 * Returns the operations of the `secondFactor()` extension of an application.
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
      // First: the sign-in in which the user enrols began after this.
      await endProofs(t, userId, { by, reason: "factors reset" });
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
