import { createAccounts } from "./accounts/create-accounts.ts";
import { checkConfig } from "./checks/check-config.ts";
import type { Parts } from "./config/parts.ts";
import { credentials } from "./credentials/method.ts";
import { email } from "./email/method.ts";
import type { AuthConfig, raw } from "./model/config.ts";
import type { Session } from "./model/records.ts";
import type { ResponseInternal } from "./model/result.ts";
import { oauth } from "./oauth/method.ts";
import type { ConfigSource, SessionFirst } from "./server/config-resolver.ts";
import { type AuthInstance, createAuthWith } from "./server/create-auth.ts";
import { handleWith } from "./server/respond.ts";

/** The parts that every default entry point brings, so that a configuration needs to name none. */
export const standardParts: Parts = {
  methods: [oauth, email, credentials],
  checks: checkConfig,
  accounts: createAccounts,
};

/**
 * Sets up authentication for any server built on `Request` and `Response`.
 *
 * @param config a configuration, or a function that returns one for a request.
 * @throws InvalidConfiguration, MissingSecretError: immediately for a configuration object, with a function on each request.
 */
export function createAuth<S = Session, A = S>(
  config: ConfigSource<S, A> & SessionFirst<S, A>,
): AuthInstance<Awaited<S>>;
export function createAuth<S>(config: ConfigSource<S>): AuthInstance<S> {
  return createAuthWith(standardParts, config);
}

/** For framework adapters: with `raw` set, resolves to the parts of the response, or rejects with AuthError. */
export function Auth<S = Session, A = S>(
  request: Request,
  config: AuthConfig<S, A> & { readonly raw: typeof raw },
): Promise<ResponseInternal>;
/**
 * Handles one request to the endpoints below the base path. Never throws because of client input; an invalid configuration
 * is logged, the response is 500, and access is denied (docs/behaviour.md#startup).
 *
 * @param config resolved once per object: keep it in a constant. Objects that are created per request with the same secret
 *   count as one application and share its limits.
 */
export function Auth<S = Session, A = S>(request: Request, config: Omit<AuthConfig<S, A>, "raw">): Promise<Response>;
export function Auth(request: Request, config: AuthConfig): Promise<Response | ResponseInternal> {
  return handleWith(standardParts, request, config);
}
