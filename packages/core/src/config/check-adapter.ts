import type { AdapterMethod } from "../model/adapter.ts";
import type { AuthConfig } from "../model/config.ts";
import { MissingAdapter, MissingAdapterMethods } from "../model/errors.ts";
import type { ResolvedProvider } from "../model/resolved-config.ts";
import type { Problem } from "./resolution.ts";

/** What each part of a configuration needs of the database. */
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
} as const satisfies Record<string, readonly AdapterMethod[]>;

/** `database` with an adapter, else `jwt`, unless the configuration names one. */
export function resolveStrategy(given: AuthConfig): "jwt" | "database" {
  return given.session?.strategy ?? (given.adapter === undefined ? "jwt" : "database");
}

/**
 * Checks that the adapter can do what the configuration needs, and names everything that it cannot. Never throws.
 *
 * @param kinds of the providers, those with problems of their own included.
 */
export function findAdapterProblems(given: AuthConfig, kinds: ReadonlySet<ResolvedProvider["kind"]>): Problem[] {
  const strategy = resolveStrategy(given);
  const { adapter } = given;
  if (adapter === undefined) {
    const reasons = [
      ...(strategy === "database" ? ['`session.strategy: "database"` needs it'] : []),
      ...(kinds.has("email") ? ["sign-in by e-mail stores the tokens of links in it"] : []),
      ...(kinds.has("webauthn") ? ["passkeys store their public keys in it"] : []),
    ];
    if (reasons.length === 0) return [];
    const message = `is missing: ${reasons.join("; ")}`;
    return [{ option: "adapter", message, error: (text) => new MissingAdapter(text) }];
  }
  const needed = new Set<AdapterMethod>([
    ...(strategy === "database" ? NEEDED.database : []),
    ...(kinds.has("oauth") ? NEEDED.oauth : []),
    ...(kinds.has("email") ? NEEDED.email : []),
    ...(kinds.has("webauthn") ? NEEDED.webauthn : []),
    ...(kinds.has("credentials") && strategy === "database" ? NEEDED.credentials : []),
  ]);
  const missing = [...needed].filter((method) => typeof adapter[method] !== "function");
  if (missing.length === 0) return [];
  const message = `lacks methods that this configuration needs: ${missing.join(", ")}`;
  return [{ option: "adapter", message, error: (text) => new MissingAdapterMethods(text, { cause: { missing } }) }];
}
