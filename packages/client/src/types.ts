import type { AuthorizationParams, PublicProvider, Session } from "@cardea/core";

/** Where the server is. */
export interface ClientOptions {
  /** The path that the server's actions are below; default `/api/auth`. */
  readonly basePath?: string | undefined;
  /** The origin of the server, e.g. `https://app.example.com`; default that of the page. */
  readonly baseUrl?: string | undefined;
}

/** Where to go afterwards, and whether to go. */
export interface RedirectOptions<Redirect extends boolean = boolean> {
  /** Where to go afterwards, on the same origin unless `callbacks.redirect` says otherwise; default the current page. */
  redirectTo?: string | undefined;
  /** The former name of `redirectTo`, which comes first. */
  callbackUrl?: string | undefined;
  /** `false` stays on the page and resolves to what happened; default `true`. */
  redirect?: Redirect | undefined;
}

/** Options of `signIn`; further keys are the fields of a credentials or e-mail form, sent as text unless null or undefined. */
export interface SignInOptions<Redirect extends boolean = boolean> extends RedirectOptions<Redirect> {
  [field: string]: unknown;
}

/** What happened to a sign-in or sign-out that does not redirect. */
export interface SignInResponse {
  /** Whether it went well: for credentials, that somebody is signed in; for other providers, that `url` is where to go on. */
  readonly ok: boolean;
  /** What the sign-in or error page would be told, e.g. `CredentialsSignin`; `ClientFetchError` when the server was not reached. */
  readonly error?: string | undefined;
  /** The `code` of a `CredentialsSignin` error. */
  readonly code?: string | undefined;
  /** The HTTP status of the answer, which is 200 for refused credentials too; 0 when there was none. */
  readonly status: number;
  /** Where to go; null when it did not go well. */
  readonly url: string | null;
}

/**
 * Begins a sign-in. By default it goes on to the provider, to the place to be after sign-in, or to a page that says what is
 * wrong; rejects with ClientFetchError when the server cannot be reached. With `redirect: false` it stays on the page and
 * resolves to what happened; a server that cannot be reached is `ok: false`, too.
 *
 * @param provider id of a provider; absent or unknown: the sign-in page is where to go.
 * @param authorizationParams sent along to the authorization endpoint of the provider.
 */
export type SignIn = <Redirect extends boolean = true>(
  provider?: string,
  options?: SignInOptions<Redirect>,
  authorizationParams?: AuthorizationParams,
) => Promise<Redirect extends true ? void : SignInResponse>;

/**
 * Ends the session and goes to `redirectTo`; with `redirect: false` it stays on the page. Either way it rejects with
 * ClientFetchError when the server cannot be reached: the session may still be there.
 */
export type SignOut = <Redirect extends boolean = true>(
  options?: RedirectOptions<Redirect>,
) => Promise<Redirect extends true ? void : SignInResponse>;

/** The calls that a page can make. Every one works on its own: `const { signIn } = createClient()`. */
export interface AuthClient<S = Session> {
  /**
   * The session, or null when nobody is signed in.
   *
   * @throws ClientFetchError when the server cannot be reached or cannot say (503): that is no sign-out.
   */
  readonly getSession: (options?: { readonly signal?: AbortSignal | undefined }) => Promise<S | null>;
  /** The token that each POST must hold; empty where the server has CSRF protection off. Rejects with ClientFetchError. */
  readonly getCsrfToken: () => Promise<string>;
  /** The configured providers. Rejects with ClientFetchError. */
  readonly getProviders: () => Promise<PublicProvider[]>;
  readonly signIn: SignIn;
  readonly signOut: SignOut;
}
