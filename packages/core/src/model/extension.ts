import type { AdapterMethod } from "./adapter.ts";
import type { AddedFacts, EndOfSessions } from "./added-facts.ts";
import type { Attempt, AttemptVerdict } from "./attempt.ts";
import type { Admission, Candidate, GrantedTokens } from "./candidate.ts";
import type { ActionSpec } from "./extension-action.ts";
import type { Markup } from "./markup.ts";
import type { EndedSession, OpenedSession, SessionVerdict, SignOutAnswer, StoredSession } from "./opened-session.ts";
import type { Awaitable, User } from "./records.ts";
import type { SecurityFact } from "./security-fact.ts";
import type { Factor } from "./session-facts.ts";
import type { SessionFormat } from "./session-format.ts";
import type { SignInWay } from "./sign-in-way.ts";
import type { RequestTools, Tools } from "./tools.ts";

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
