import {
  type Awaitable,
  type CredentialInput,
  type CredentialsProvider,
  providerOptions,
  type User,
} from "@cardea/core/providers";

/** Options of {@link Credentials}. */
export interface CredentialsOptions<Fields extends Record<string, CredentialInput> = Record<string, CredentialInput>> {
  /** Default `credentials`; must differ if there are several. */
  id?: string;
  /** Shown on the sign-in page; default `Credentials`. */
  name?: string;
  /** Always `credentials`; need not be written. */
  type?: "credentials";
  /** The fields of the form by name; `authorize` receives only these. Without any, it receives every string field. */
  credentials?: Fields;
  /**
   * Returns the user, with an `id`, or null if the credentials are invalid. May throw `CredentialsSignin` with its own
   * `code`; any other error is logged, and the visitor sees a server error. Without it, every sign-in is rejected: for a
   * configuration that only middleware uses.
   */
  authorize?: (credentials: Partial<Record<keyof Fields, unknown>>, request: Request) => Awaitable<User | null>;
}

/**
 * Sign-in with a user name and password, or any other fields. Check passwords with a slow hash (argon2, scrypt, bcrypt),
 * spend the same time on unknown users, and limit attempts per user and address: the library cannot do that for you.
 */
export function Credentials<const Fields extends Record<string, CredentialInput>>(
  options: CredentialsOptions<Fields>,
): CredentialsProvider {
  const {
    id = "credentials",
    name = "Credentials",
    credentials,
    authorize = () => null,
  } = providerOptions("Credentials", options);
  return { id, name, type: "credentials", credentials: credentials ?? {}, authorize };
}

export { Credentials as default };
