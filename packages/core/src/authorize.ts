import { AuthError, CallbackRouteError, SessionUnavailable } from "./model/errors.ts";
import type { Session } from "./model/records.ts";
import type { ResolvedConfig } from "./model/resolved-config.ts";
import { toError } from "./model/to-error.ts";
import { type OperationRequest, publicOriginOf, readSession, type WithCookies } from "./read-session.ts";
import { unavailableResponse } from "./response/plain-response.ts";
import { APPLICATION_TIMEOUT_MS, within } from "./session/within.ts";

/** Whether a request may go on. With `deny` the response is the whole answer, but for the cookies. */
export type Authorization = WithCookies & { readonly session: Session | null } & (
    | { readonly kind: "allow" }
    | { readonly kind: "deny"; readonly response: Response }
  );

/**
 * Reads the session of a request and asks `callbacks.authorized` whether it may go on (spec 6).
 *
 * 1. Without the callback every request may; the actions themselves and the application's own sign-in and error pages
 *    always may, so that nobody is sent in a circle.
 * 2. `true` lets it go on. A `Response` is the answer instead.
 * 3. Anything else denies: people go to the sign-in page, with the way back as its only parameter (safety H042); programs
 *    get 401.
 *
 * @param request its `url` names the page that was asked for.
 * @param takenOff what the framework took off the front of that page's path.
 * @throws CallbackRouteError when the callback threw: nobody is let in by a failure (safety H347); SessionUnavailable.
 */
export async function authorizeRequest(
  config: ResolvedConfig,
  request: Request,
  takenOff = "",
): Promise<Authorization> {
  const { session, cookies } = await readSession(config, request, "renew");
  const { authorized } = config.callbacks;
  const page = new URL(request.url);
  page.pathname = `${takenOff}${page.pathname}`;
  if (authorized === undefined || isOwnPage(config, page)) return { kind: "allow", session, cookies };
  const verdict: unknown = await ask(() => authorized({ request, auth: session }));
  if (verdict === true) return { kind: "allow", session, cookies };
  const response = verdict instanceof Response ? verdict : denial(config, request, page);
  return { kind: "deny", response, session, cookies };
}

/**
 * What a request gets whose session could not be read: 503 with `Retry-After`, and nobody is let in (contract 6). For the
 * `catch` of {@link authorizeRequest}, where the caller answers requests itself; throws everything else on.
 */
export function denyUnavailable(thrown: unknown): Authorization {
  if (thrown instanceof SessionUnavailable) {
    return { kind: "deny", response: unavailableResponse(), session: null, cookies: [] };
  }
  throw thrown;
}

async function ask(call: () => unknown): Promise<unknown> {
  try {
    return await within(APPLICATION_TIMEOUT_MS, call());
  } catch (error) {
    throw new CallbackRouteError("callbacks.authorized threw.", {
      cause: { err: toError(error), callback: "authorized" },
    });
  }
}

function isOwnPage(config: ResolvedConfig, { pathname, origin }: URL): boolean {
  const { signIn, error } = config.pages;
  const pages = [signIn, error].filter((page) => page !== undefined).map((page) => new URL(page, origin).pathname);
  return pathname === config.basePath || pathname.startsWith(`${config.basePath}/`) || pages.includes(pathname);
}

function denial(config: ResolvedConfig, request: Request, { pathname, search }: URL): Response {
  const headers = { "cache-control": "private, no-cache, no-store" };
  const origin = isNavigation(request) ? trustedOrigin(config, request) : null;
  if (origin === null) return new Response(null, { status: 401, headers });
  const page = new URL(config.pages.signIn ?? `${config.basePath}/signin`, origin);
  page.searchParams.set("callbackUrl", `${pathname}${search}`);
  return new Response(null, { status: 302, headers: { ...headers, location: page.href } });
}

/** null for a host that may not be trusted: that was logged when the session was read. */
function trustedOrigin(config: ResolvedConfig, request: OperationRequest): string | null {
  try {
    return publicOriginOf(config, request);
  } catch (error) {
    if (error instanceof AuthError) return null;
    throw error;
  }
}

/** Browsers say what a request is for (Fetch Metadata); of others only a GET can be led elsewhere. */
function isNavigation(request: Request): boolean {
  const mode = request.headers.get("sec-fetch-mode");
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && (mode === null || mode === "navigate");
}
