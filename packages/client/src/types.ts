import type { AuthorizationParams, PublicProvider, Session } from "@cardea/core";

/** Location of the server. */
export interface ClientOptions {
  /** Path of the server's endpoints; default `/api/auth`. */
  readonly basePath?: string | undefined;
  /**
   * Origin of the server, e.g. `https://api.example.com`; default: the origin of the page. Another one must be of the same site, and
   * list the page's in its option `origins` (docs/single-page-applications.md).
   */
  readonly baseUrl?: string | undefined;
}

/** Destination after the operation, and whether to redirect. */
export interface RedirectOptions<Redirect extends boolean = boolean> {
  /** Destination afterwards, on the origin of the server or one of its `origins`, unless `callbacks.redirect` allows others; default: the current page. */
  redirectTo?: string | undefined;
  /** The former name of `redirectTo`, which takes precedence. */
  callbackUrl?: string | undefined;
  /** `false` stays on the page and resolves to the result; default `true`. */
  redirect?: Redirect | undefined;
}

/** Options of `signOut`, under their Auth.js name. */
export interface SignOutParams<Redirect extends boolean = true> extends RedirectOptions<Redirect> {
  /** Whether to also end the session at its provider; default: the configuration of `logout()` from `@cardea/logout`. */
  readonly federated?: boolean | undefined;
}

/** Options of `signIn`; other keys are fields of a credentials or e-mail form, sent as text unless null or undefined. */
export interface SignInOptions<Redirect extends boolean = boolean> extends RedirectOptions<Redirect> {
  /** Further fields of the form. */
  [field: string]: unknown;
}

/** Result of a sign-in or sign-out that does not redirect. */
export interface SignInResponse {
  /** Whether it succeeded. With credentials, the user is then signed in; with other providers, continue at `url`. */
  readonly ok: boolean;
  /**
   * The error type that the page would receive, e.g. `CredentialsSignin`; `ClientFetchError` if the server is unreachable.
   */
  readonly error?: string | undefined;
  /**
   * The `code` of a `CredentialsSignin` error. Without an `error`: the step that is required before the user is signed in, such as
   * `factor`; its page is `url`.
   */
  readonly code?: string | undefined;
  /** The HTTP status of the response, which is 200 even for rejected credentials; 0 if there was no response. */
  readonly status: number;
  /** Where to continue; null if it failed. */
  readonly url: string | null;
}

/**
 * Starts a sign-in. By default the page is redirected to the provider, to the destination after sign-in, or to a page that
 * shows the error; rejects with ClientFetchError if the server is unreachable. With `redirect: false` it stays on the page
 * and resolves to the result, with `ok: false` also for an unreachable server.
 *
 * @param provider id of a provider; absent or unknown: opens the sign-in page.
 * @param authorizationParams additional parameters for the provider's authorization endpoint.
 */
export type SignIn = <Redirect extends boolean = true>(
  provider?: string,
  options?: SignInOptions<Redirect>,
  authorizationParams?: AuthorizationParams,
) => Promise<Redirect extends true ? void : SignInResponse>;

/**
 * Ends the session and redirects to `redirectTo`; with `redirect: false` it stays on the page. Rejects with
 * ClientFetchError if the server is unreachable: the session may still exist.
 */
export type SignOut = <Redirect extends boolean = true>(
  options?: RedirectOptions<Redirect>,
) => Promise<Redirect extends true ? void : SignInResponse>;

/**
 * Options of `signInWithPasskey` and `registerPasskey`; other keys are fields that the provider requires, by default
 * `email`, sent as text unless null or undefined.
 */
export interface PasskeyOptions extends RedirectOptions {
  /** Id of the provider; default `passkey`. */
  provider?: string | undefined;
  /** Aborts the browser prompt; a response that the user has already given is sent. */
  signal?: AbortSignal | undefined;
  /** Milliseconds before the browser prompt times out; default: set by the server. */
  timeout?: number | undefined;
  /** Further fields of the form. */
  [field: string]: unknown;
}

/** Options of `signInWithPasskey`. */
export interface PasskeySignInOptions extends PasskeyOptions {
  /**
   * Offers passkeys in the page's `<input autocomplete="username webauthn">` instead of prompting immediately (conditional
   * UI), until the page is left or another passkey call is made.
   */
  autofill?: boolean | undefined;
}

/** Options of `registerPasskey`. */
export interface PasskeyRegisterOptions extends PasskeyOptions {
  /**
   * Creates the passkey without a prompt, for the signed-in user, if the browser has just filled in their password (conditional create). Requires
   * `conditionalCreate` of the server's provider. Pass `redirect: false` as well: the page goes on, whatever the result.
   */
  conditional?: boolean | undefined;
}

/** Options of `signalPasskeys`. */
export interface SignalPasskeysOptions {
  /** Id of the provider; default `passkey`. */
  readonly provider?: string | undefined;
  /** `credentialID` of a passkey that was just removed from the user. */
  readonly removed?: string | undefined;
}

/**
 * Tells the device which passkeys the signed-in user still has, and the user's name, so that it stops offering others (WebAuthn Signal API). Call
 * it after a passkey was removed or a user renamed; sign-in and registration do it themselves. A hint: resolves in any case, also in browsers
 * without this API.
 */
export type SignalPasskeys = (options?: SignalPasskeysOptions) => Promise<void>;

/**
 * Why there is no response of an authenticator, or of the server:
 *
 * - `Aborted`: by `signal`, or because another passkey call was made.
 * - `Cancelled`: the user cancelled, or has no passkey here. Browsers do not distinguish the two.
 * - `TimedOut`: the prompt timed out.
 * - `NotSupported`: the browser does not support passkeys, or what was requested of autofill and `conditional`, or does not allow
 *   them at this address.
 * - `NoAuthenticator`: no available authenticator meets the requirements.
 * - `AlreadyRegistered`: the device already has a passkey for that account.
 * - `ClientFetchError`: the server is unreachable or sent an unusable response; `status` is its status, 0 if there was
 *   none.
 */
export type PasskeyFailure =
  | "Aborted"
  | "Cancelled"
  | "TimedOut"
  | "NotSupported"
  | "NoAuthenticator"
  | "AlreadyRegistered"
  | "ClientFetchError";

/** Result of a passkey call. */
export type PasskeyResponse =
  | {
      readonly ok: true;
      /** The HTTP status of the server's response. */
      readonly status: number;
      /** Where to continue. */
      readonly url: string;
    }
  | {
      readonly ok: false;
      /** The server rejected the passkey. */
      readonly error: "Refused";
      /** The error type that the page would receive, e.g. `AccessDenied`. */
      readonly reason: string;
      readonly code?: string | undefined;
      readonly status: number;
      readonly url: null;
    }
  | { readonly ok: false; readonly error: PasskeyFailure; readonly status: number; readonly url: null };

/**
 * Signs in with a passkey. Redirects to `redirectTo`, or to the page that shows why the server rejected it. Stays on the
 * page with `redirect: false`, and if the server was not involved. Resolves to the result in each case. Rejects only for a
 * mistake of the page, such as `autofill` without a field for it.
 */
export type SignInWithPasskey = (options?: PasskeySignInOptions) => Promise<PasskeyResponse>;

/**
 * Creates a passkey: for the signed-in user, or otherwise for a new account with the fields in the options. Redirects and
 * resolves like {@link SignInWithPasskey}.
 */
export type RegisterPasskey = (options?: PasskeyRegisterOptions) => Promise<PasskeyResponse>;

/** The functions of a client. Each can be used on its own: `const { signIn } = createClient()`. */
export interface AuthClient<S = Session> {
  /**
   * Resolves to the session, or null if no one is signed in.
   *
   * @throws ClientFetchError if the server is unreachable or the session unavailable (503): this does not mean “signed
   *   out”.
   */
  readonly getSession: (options?: { readonly signal?: AbortSignal | undefined }) => Promise<S | null>;
  /**
   * Resolves to the token that each POST must contain; empty if CSRF protection is disabled on the server. Rejects with
   * ClientFetchError.
   */
  readonly getCsrfToken: () => Promise<string>;
  /** Resolves to the configured providers. Rejects with ClientFetchError. */
  readonly getProviders: () => Promise<PublicProvider[]>;
  /** Starts a sign-in. */
  readonly signIn: SignIn;
  /** Signs out. */
  readonly signOut: SignOut;
  /** Signs in with a passkey. */
  readonly signInWithPasskey: SignInWithPasskey;
  /** Registers a passkey. */
  readonly registerPasskey: RegisterPasskey;
  /** Tells the device of changes to the user's passkeys. */
  readonly signalPasskeys: SignalPasskeys;
}
