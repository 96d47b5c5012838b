import type { Awaitable, CredentialInput, CredentialsProvider, User } from "@cardea/core/providers";

/** Options of {@link Credentials}. */
export interface CredentialsOptions<Fields extends Record<string, CredentialInput> = Record<string, CredentialInput>> {
  /** Default `credentials`; name another when there are several. */
  id?: string;
  /** Shown on the sign-in page; default `Credentials`. */
  name?: string;
  /** The fields of the form by name; `authorize` gets these and no others. Without any it gets every string field. */
  credentials?: Fields;
  /**
   * Returns the user, with an `id`, or null when the credentials do not fit. May throw `CredentialsSignin` to say so with a
   * `code` of its own; anything else that is thrown is logged and shown as a problem of the server.
   */
  authorize: (credentials: Partial<Record<keyof Fields, unknown>>, request: Request) => Awaitable<User | null>;
}

/**
 * Sign-in with a user name and password, or any fields of your own. Check passwords with a slow hash (argon2, scrypt,
 * bcrypt), spend the same time on unknown users, and limit tries per user and address: the library cannot do that for you.
 */
export function Credentials<const Fields extends Record<string, CredentialInput>>(
  options: CredentialsOptions<Fields>,
): CredentialsProvider {
  const { id = "credentials", name = "Credentials", credentials, authorize } = options;
  return { id, name, type: "credentials", credentials: credentials ?? {}, authorize };
}

export { Credentials as default };
