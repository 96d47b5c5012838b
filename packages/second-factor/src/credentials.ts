import type { AdapterResult, RequestTools, Tools } from "@cardea/extend";
import type { Settings } from "./options.ts";

/** A row of the table `Credential`. */
export type Row = AdapterResult<"listCredentialsByUserId">[number];

/** The adapter methods for credentials. */
export const CREDENTIAL_METHODS = [
  "createCredential",
  "listCredentialsByUserId",
  "updateCredential",
  "deleteCredential",
] as const;

/**
 * The credentials of a user, oldest first.
 *
 * @throws AdapterError.
 */
export async function listRows(t: Tools, userId: string): Promise<readonly Row[]> {
  const rows = await t.callAdapter("listCredentialsByUserId", userId);
  return [...rows].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** The user's authenticator apps among their credentials. */
export const appsOf = (rows: readonly Row[]): readonly Row[] => rows.filter(({ type }) => type === "totp");

/** The user's recovery codes among their credentials. */
export const codesOf = (rows: readonly Row[]): Row | undefined => rows.find(({ type }) => type === "recovery");

/** What a user has enrolled. */
export interface Enrolment {
  readonly rows: readonly Row[];
  /** Whether one of their passkeys counts as the second step. */
  readonly hasPasskey: boolean;
  /** Whether they have a second factor. Recovery codes alone do not count: they only replace one. */
  readonly isEnrolled: boolean;
}

/**
 * Finds what a user has enrolled.
 *
 * @throws AdapterError; WebAuthnVerificationError if passkeys cannot be looked up.
 */
export async function findEnrolment(
  settings: Pick<Settings, "hasPasskey">,
  t: RequestTools,
  userId: string,
): Promise<Enrolment> {
  const rows = await listRows(t, userId);
  const hasPasskey = settings.hasPasskey && (await t.passkeys?.challenge({ userId })) != null;
  return { rows, hasPasskey, isEnrolled: hasPasskey || appsOf(rows).length > 0 };
}
