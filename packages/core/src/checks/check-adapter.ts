import { resolveStrategy } from "../config/resolve-session.ts";
import type { Adapter, AdapterMethod } from "../model/adapter.ts";
import type { AuthConfig } from "../model/config.ts";
import { MissingAdapter, MissingAdapterMethods } from "../model/errors.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";
import type { Problem } from "../model/sign-in-method.ts";

/** The adapter methods that each part of a configuration requires. */
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

/**
 * Finds the adapter methods that the configuration requires and the adapter lacks. Never throws.
 *
 * @param types of all providers, including those with other problems.
 */
export function findAdapterProblems(given: AuthConfig, types: ReadonlySet<unknown>): Problem[] {
  const strategy = resolveStrategy(given);
  const { adapter } = given;
  if (adapter === undefined) {
    const reasons = [
      ...(strategy === "database" ? ['`session.strategy: "database"` needs it'] : []),
      ...(types.has("email") ? ["e-mail sign-in stores link tokens in it"] : []),
      ...(types.has("webauthn") ? ["passkeys are stored in it"] : []),
    ];
    if (reasons.length === 0) return [];
    const message = `is missing: ${reasons.join("; ")}`;
    return [{ option: "adapter", message, error: (text) => new MissingAdapter(text) }];
  }
  const needed = new Set<AdapterMethod>([
    ...(strategy === "database" ? NEEDED.database : []),
    ...(types.has("oidc") || types.has("oauth") ? NEEDED.oauth : []),
    ...(types.has("email") ? NEEDED.email : []),
    ...(types.has("webauthn") ? NEEDED.webauthn : []),
    ...(types.has("credentials") && strategy === "database" ? NEEDED.credentials : []),
  ]);
  const missing = [...needed].filter((method) => typeof adapter[method] !== "function");
  if (missing.length === 0) return [];
  const message = `lacks methods that this configuration needs: ${missing.join(", ")}`;
  return [{ option: "adapter", message, error: (text) => new MissingAdapterMethods(text, { cause: { missing } }) }];
}

/** Attempts at codes are counted in the store. Without one, every process, or even every request, would start counting at 0. */
export function findCodeProblems({ store, adapter }: AuthConfig, providers: Iterable<ResolvedProvider>): Problem[] {
  const sender = [...providers].find((one) => one.kind === "email" && one.code !== undefined);
  if (sender === undefined || store !== undefined || (adapter as Adapter | undefined)?.store !== undefined) return [];
  return [
    {
      option: "store",
      message: `is missing: \`code\` of provider "${sender.id}" requires it (docs/stores.md)`,
    },
  ];
}
