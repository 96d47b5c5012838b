import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { guardOf } from "../context/create-context.ts";
import { originalRequest } from "../context/request-facts.ts";
import { MARK_FIELD } from "../cookies/pending.ts";
import { toError } from "../model/auth-error.ts";
import type { ActionContext, BodyFields, FlowContext } from "../model/context.ts";
import { CallbackRouteError, CredentialsSignin } from "../model/errors.ts";
import type { CredentialsIdentity } from "../model/identity.ts";
import type { ResolvedCredentialsProvider } from "../model/resolved-provider.ts";
import type { Finished, LoadedMethod, Proven } from "../model/sign-in-method.ts";
import type { Seconds } from "../model/units.ts";
import { type IdentifiedUser, parseIdentifiedUser } from "../protocol/same-id.ts";
import { addressesOf } from "../session/accounts.ts";
import { allowAttempt, prove } from "../sign-in/allow-attempt.ts";
import { resolveCallbackUrl } from "../sign-in/redirect.ts";
import { PAGE_FIELD } from "../sign-in/two-users.ts";

/** Fields of the library, which are never passed to the application. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  MARK_FIELD,
  PAGE_FIELD,
  "csrfToken",
  "callbackUrl",
  "redirect",
  "redirectTo",
  "json",
]);

/**
 * Asks the application to verify credentials (docs/behaviour.md#credentials).
 *
 * 1. `callbacks.allowAttempt` is called first; a denial is a CredentialsSignin with the code `too_many_attempts`.
 * 2. `authorize` receives string values only, byte for byte, and if the provider declares fields, only those.
 * 3. null, undefined and false, and a thrown CredentialsSignin, mean that the credentials are invalid.
 * 4. Any other error, and a user without an id, is for the operator to fix.
 *
 * @param request the second argument of `authorize`, with a readable body.
 * @throws CredentialsSignin, CallbackRouteError.
 */
async function proveCredentials(
  context: FlowContext,
  provider: ResolvedCredentialsProvider,
  fields: BodyFields,
  request: Request,
): Promise<Pick<Proven<CredentialsIdentity>, "identity" | "attempt">> {
  const credentials = selectFields(context, provider, fields);
  for (const value of Object.values(credentials)) context.redact(value);
  const asked = { provider: provider.id, type: "credentials", credentials, request } as const;
  const answer = await allowAttempt(context, asked);
  if (!answer.allow) throw tooManyAttempts(answer);
  const { attempt } = answer;
  const authorize = authorizeOf(context, provider);
  const user = await prove(context, attempt, () => callAuthorize(provider.id, () => authorize(credentials, request)));
  const account = { provider: provider.id, type: "credentials", providerAccountId: user.id } as const;
  const startedFor = await addressesOf(context)?.startedFor(context, fields);
  return { identity: { kind: "credentials", user, account, credentials, startedFor }, attempt };
}

/** The credentials form of a browser. */
async function finishCredentials(
  context: ActionContext,
  provider: ResolvedCredentialsProvider,
): Promise<Finished<CredentialsIdentity>> {
  const { request } = context;
  const callbackUrl = await resolveCallbackUrl(context);
  const proven = await proveCredentials(context, provider, request.body, originalRequest(request));
  return { ...proven, callbackUrl };
}

/** What signs in with credentials. */
export const credentialsMethod: LoadedMethod<ResolvedCredentialsProvider> = {
  proof: () => ({ method: "pwd" }),
  prove: async (context, provider, { fields, request, callbackUrl, context: own }) => {
    const { identity, attempt } = await proveCredentials(context, provider, fields, request());
    return { identity: { ...identity, context: own }, attempt, callbackUrl };
  },
  // The form posts to the callback.
  method: () => "POST",
  finish: finishCredentials,
};

/** The provider's own check, or that of its extension. */
function authorizeOf(context: FlowContext, provider: ResolvedCredentialsProvider) {
  const { extension } = provider;
  const guard = guardOf(context.config);
  if (guard === undefined || extension?.authorize === undefined) return provider.authorize;
  return (credentials: Record<string, string>, request: Request) =>
    guard.authorize(context, extension, credentials, request);
}

function tooManyAttempts({ code, retryAfter }: { readonly code: string; readonly retryAfter: Seconds | undefined }) {
  const refusal = new CredentialsSignin("Too many attempts.", { cause: { retryAfter } });
  refusal.code = code;
  return refusal;
}

function selectFields(
  context: FlowContext,
  provider: ResolvedCredentialsProvider,
  fields: ReadonlyMap<string, unknown>,
): Record<string, string> {
  const declared = new Set(Object.keys(provider.credentials));
  const selected: [string, string][] = [];
  for (const [name, value] of fields) {
    if (OWN_FIELDS.has(name) || name === "__proto__") continue;
    const wanted = declared.size === 0 || declared.has(name);
    if (wanted && typeof value === "string") selected.push([name, value]);
    else context.logger.debug("a field was not passed to authorize()", { provider: provider.id, declared: wanted });
  }
  return Object.fromEntries(selected);
}

async function callAuthorize(provider: string, authorize: () => unknown): Promise<IdentifiedUser> {
  let user: unknown;
  let parsed: IdentifiedUser | null;
  try {
    user = await withTimeout(APPLICATION_TIMEOUT_MS, authorize());
    parsed = parseIdentifiedUser(user);
  } catch (error) {
    const refusal = parseRefusal(error);
    if (refusal !== null) throw refusal;
    throw new CallbackRouteError(`authorize() of provider "${provider}" threw.`, {
      cause: { err: toError(error), provider },
    });
  }
  if (user === null || user === undefined || user === false) {
    const hint = user === undefined ? " authorize() returned undefined: return a user, or null." : "";
    throw new CredentialsSignin(`Invalid credentials.${hint}`, { cause: { provider } });
  }
  if (parsed !== null) return parsed;
  throw new CallbackRouteError(
    `authorize() of provider "${provider}" must return null, or a user whose \`id\` is a string of 1 to 255 characters or a safe integer.`,
    { cause: { provider } },
  );
}

/** Recognises CredentialsSignin of any copy of the library, including subclasses; the `code` is kept. */
function parseRefusal(error: unknown): CredentialsSignin | null {
  if (!(error instanceof Error) || !("type" in error) || error.type !== "CredentialsSignin") return null;
  if (error instanceof CredentialsSignin) return error;
  const refusal = new CredentialsSignin(error.message);
  if ("code" in error && typeof error.code === "string") refusal.code = error.code;
  return refusal;
}
