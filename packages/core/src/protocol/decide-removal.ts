import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterCredential,
  AdapterUser,
  SignInMethodRemoval,
  SignInMethodRemoved,
} from "../model/adapter.ts";

/** What the tables of a user contain; tables that were not read are empty. */
export interface SignInRecords {
  /** The user; null if there is none. */
  readonly user: Pick<AdapterUser, "email" | "emailVerified"> | null;
  /** Their accounts. */
  readonly accounts: readonly Pick<AdapterAccount, "provider" | "providerAccountId">[];
  /** Their passkeys. */
  readonly authenticators: readonly Pick<AdapterAuthenticator, "credentialID" | "providerAccountId">[];
  /** Their passwords and second factors. */
  readonly credentials: readonly Pick<AdapterCredential, "id" | "type">[];
}

/** The tables that {@link decideRemoval} needs: an application may lack the others. */
export function tablesOfRemoval({ accounts, authenticators, credentials, counts }: SignInMethodRemoval): {
  readonly accounts: boolean;
  readonly authenticators: boolean;
  readonly credentials: boolean;
} {
  return {
    accounts: accounts.length + counts.providers.length + counts.passkeys.length > 0,
    authenticators: authenticators.length + counts.passkeys.length > 0,
    credentials: credentials.length + counts.credentials.length > 0,
  };
}

/**
 * Decides whether a user may lose some ways to sign in, for adapters with `removeSignInMethod` and for callers without one.
 *
 * 1. Records of other users do not count: nothing is removed for a user who has none of the given ones.
 * 2. What remains is an account of a configured provider, a passkey with its account, a credential of a counted type, or a verified address.
 */
export function decideRemoval(removal: SignInMethodRemoval, records: SignInRecords): SignInMethodRemoved {
  const { user } = records;
  if (user === null) return "missing";
  const accounts = records.accounts.filter((one) => !removal.accounts.some((key) => isSameAccount(one, key)));
  const authenticators = records.authenticators.filter((one) => !removal.authenticators.includes(one.credentialID));
  const credentials = records.credentials.filter((one) => !removal.credentials.includes(one.id));
  const isFound =
    accounts.length < records.accounts.length ||
    authenticators.length < records.authenticators.length ||
    credentials.length < records.credentials.length;
  if (!isFound) return "missing";
  return canSignIn(removal.counts, { user, accounts, authenticators, credentials }) ? "removed" : "last";
}

/** Whether a user has one of the counted ways to sign in. */
export function canSignIn(
  { providers, passkeys, credentials: types, address }: SignInMethodRemoval["counts"],
  { user, accounts, authenticators, credentials }: SignInRecords,
): boolean {
  if (user === null) return false;
  const isPasskey = ({ providerAccountId }: { readonly providerAccountId: string }) =>
    accounts.some((one) => passkeys.includes(one.provider) && one.providerAccountId === providerAccountId);
  return (
    (address && Boolean(user.email) && Boolean(user.emailVerified)) ||
    accounts.some(({ provider }) => providers.includes(provider)) ||
    authenticators.some(isPasskey) ||
    credentials.some(({ type }) => types.includes(type))
  );
}

function isSameAccount(
  one: Pick<AdapterAccount, "provider" | "providerAccountId">,
  other: Pick<AdapterAccount, "provider" | "providerAccountId">,
): boolean {
  return one.provider === other.provider && one.providerAccountId === other.providerAccountId;
}
