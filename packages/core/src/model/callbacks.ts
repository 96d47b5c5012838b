import type { AdapterSession, AdapterUser } from "./adapter.ts";
import type { Account, Awaitable, DefaultSession, JWT, Profile, Session, User } from "./records.ts";

/** Parameters of `callbacks.signIn`. */
export interface SignInCallbackParams {
  /** The user from the database, or what the provider returned. */
  user: User | AdapterUser;
  /** The account that was used. */
  account: Account | null;
  /** The provider's claims about the user (oauth, oidc). */
  profile?: Profile | undefined;
  /** The submitted fields (credentials). */
  credentials?: Record<string, unknown> | undefined;
  /** `verificationRequest` is true before the e-mail is sent. */
  email?: { verificationRequest?: boolean | undefined } | undefined;
  /** The `context` that server code passed to `signIn()`, if any. */
  context?: SignInContext | undefined;
}

/** Parameters of `callbacks.jwt`: at sign-in with information about the user, afterwards only the token. */
export type JWTCallbackParams = JWTAtSignIn | JWTAfterSignIn;

/** Parameters of `callbacks.jwt` at sign-in. `account` and `user` are always present together. */
export interface JWTAtSignIn {
  /** The claims so far. */
  token: JWT;
  /** The user who signed in. */
  user: User | AdapterUser;
  /** The account that was used. */
  account: Account | null;
  /** The provider's claims about the user (oauth, oidc). */
  profile?: Profile | undefined;
  /** What caused the call. */
  trigger: "signIn" | "signUp";
  /** The `context` that server code passed to `signIn()`, if any. */
  context?: SignInContext | undefined;
  /**
   * Whether the sign-in created the user.
   *
   * @deprecated Use `trigger === "signUp"`.
   */
  isNewUser?: boolean | undefined;
  /** Set only on an update. */
  session?: undefined;
}

/** Parameters of `callbacks.jwt` when the session is read, renewed or updated. */
export interface JWTAfterSignIn {
  /** The claims of the session. */
  token: JWT;
  /** Set only at sign-in. */
  user?: undefined;
  /** Set only at sign-in. */
  account?: undefined;
  /** Set only at sign-in. */
  profile?: undefined;
  /** `update` when the application updated the session; absent when it is read. */
  trigger?: "update" | undefined;
  /** Set only at sign-in. */
  isNewUser?: undefined;
  /** Set only at sign-in. */
  context?: undefined;
  /**
   * With `trigger: "update"`: the data that the client sent, of any type. Validate it before copying members into the
   * token.
   */
  // biome-ignore lint/suspicious/noExplicitAny: callbacks written for Auth.js v5 read its members unchecked.
  session?: any;
}

/** Parameters of `callbacks.session`. */
export interface SessionCallbackParams {
  /**
   * Name, e-mail address and image, and when the session ends. With the `database` strategy, `expires` is a `Date` while
   * the callback runs, as in Auth.js. The returned value is converted to an ISO 8601 string, as the type declares.
   */
  session: Session & { user: User };
  /** The claims of the session token; `jwt` strategy only. */
  token: JWT;
  /** The user from the database; `database` strategy only. */
  user: AdapterUser;
  /** With `trigger: "update"`: the data that the client sent. Validate it. */
  newSession?: unknown;
  /** `update` when the application updated the session; absent when it is read. */
  trigger?: "update" | undefined;
}

/** Parameters of `callbacks.allowAttempt`. */
export interface AttemptParams {
  /** Id of the provider. */
  provider: string;
  /**
   * The operation that follows: calling `authorize()`, sending an e-mail or opening its link, creating passkey options or
   * verifying the passkey response. The path of `request` tells which: `signin`, `webauthn-options` or `callback`.
   */
  type: "credentials" | "email" | "webauthn";
  /** The normalised e-mail address; `email` only. */
  identifier?: string | undefined;
  /** The submitted fields, as `authorize()` will receive them; `credentials` only. */
  credentials?: Readonly<Record<string, unknown>> | undefined;
  /** The original request, with a readable body. */
  request: Request;
}

/**
 * Functions that decide outcomes (docs/callbacks.md). `S` is the session that `session` returns and `auth()` resolves to,
 * `A` the session that `authorized` receives, `R` the framework's request type.
 *
 * `A` is separate because TypeScript reads an object in the order in which it is written and fixes a type parameter at the first
 * function whose parameters need it: with one parameter, an `authorized` before `session` would fix the session as the base type.
 * `NoInfer` prevents inference from `authorized`, but not that the parameter is fixed there. One parameter for the whole object,
 * `session` returning `S & A`, and overloads for both orders lose the type of the session as well.
 */
export interface Callbacks<S = Session, A = S, R = Request> {
  /**
   * Rate-limits sign-in attempts: called before credentials are checked, an e-mail is sent or a passkey is verified (ASVS
   * 6.3.1). Any result other than `true`, or an exception, denies the attempt. For e-mail the response is then the usual
   * one.
   */
  allowAttempt?(params: AttemptParams): Awaitable<boolean>;
  /** Return `true` to continue, `false` (or throw) to deny, or a URL to redirect to. */
  signIn?(params: SignInCallbackParams): Awaitable<boolean | string>;
  /** Returns the destination after sign-in or sign-out. Default: the same origin only. */
  redirect?(params: { url: string; baseUrl: string }): Awaitable<string>;
  /** Returns the content of the session token, or null to end the session. */
  jwt?(params: JWTCallbackParams): Awaitable<JWT | null>;
  /**
   * Returns the session that the client sees. As in Auth.js, it may declare less than an augmented `Session` does, such as
   * an `id` that may be undefined.
   */
  session?(params: SessionCallbackParams): Awaitable<S | DefaultSession>;
  /**
   * Decides in middleware, and before wrapped handlers, whether a request may continue. Return `true` to continue, or a
   * response to send. Any other value denies access.
   */
  authorized?(params: { request: R; auth: A | null }): Awaitable<boolean | Response | undefined>;
}

/** The callbacks under their Auth.js v4 name, typed with the provider's profile and the account. */
export type CallbacksOptions<P = Profile, A = Account> = Omit<Callbacks, "signIn"> & {
  signIn?(
    params: Omit<SignInCallbackParams, "profile" | "account"> & { profile?: P; account: A | null },
  ): ReturnType<NonNullable<Callbacks["signIn"]>>;
};

/** Functions that observe (docs/callbacks.md). Their results are ignored; their errors are logged. */
export interface EventCallbacks {
  /** A user signed in. */
  signIn?(message: { user: User; account?: Account | null; profile?: Profile; isNewUser?: boolean }): Awaitable<void>;
  /** A session was ended: its record with a database, otherwise its claims. */
  signOut?(message: { session: AdapterSession | null | undefined } | { token: JWT | null }): Awaitable<void>;
  /** A user was created. `context`: the value that server code passed to `signIn()`, if any. */
  createUser?(message: { user: User; context?: SignInContext }): Awaitable<void>;
  /** A user was changed. */
  updateUser?(message: { user: User }): Awaitable<void>;
  /** An account was linked to a user. */
  linkAccount?(message: { user: User | AdapterUser; account: Account; profile: User | AdapterUser }): Awaitable<void>;
  /** Called when a session is read or updated. `token` is set with the `jwt` strategy only. */
  session?(message: { session: Session; token?: JWT | undefined }): Awaitable<void>;
}

/** Receives log output. Missing methods fall back to the console. */
export interface LoggerInstance {
  /** Receives problems that the operator needs to fix. */
  error(error: Error): void;
  /** Receives invalid client requests and questionable configuration: a code, followed by a sentence. */
  warn(code: string): void;
  /** Receives details; with `debug`, also each step of an action. */
  debug(message: string, metadata?: unknown): void;
}

/** Logs for Cardea and its extensions; secrets are replaced. */
export interface RedactingLogger extends LoggerInstance {
  /**
   * Logs a code and a sentence, whose words are kept even if a request has the same words as a secret, then what others wrote: errors,
   * text and facts, in which every secret is replaced.
   */
  warn(code: string, ...others: readonly unknown[]): void;
}

/**
 * Data that server code passes to `signIn()` and that the callbacks of the same sign-in receive as `context`: JSON
 * values. Visitors can neither read nor change it, and browser requests cannot set it.
 */
export type SignInContext = Readonly<Record<string, unknown>>;
