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

/** Options of `signOut`, under their Auth.js name. */
export type SignOutParams<Redirect extends boolean = true> = RedirectOptions<Redirect>;

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

/**
 * Options of `signInWithPasskey` and `registerPasskey`; further keys are what the provider asks for, `email` by default, sent as
 * text unless null or undefined.
 */
export interface PasskeyOptions extends RedirectOptions {
  /** Id of the provider; default `passkey`. */
  provider?: string | undefined;
  /** Ends what the browser asks the person; what they have answered already is sent. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for which the browser asks; default what the server says. */
  timeout?: number | undefined;
  [field: string]: unknown;
}

/** Options of `signInWithPasskey`. */
export interface PasskeySignInOptions extends PasskeyOptions {
  /**
   * Offers passkeys in the `<input autocomplete="username webauthn">` of the page instead of asking at once (conditional UI), for
   * as long as the page is there and no other passkey call is made.
   */
  autofill?: boolean | undefined;
}

/**
 * Why there is no answer of an authenticator, or none of the server:
 *
 * - `Aborted`: by `signal`, or because another passkey call was made.
 * - `Cancelled`: the person said no, or there is no passkey of theirs here. Browsers do not tell which.
 * - `TimedOut`: nobody answered in time.
 * - `NotSupported`: this browser has no passkeys, no autofill where that was asked for, or none for the address of this page.
 * - `NoAuthenticator`: no device here can do what was asked.
 * - `AlreadyRegistered`: the device has a passkey for that account.
 * - `ClientFetchError`: the server was not reached or gave no answer of use; `status` is that of its answer, 0 when there was none.
 */
export type PasskeyFailure =
  | "Aborted"
  | "Cancelled"
  | "TimedOut"
  | "NotSupported"
  | "NoAuthenticator"
  | "AlreadyRegistered"
  | "ClientFetchError";

/** What happened to a passkey call. */
export type PasskeyResponse =
  | {
      readonly ok: true;
      /** The HTTP status of the server's answer. */
      readonly status: number;
      /** Where to go. */
      readonly url: string;
    }
  | {
      readonly ok: false;
      /** The server did not accept the passkey. */
      readonly error: "Refused";
      /** What the sign-in or error page would be told, e.g. `AccessDenied`. */
      readonly reason: string;
      readonly code?: string | undefined;
      readonly status: number;
      readonly url: null;
    }
  | { readonly ok: false; readonly error: PasskeyFailure; readonly status: number; readonly url: null };

/**
 * Signs in with a passkey. Goes to `redirectTo`, or to the page that says why the server refused; with `redirect: false`, and
 * where the server had no say, it stays. Resolves to what happened either way. Rejects only for a mistake of the page, such
 * as `autofill` without a field for it.
 */
export type SignInWithPasskey = (options?: PasskeySignInOptions) => Promise<PasskeyResponse>;

/**
 * Makes a passkey: for the person who is signed in, or else for a new account with what the options say. Goes and resolves
 * like {@link SignInWithPasskey}.
 */
export type RegisterPasskey = (options?: PasskeyOptions) => Promise<PasskeyResponse>;

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
  readonly signInWithPasskey: SignInWithPasskey;
  readonly registerPasskey: RegisterPasskey;
}
