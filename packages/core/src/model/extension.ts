import type { AdapterMethod, AdapterUser } from "./adapter.ts";

import type { AddedFacts, EndOfSessions } from "./added-facts.ts";
import type { Markup } from "./markup.ts";
import type { Account, Awaitable, JWT, Profile, ProviderType, TokenSet, User } from "./records.ts";
import type { SecurityFact } from "./security-fact.ts";
import type { Factor, SessionFacts } from "./session-facts.ts";
import type { SignInWay } from "./sign-in-way.ts";
import type { RequestTools, Tools } from "./tools.ts";
import type { EpochSeconds, Seconds } from "./units.ts";

/** A try to sign in or to prove something, before anything of it is checked. */
export interface Attempt {
  /** What would be done: `signin` (a password or a passkey), `email` (send a link), `email-link` (redeem one), `email-code` (try a code), `oauth` (leave for a provider), or what an extension names. */
  readonly action: string;
  /** Id of the provider. */
  readonly provider: string;
  readonly type: ProviderType;
  /** The address that a mail would go to or a link is of; absent for other types. */
  readonly identifier?: string | undefined;
  /** What was typed; only with `credentials`. */
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  /** The user whose factor is tried, where that is known. */
  readonly userId?: string | undefined;
}

/** Answer of `attempt`. */
export type AttemptVerdict =
  | { readonly allow: true }
  | {
      readonly allow: false;
      /** Shown to the client as `code`: letters, digits, `_` and `-`. */
      readonly code: string;
      readonly retryAfter: Seconds;
    };

/** A user who has proven who they are, and for whom nothing has been written. */
export interface Candidate {
  readonly user: User | AdapterUser;
  /** True when this sign-in created the user. */
  readonly isNewUser: boolean;
  /** How they signed in, without the provider's tokens. */
  readonly account: Pick<Account, "provider" | "providerAccountId" | "type">;
  readonly profile: Profile | undefined;
  /** The claims of the ID token after verification (OIDC Core §3.1.3.7); undefined without one. */
  readonly idToken: Profile | undefined;
  /** The facts that the session will have, before extensions add theirs. */
  readonly facts: SessionFacts;
  /** Where the user goes after sign-in; checked. */
  readonly callbackUrl: string;
}

/** Answer of `admit`. */
export type Admission =
  | { readonly admit: true; readonly facts?: AddedFacts }
  /**
   * Redirects to this action of the extension; no one is signed in, nothing is written. Where there is a store, the sign-in is kept for
   * ten minutes, and the action completes it, see {@link ActionRequest.pendingSignIn}.
   */
  | { readonly ask: string }
  /** Refuses the sign-in; the reason goes to the log, never to the client. */
  | { readonly refuse: string };

/** A session whose token was opened, or whose record was found. It holds no token. */
export interface OpenedSession {
  readonly userId: string;
  /** Public id of the session. */
  readonly sid: string;
  /** Id of the authentication behind the token; undefined for sessions in the database, whose former token is deleted. */
  readonly jti: string | undefined;
  /** When the user signed in; undefined for a session that was issued before there were extensions. */
  readonly at: EpochSeconds | undefined;
  /** The user's epoch when the session was issued; 0 for a session that was issued before there were extensions. */
  readonly epoch: number;
  /** Every fact; null for a session that was issued before there were extensions. A database session looks them up. */
  facts(): Promise<SessionFacts | null>;
}

/**
 * Answer of `checkSession`. A throw means that it is unavailable. `{ ended }` names a reason of letters, digits, `_` and `-` that the
 * browser is told: the owner of the session reads why.
 */
export type SessionVerdict = "valid" | "ended" | { readonly ended: string } | { readonly ask: string };

/** A session that was issued or renewed. */
export interface StoredSession extends OpenedSession {
  /** `signin`: it is new, and no one has its cookie yet. `rotation`: it has a new token, and the former one must not count any more. */
  readonly cause: "signin" | "renewal" | "rotation";
  /** The `jti` of the former token, at a rotation with the strategy `jwt`. */
  readonly replaces: string | undefined;
  readonly expires: EpochSeconds;
  /** SHA-256 of the session token or of its `jti`, as in `SessionInfo.tokenHash`. */
  readonly tokenHash: string;
  /** The account of the sign-in; undefined at a renewal. */
  readonly account: Candidate["account"] | undefined;
}

/** A session that ended by its own request: the cookie is cleared and, in the database, the record deleted. */
export interface EndedSession extends OpenedSession {
  /** `replaced`: the user signed in again in the same browser. */
  readonly cause: "signout" | "replaced";
  /** Where the user goes after the sign-out; checked. Undefined where the session was replaced. */
  readonly callbackUrl: string | undefined;
  /** Whether the sign-out is wanted at the provider as well; undefined: as the extension is configured. */
  readonly federated: boolean | undefined;
}

/** What an OAuth 2 or OpenID Connect provider granted at a sign-in. */
export interface GrantedTokens {
  readonly account: Candidate["account"];
  /** What `account()` of the provider chose to keep. */
  readonly tokens: TokenSet;
  readonly userId: string;
  /** Public id of the session that will be issued. */
  readonly sid: string;
  readonly facts: SessionFacts;
}

/** Answer of `onSignOut`. */
export interface SignOutAnswer {
  /** Where the browser goes before it goes on; the first extension that names a URL wins. */
  readonly redirect?: URL;
}

/** A cookie that another library made, accepted as a session. */
export interface SessionFormat {
  /** Names the format in messages. */
  readonly id: string;
  /** Name of the cookie without `__Secure-` or `__Host-`. A sign-out clears it with and without them, and in chunks. */
  readonly cookie: string;
  /** The one name that is read and, with `emit`, written; default: with `__Secure-` where cookies are secure. */
  nameOf?(secure: boolean): string;
  /** Whether this cookie is the session: only it is read and written, and our own is cleared when it is seen. */
  readonly emit: boolean;
  /** From then on it is not the session any more, and not accepted; after `emit` it is accepted for another lifetime of a session. */
  readonly until?: EpochSeconds | undefined;
  /**
   * The claims of a token that came under `name`; null when it is not of this format. Core checks their times: they need `iat` and
   * `exp`, and are accepted for no longer than a session of ours. Not called with the strategy `database`, where the value of the
   * cookie is the session token.
   *
   * @param name the name with its prefix.
   * @param secrets of the configuration, the current one first.
   */
  open(token: string, name: string, secrets: readonly string[]): Awaitable<JWT | null>;
  /** Makes such a token; required with `emit` and the strategy `jwt`. */
  seal?(claims: JWT, name: string, maxAge: Seconds, secrets: readonly string[]): Awaitable<string>;
}

/** The security properties of one action. */
export interface ActionSpec {
  /**
   * Whether the body must hold the CSRF token. A POST with `none` is for programs: it is given no cookies and sets none, so that no
   * browser's session can be acted upon.
   */
  readonly csrf: "required" | "none";
  /** Whether the path has a second segment, which the extension defines. */
  readonly segment: "none" | "optional" | "required";
  /** What a failure looks like: JSON, or a redirect or a page. */
  readonly answers: "json" | "page";
  /** Whether HEAD runs it: only what changes nothing. */
  readonly head: "run" | "skip";
  run(action: ActionRequest, t: RequestTools): Awaitable<ActionAnswer>;
}

/**
 * A sign-in that waits in this browser because `admit` of the extension asked for something. No one is signed in, and nothing has been
 * written for a user that exists.
 */
export interface PendingSignIn {
  /** Tells the sign-ins of several tabs apart; the forms of a page send it back as `pending`. It is not secret. */
  readonly id: string;
  /** What `admit` was told, as it was then. */
  readonly candidate: Candidate;
  /** Until when it can be completed. */
  readonly expires: EpochSeconds;
  /**
   * Goes on with the sign-in, once: of several calls at the same time one does. It is decided again who the user is, every extension is
   * asked again, and then the session is issued. After an outage the sign-in is still there.
   *
   * @param facts the proofs that the user gave; `admit` finds them among the facts of the candidate.
   * @returns where the browser goes.
   * @throws AccessDenied when an extension refuses, or when the user is another one now; InvalidCheck when it was completed already;
   *   AdapterError, and what issuing throws.
   */
  complete(facts: AddedFacts): Promise<string>;
  /** Gives the sign-in up. */
  drop(): Promise<void>;
}

/** What a provider has to confirm. */
export interface Reauthentication {
  /** How old the proof may be. */
  readonly maxAge: Seconds;
  /** One of these authentication context classes; none: any. */
  readonly acr: readonly string[];
  /** Where to go afterwards; checked. */
  readonly callbackUrl: string;
  /** Where to go when the provider did not confirm it: an action of the extension. */
  readonly otherwise: string;
}

/** A request for an action of an extension: parsed, and its CSRF token checked. */
export interface ActionRequest {
  readonly method: "GET" | "POST";
  /** The second segment of the path; undefined without one. */
  readonly segment: string | undefined;
  readonly query: URLSearchParams;
  /** Own string keys of the body; empty for a GET. */
  readonly body: ReadonlyMap<string, unknown>;
  /** Whether the client wants JSON: it sent `X-Auth-Return-Redirect`, or its `Accept` names no HTML. */
  readonly wantsJson: boolean;
  /**
   * The session of the request, if it is valid for every extension; else null. A session that an extension asks something of is given
   * to the actions of that extension alone.
   *
   * @throws SessionUnavailable.
   */
  session(): Promise<OpenedSession | null>;
  /**
   * The sign-in that waits for this extension in this browser: the one that the request names as `pending`, in its body or its query,
   * else the latest. Null when there is none, or it is older than ten minutes.
   *
   * @throws what the store throws.
   */
  pendingSignIn(): Promise<PendingSignIn | null>;
  /**
   * Asks every extension, then `callbacks.allowAttempt`, whether something may be tried. Call it before anything is checked. `outcome` is called with `success` when the request issues a session, or renews one with a proof; a failure
   * is told with {@link ActionRequest.failed}.
   */
  attempt(attempt: Attempt): Promise<AttemptVerdict>;
  /** Tells every extension that what was tried failed: the proof was wrong. An outage is no failure. */
  failed(): Promise<void>;
  /**
   * Has the user of the session prove themselves again at the OpenID Provider that the session came from (OIDC Core §3.1.2.1). Nothing
   * but a fresh proof comes of it: no user, no account, no other session. It counts for the same issuer and subject, with an `auth_time`
   * within `maxAge` and one of the wanted `acr`; then the session is issued again with the fact `oidc` and, where one was wanted,
   * `acr:<value>`, at `auth_time`.
   *
   * @returns the URL at the provider; null where the session did not come from a provider with ID tokens.
   * @throws OAuthSignInError.
   */
  reauthenticate(wanted: Reauthentication): Promise<string | null>;
  /**
   * Asks every extension whether the session may change how its user signs in. Call it before anything is changed.
   *
   * @param callbackUrl where the user goes on afterwards; checked as every redirect is.
   * @param given proofs that this request holds and that are checked in any case, such as the current password.
   * @returns null where it may; else where the user proves themselves first.
   * @throws SessionUnavailable.
   */
  mayChange(callbackUrl: string, given?: readonly Factor[]): Promise<string | null>;
  /** The CSRF token for a form; null when CSRF protection is off. */
  csrfToken(): Promise<string | null>;
  /** Where to go, checked as every redirect is (docs/behaviour.md#redirects). */
  redirectTo(url: string | null | undefined): Promise<string>;
  /**
   * Signs in the owner of an e-mail address, which this action has proven, as a link in an e-mail does (docs/behaviour.md#sign-in):
   * a user whose address was never proven leads to `confirm-address`, and every extension is asked.
   *
   * @returns where the browser goes.
   * @throws AccessDenied, and the errors of signing in.
   */
  signIn(proof: AddressProof): Promise<string>;
  /** Clears the session cookie of the browser. */
  clearSession(): void;
  /**
   * Re-issues the session of the request with a larger epoch, the one that stays when all others are ended, or with proofs: what was tried
   * succeeded then.
   *
   * @throws SessionUnavailable.
   */
  renewSession(facts: AddedFacts): Promise<void>;
}

/** An e-mail address that an action of an extension has proven. */
export interface AddressProof {
  /** Id of the credentials provider that carries the extension. */
  readonly provider: string;
  /** As `parseEmailAddress` returns it. */
  readonly email: string;
  /** When the link was sent. */
  readonly provenAt: Date;
  /** Where the user goes after sign-in: as `redirectTo` returned it, or an action of the extension. */
  readonly callbackUrl: string;
  /** Called with the user that this sign-in created; if it throws, that user is deleted again. Not called for any other. */
  readonly created?: (user: AdapterUser) => Promise<void>;
}

/** What an action answers. */
export type ActionAnswer =
  | { readonly kind: "redirect"; readonly url: string }
  | {
      readonly kind: "json";
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "page";
      readonly status: number;
      readonly title: string;
      readonly main: Markup;
      /** Whether the page has a form of `t.passkeys`, which needs the script of passkeys. */
      readonly passkeys?: boolean;
    }
  | { readonly kind: "empty"; readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** A part of a page of core. */
export interface Section {
  readonly title?: string;
  readonly main: Markup;
}

/** Where a user goes on once they may change something. */
export interface ChangeTarget {
  /** Checked. */
  readonly callbackUrl: string;
}

/** What an extension may do: this and nothing else (docs/extensions.md). */
export interface ExtensionSpec {
  /** Unique: lower-case letters, digits and `-`. */
  readonly id: string;
  /** What it needs of the configuration; checked at start. */
  readonly needs?: {
    readonly adapter?: readonly AdapterMethod[];
    /** A store; `"log"`: one with a log. */
    readonly store?: true | "log";
    readonly extensions?: readonly string[];
    /** A record of each session (`SessionInfo`), by the adapter's methods or in the store. */
    readonly sessionInfo?: true;
  };
  /** With the strategy `database`: session tokens are stored as hashes. */
  readonly hashesTokens?: true;
  /** Core writes accounts without `access_token`, `refresh_token` and `id_token`: the extension stores them, in {@link onTokens}. */
  readonly keepsTokens?: true;
  /** Its actions by method and first segment of the path, such as `GET sessions`. */
  readonly actions?: Readonly<Record<`${"GET" | "POST"} ${string}`, ActionSpec>>;
  /** Whether its actions prove e-mail addresses, for the credentials provider that carries it. */
  readonly provesAddresses?: true;
  /** The way to sign in of the provider object that carries this extension. It is not asked anything else without other members. */
  readonly way?: SignInWay;
  /** Session cookies of other libraries. */
  readonly sessionFormats?: readonly SessionFormat[];
  /**
   * Checks the credentials for the provider that carries it, in place of the provider's `authorize`, and under the same rules: null
   * means that they are wrong.
   */
  authorize?(credentials: Readonly<Record<string, string>>, request: Request, t: RequestTools): Awaitable<User | null>;
  /** What the operator should know, as `code: explanation`; each is logged once at start. */
  readonly warnings?: readonly string[];
  /** May this be tried? Called before anything is checked. */
  attempt?(attempt: Attempt, t: RequestTools): Awaitable<AttemptVerdict>;
  /** Told what came of an attempt: `failure` when the proof was wrong, `success` when a session was issued. */
  outcome?(attempt: Attempt, result: "success" | "failure", t: RequestTools): Awaitable<void>;
  /** May this user have a session? Called after it is decided who it is, before anything is written. */
  admit?(candidate: Candidate, t: RequestTools): Awaitable<Admission>;
  /**
   * Is the session still good? Called on each read: keep it free of remote calls.
   *
   * @param o `isFresh`: an important action waits for the answer, and what this process remembers is not enough.
   */
  checkSession?(session: OpenedSession, t: RequestTools, o: { readonly isFresh: boolean }): Awaitable<SessionVerdict>;
  /**
   * May this session change how its user signs in (ASVS 7.5.1)? Asked before factors, passwords and sessions are changed, beside what the
   * change asks for itself.
   *
   * @param given proofs that the request itself holds, and which are checked after this.
   * @returns true; or where the user proves themselves, as an action of the extension with its query.
   */
  mayChange?(
    session: OpenedSession,
    given: readonly Factor[],
    o: ChangeTarget,
    t: RequestTools,
  ): Awaitable<true | { readonly ask: string }>;
  /** Told of the tokens of each sign-in at a provider, once its user is known and before the session is issued. A throw is logged. */
  onTokens?(granted: GrantedTokens, t: RequestTools): Awaitable<void>;
  /** Told of each session that is issued or renewed. A throw fails the sign-in; at a renewal it is logged. */
  onSession?(session: StoredSession, t: RequestTools): Awaitable<void>;
  /** Told after the local end of a session. A throw means that the sign-out is incomplete. */
  onSignOut?(ended: EndedSession, t: RequestTools): Awaitable<SignOutAnswer | undefined>;
  /**
   * Ends every session of a user, or all but one.
   *
   * @returns the facts with which the one that stays is re-issued.
   */
  endSessions?(userId: string, end: EndOfSessions, t: Tools): Awaitable<AddedFacts>;
  /** Told every fact at the point where it happens. What it throws is logged. */
  observe?(fact: SecurityFact, t: Tools): void;
  /** A part of a page. */
  section?(slot: "account" | "signin" | "step-up", t: RequestTools): Awaitable<Section | null>;
}

declare const defined: unique symbol;

/** A package that adds to core, as `defineExtension()` makes it. */
export interface Extension extends ExtensionSpec {
  readonly [defined]: true;
}
