import type { AdapterMethod, AdapterUser } from "./adapter.ts";
import type { Account, Awaitable, JWT, Profile, ProviderType, User } from "./records.ts";
import type { SecurityFact } from "./security-fact.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { RequestTools, Tools } from "./tools.ts";
import type { EpochSeconds, Seconds } from "./units.ts";

/** A try to sign in or to prove something, before anything of it is checked. */
export interface Attempt {
  /** What would be done: `signin` (a password or a passkey), `email` (send a link), `email-link` (redeem one), `oauth` (leave for a provider), or what an extension names. */
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

/** Facts that `admit` may add: proofs, the epoch, the origin and a key. Id and time of a session are core's. */
export type AddedFacts = Partial<Omit<SessionFacts, "sid" | "at">>;

/** Answer of `admit`. */
export type Admission =
  | { readonly admit: true; readonly facts?: AddedFacts }
  /** Redirects to this action of the extension; no one is signed in, nothing is written. */
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
  /** Name of the cookie as it is configured, without `__Secure-` or `__Host-`: it is accepted with and without them, and in chunks. */
  readonly cookie: string;
  /** Whether this cookie is the session: only it is read and written, and our own is cleared when it is seen. */
  readonly emit: boolean;
  /**
   * Opens what came under `name`. Strategy `jwt`: the claims. Strategy `database`: `{ sessionToken }`. Null when it is not of this format.
   *
   * @param name the name with its prefix.
   * @param secrets of the configuration, the current one first.
   */
  open(
    token: string,
    name: string,
    secrets: readonly string[],
  ): Awaitable<JWT | { readonly sessionToken: string } | null>;
  /** Makes such a token; required with `emit` and the strategy `jwt`. */
  seal?(claims: JWT, name: string, maxAge: Seconds, secrets: readonly string[]): Awaitable<string>;
  /** The name under which it is written with `emit`; default: with `__Secure-` where cookies are secure. */
  writeAs?(secure: boolean): string;
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
  /** The CSRF token for a form; null when CSRF protection is off. */
  csrfToken(): Promise<string | null>;
  /** Where to go, checked as every redirect is (docs/behaviour.md#redirects). */
  redirectTo(url: string | null | undefined): Promise<string>;
  /** Clears the session cookie of the browser. */
  clearSession(): void;
  /**
   * Re-issues the session of the request with a larger epoch: the one that stays when all others are ended.
   *
   * @throws SessionUnavailable.
   */
  renewSession(facts: AddedFacts): Promise<void>;
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
  | { readonly kind: "page"; readonly status: number; readonly title: string; readonly main: Markup }
  | { readonly kind: "empty"; readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** Markup made with `html` of `@cardea/core/extend`; anything else is shown as text. */
export interface Markup {
  toString(): string;
}

/** A part of a page of core. */
export interface Section {
  readonly title?: string;
  readonly main: Markup;
}

/** What an extension may do: this and nothing else (docs/extensions.md). */
export interface ExtensionSpec {
  /** Unique: lower-case letters, digits and `-`. */
  readonly id: string;
  /** What it needs of the configuration; checked at start. */
  readonly needs?: {
    readonly adapter?: readonly AdapterMethod[];
    readonly store?: true;
    readonly extensions?: readonly string[];
    /** A record of each session (`SessionInfo`), by the adapter's methods or in the store. */
    readonly sessionInfo?: true;
  };
  /** With the strategy `database`: session tokens are stored as hashes. */
  readonly hashesTokens?: true;
  /** Its actions by method and first segment of the path, such as `GET sessions`. */
  readonly actions?: Readonly<Record<`${"GET" | "POST"} ${string}`, ActionSpec>>;
  /** Session cookies of other libraries. */
  readonly sessionFormats?: readonly SessionFormat[];
  /** May this be tried? Called before anything is checked. */
  attempt?(attempt: Attempt, t: RequestTools): Awaitable<AttemptVerdict>;
  /** Told what came of an attempt: `failure` when the proof was wrong, `success` when a session was issued. */
  outcome?(attempt: Attempt, result: "success" | "failure", t: RequestTools): Awaitable<void>;
  /** May this user have a session? Called after it is decided who it is, before anything is written. */
  admit?(candidate: Candidate, t: RequestTools): Awaitable<Admission>;
  /** Is the session still good? Called on each read: keep it free of remote calls. */
  checkSession?(session: OpenedSession, t: RequestTools): Awaitable<SessionVerdict>;
  /** Told of each session that is issued or renewed. A throw fails the sign-in; at a renewal it is logged. */
  onSession?(session: StoredSession, t: RequestTools): Awaitable<void>;
  /** Told after the local end of a session. A throw means that the sign-out is incomplete. */
  onSignOut?(ended: EndedSession, t: RequestTools): Awaitable<SignOutAnswer | undefined>;
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
