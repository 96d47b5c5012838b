import type { Parts } from "../config/parts.ts";
import type { SignInContext } from "../model/callbacks.ts";
import { loadOnce } from "../model/load-once.ts";
import type { Session } from "../model/records.ts";
import { attachHandle } from "./application-handle.ts";
import { type AuthFunction, addTo, createAuthFunction, requireRequest } from "./auth-function.ts";
import type { AuthorizationParams } from "./begin-sign-in.ts";
import { signOut, startSignIn, updateSession } from "./change-session.ts";
import { type ConfigSource, createConfigResolver, DEFAULT_BASE_PATH } from "./config-resolver.ts";
import { assumeSession } from "./read-session.ts";
import { respond } from "./respond.ts";

/** Options of `signIn` (docs/behaviour.md#sign-in); other keys are the fields of a form. */
export interface SignInOptions {
  /** Destination afterwards; default: the page that sent the request, or the base URL if that is unknown or one of Cardea's own pages. */
  redirectTo?: string | undefined;
  /** `false` does not redirect: the result is the URL, or a response with 200 and `{ url }`. */
  redirect?: boolean | undefined;
  /** A field of the form, like all others. Your own data is the last argument of `signIn`, which no form contains. */
  context?: string | undefined;
  /** Further fields of the form. */
  [field: string]: unknown;
}

/**
 * Arguments of `signIn` in server code, after those of the framework. The options may be the form of a visitor. `context` is your
 * own data for `callbacks.signIn`, `callbacks.jwt` and `events.createUser` (docs/callbacks.md#own-data-through-a-sign-in).
 */
export type SignInArguments = readonly [
  provider?: string,
  options?: FormData | SignInOptions | null,
  authorizationParams?: AuthorizationParams,
  context?: SignInContext,
];

/** Options of `signOut` (docs/behaviour.md#sign-in). */
export interface SignOutOptions extends Pick<SignInOptions, "redirectTo" | "redirect"> {
  /** Whether to also end the session at its provider; default: the configuration of `logout()` from `@cardea/logout`. */
  federated?: boolean | undefined;
}

/** The result of `createAuth`, for the Fetch API's `Request` and `Response`. */
export interface AuthInstance<S = Session> {
  /** Handles requests below the base path. Never throws because of client input. */
  readonly handlers: {
    readonly GET: (request: Request) => Promise<Response>;
    readonly POST: (request: Request) => Promise<Response>;
    /** Only needed with the option `origins`. */
    readonly OPTIONS: (request: Request) => Promise<Response>;
  };
  /** Reads the session, or guards a handler. */
  readonly auth: AuthFunction<S>;
  /**
   * Starts a sign-in and returns the redirect: to the provider, or without one to the sign-in page. Throws AuthError
   * (docs/errors.md).
   */
  readonly signIn: (request: Request, ...given: SignInArguments) => Promise<Response>;
  /** Ends the session and returns the redirect; throws SignOutError. */
  readonly signOut: (request: Request, options?: SignOutOptions | null) => Promise<Response>;
  /** Changes the session; its cookies are added to `responseHeaders`. Unstable (docs/configuration.md). */
  readonly unstable_update: (request: Request, data: unknown, responseHeaders?: Headers) => Promise<S | null>;
}

/** Sets up authentication with some parts of core; see `createAuth` in `standard.ts`. */
export function createAuthWith<S>(parts: Parts, config: ConfigSource<S>): AuthInstance<S> {
  const resolve = createConfigResolver(config, parts, DEFAULT_BASE_PATH);
  const handle = (request: Request) => respond(requireRequest(request), resolve);
  return attachHandle(resolve, {
    handlers: { GET: handle, POST: handle, OPTIONS: handle },
    auth: createAuthFunction<S>(resolve),
    signIn: async (request, provider, options, ...own) => {
      requireRequest(request, "signIn()");
      const { redirectResponse, toFields } = await loadRedirect();
      const fields = toFields(options);
      const { url, cookies } = await startSignIn(await resolve(request), request, provider, fields, ...own);
      return redirectResponse(url, cookies, fields.get("redirect") === false);
    },
    signOut: async (request, options) => {
      requireRequest(request, "signOut()");
      const { redirectResponse } = await loadRedirect();
      const { url, cookies } = await signOut(await resolve(request), request, options);
      return redirectResponse(url, cookies, options?.redirect === false);
    },
    unstable_update: async (request, data, responseHeaders) => {
      requireRequest(request, "unstable_update()");
      const { session, cookies } = await updateSession(await resolve(request), request, data);
      await addTo(responseHeaders, cookies);
      return assumeSession<S>(session);
    },
  });
}

const loadRedirect = loadOnce(() => import("./redirect-response.ts"));
