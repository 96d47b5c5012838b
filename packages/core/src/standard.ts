import type { Database } from "./accounts/call-adapter.ts";
import { createReadAccounts } from "./accounts/create-read-accounts.ts";
import { checkConfig } from "./checks/check-config.ts";
import type { Parts } from "./config/parts.ts";
import { credentials } from "./credentials/method.ts";
import { email } from "./email/method.ts";
import type { AuthConfig, raw } from "./model/config.ts";
import type { ActionContext } from "./model/context.ts";
import { loadOnce, onFirstCall } from "./model/load-once.ts";
import type { Session } from "./model/records.ts";
import type { ResponseInternal } from "./model/result.ts";
import { oauth } from "./oauth/method.ts";
import type { ConfigSource, SessionFirst } from "./server/config-resolver.ts";
import { type AuthInstance, createAuthWith } from "./server/create-auth.ts";
import { handleWith } from "./server/respond.ts";
import type { Accounts } from "./session/accounts.ts";

const loadConfirm = loadOnce(() => import("./accounts/confirm-address.ts"));
const show = async (context: ActionContext) => (await loadConfirm()).confirmAddressPage(context);

/** The users, accounts and sessions of a database. Their code is loaded with the first call. */
function createAccounts(database: Database): Accounts {
  const open = loadOnce(async () => (await import("./accounts/open-accounts.ts")).openAccounts(database));
  return {
    ...createReadAccounts(database),
    find: onFirstCall(async () => (await open()).find),
    decide: async (...given) => (await open()).decide(...given),
    addresses: onFirstCall(async () => (await open()).addresses),
    actions: {
      "GET confirm-address": { run: show },
      "POST confirm-address": { run: async (context) => (await loadConfirm()).confirmAddress(context), stale: show },
    },
  };
}

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
