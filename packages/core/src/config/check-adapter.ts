import type { Adapter } from "../model/adapter.ts";
import type { AuthConfig } from "../model/config.ts";
import { MissingAdapter, MissingAdapterMethods } from "../model/errors.ts";
import type { ResolvedProvider } from "../model/resolved-config.ts";

type MethodName = keyof Adapter;

/** What each part of a configuration asks of the database (contract 13). */
const NEEDED = {
  database: ["createSession", "getSessionAndUser", "updateSession", "deleteSession"],
  oauth: ["getUser", "getUserByAccount", "getUserByEmail", "createUser", "linkAccount"],
  email: ["getUserByEmail", "createUser", "updateUser", "createVerificationToken", "useVerificationToken"],
  credentials: ["getUser"],
  webauthn: [
    ...(["getUser", "getUserByAccount", "getUserByEmail", "createUser", "linkAccount"] as const),
    ...(["getAuthenticator", "createAuthenticator", "listAuthenticatorsByUserId"] as const),
    ...(["updateAuthenticatorCounter", "createVerificationToken", "useVerificationToken"] as const),
  ],
} as const satisfies Record<string, readonly MethodName[]>;

/** `database` with an adapter, else `jwt`, unless the configuration says otherwise (spec 5.4). */
export function resolveStrategy(given: AuthConfig): "jwt" | "database" {
  return given.session?.strategy ?? (given.adapter === undefined ? "jwt" : "database");
}

/**
 * Checks that the adapter can do what the configuration needs, and names everything that it cannot.
 *
 * @throws MissingAdapter, MissingAdapterMethods.
 */
export function requireAdapterMethods(given: AuthConfig, providers: Iterable<ResolvedProvider>): void {
  const strategy = resolveStrategy(given);
  const kinds = new Set([...providers].map((provider) => provider.kind));
  const { adapter } = given;
  if (adapter === undefined) {
    if (strategy === "database") throw new MissingAdapter('`session.strategy: "database"` needs an `adapter`.');
    if (kinds.has("email"))
      throw new MissingAdapter("Sign-in by e-mail needs an `adapter`, to keep the tokens of links.");
    if (kinds.has("webauthn")) throw new MissingAdapter("Passkeys need an `adapter`, to keep their public keys.");
    return;
  }
  const needed = new Set<MethodName>([
    ...(strategy === "database" ? NEEDED.database : []),
    ...(kinds.has("oauth") ? NEEDED.oauth : []),
    ...(kinds.has("email") ? NEEDED.email : []),
    ...(kinds.has("webauthn") ? NEEDED.webauthn : []),
    ...(kinds.has("credentials") && strategy === "database" ? NEEDED.credentials : []),
  ]);
  const missing = [...needed].filter((method) => typeof adapter[method] !== "function");
  if (missing.length === 0) return;
  throw new MissingAdapterMethods(`The adapter lacks methods that this configuration needs: ${missing.join(", ")}.`, {
    cause: { missing },
  });
}
