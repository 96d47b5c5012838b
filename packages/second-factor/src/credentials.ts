import type { AdapterResult, Tools } from "@cardea/core/extend";

/** A row of the table `Credential`. */
export type Row = AdapterResult<"listCredentialsByUserId">[number];

/** The methods of the adapter that keep credentials. */
export const CREDENTIAL_METHODS = [
  "createCredential",
  "listCredentialsByUserId",
  "updateCredential",
  "deleteCredential",
] as const;

/**
 * The credentials of a user, in the order in which they were added.
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

/** Whether a user has a second factor. Recovery codes alone are none: they stand in for one. */
export const isEnrolled = (rows: readonly Row[]): boolean => appsOf(rows).length > 0;
