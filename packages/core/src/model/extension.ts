import type { AdapterMethod } from "./adapter.ts";
import type { Attempt, AttemptVerdict } from "./attempt.ts";
import type { AddedMethod, Admission, Candidate, ForgottenAccount, GrantedTokens } from "./candidate.ts";
import type { ActionSpec } from "./extension-action.ts";
import type { EndedSession, OpenedSession, SessionVerdict, SignOutAnswer, StoredSession } from "./opened-session.ts";
import type { Awaitable, User } from "./records.ts";
import type { Section, SectionPage } from "./section.ts";
import type { SecurityFact } from "./security-fact.ts";
import type { AddedFacts, EndOfSessions, Factor } from "./session-facts.ts";
import type { SessionFormat } from "./session-format.ts";
import type { SignInMethodDefinition } from "./sign-in-method-spec.ts";
import type { RequestTools, Tools } from "./tools.ts";

/** What the configuration offers, for {@link ExtensionSpec.warnings}. */
export interface Surroundings {
  /** Whether the adapter has all of these methods. */
  adapterHas(...methods: readonly AdapterMethod[]): boolean;
  /** Whether another extension is configured. */
  hasExtension(id: string): boolean;
}

/** The destination after a proof for a change. */
export interface ChangeTarget {
  /** Destination; already validated. */
  readonly callbackUrl: string;
  /** What is added to the user; absent if something is changed or removed. */
  readonly adds?: AddedMethod;
}

/** The definition of an extension (docs/extensions.md). */
export interface ExtensionSpec {
  /** Unique: lower-case letters, digits and `-`. */
  readonly id: string;
  /** Its own options, resolved; `Tools.settings` returns them to its functions for server code. */
  readonly settings?: object;
  /** Requirements on the configuration; checked at startup. */
  readonly needs?: {
    readonly adapter?: readonly AdapterMethod[];
    /** A store; `"log"`: one with a log. */
    readonly store?: true | "log";
    readonly extensions?: readonly string[];
    /** A record of each session (`SessionInfo`), through adapter methods or in the store. */
    readonly sessionInfo?: true;
  };
  /** Store session tokens as hashes; strategy `database` only. */
  readonly hashesTokens?: true;
  /**
   * Core stores accounts without `access_token`, `refresh_token` and `id_token`; the extension stores these in {@link
   * onTokens}.
   */
  readonly keepsTokens?: true;
  /** Actions by method and first path segment, such as `GET sessions`. */
  readonly actions?: Readonly<Record<`${"GET" | "POST"} ${string}`, ActionSpec>>;
  /** Whether its actions verify e-mail addresses, for the credentials provider that carries it. */
  readonly provesAddresses?: true;
  /** A sign-in method, for all providers of its type. */
  readonly method?: SignInMethodDefinition;
  /** Session cookies of other libraries. */
  readonly sessionFormats?: readonly SessionFormat[];
  /**
   * Checks credentials for the provider that carries it, replacing the provider's `authorize`, with the same rules:
   * null means that they are invalid.
   */
  authorize?(credentials: Readonly<Record<string, string>>, request: Request, t: RequestTools): Awaitable<User | null>;
  /** Warnings for the operator, as `code: explanation`, or a function that returns them. Each is logged once at startup. */
  readonly warnings?: readonly string[] | ((surroundings: Surroundings) => readonly string[]);
  /** Rate-limits attempts. Called before anything is checked. */
  attempt?(attempt: Attempt, t: RequestTools): Awaitable<AttemptVerdict>;
  /** Receives the result of an attempt: `failure` if the proof was wrong, `success` if a session was issued. */
  outcome?(attempt: Attempt, result: "success" | "failure", t: RequestTools): Awaitable<void>;
  /** Decides whether a user may receive a session. Called after the user is determined, before anything is written. */
  admit?(candidate: Candidate, t: RequestTools): Awaitable<Admission>;
  /**
   * Decides whether a session is still valid. Called on each read: avoid remote calls.
   *
   * @param o `isFresh`: bypass caches, for an important action.
   */
  checkSession?(session: OpenedSession, t: RequestTools, o: { readonly isFresh: boolean }): Awaitable<SessionVerdict>;
  /**
   * Decides whether a session may change its user's sign-in methods (ASVS 7.5.1). Called before factors, passwords and
   * sessions are changed, and before an account, a passkey or a password is added, in addition to the checks of the change itself.
   *
   * @param given Proofs that the request contains, which are checked afterwards.
   * @returns true; false if the user must sign in again; or the action, with query, at which the user gives a proof.
   */
  mayChange?(
    session: OpenedSession,
    given: readonly Factor[],
    o: ChangeTarget,
    t: RequestTools,
  ): Awaitable<boolean | { readonly ask: string }>;
  /**
   * Receives the tokens of each sign-in at a provider, after its user is determined and before the session is issued.
   * Errors are logged.
   */
  onTokens?(granted: GrantedTokens, t: RequestTools): Awaitable<void>;
  /**
   * Revokes the tokens of an account that this extension stores (RFC 7009), and removes them. Called before the account is removed from its
   * user, or the user is deleted. Errors are logged.
   */
  forgetTokens?(account: ForgottenAccount, t: Tools): Awaitable<void>;
  /** Called for each session that is issued or renewed. An error fails the sign-in; at a renewal it is logged. */
  onSession?(session: StoredSession, t: RequestTools): Awaitable<void>;
  /** Called after a session ended locally. An error means that the sign-out is incomplete. */
  onSignOut?(ended: EndedSession, t: RequestTools): Awaitable<SignOutAnswer | undefined>;
  /**
   * Ends every session of a user, or all but one. Core has raised the user's epoch before.
   *
   * @returns The facts with which the remaining session is re-issued.
   */
  endSessions?(userId: string, end: EndOfSessions, t: Tools): Awaitable<AddedFacts>;
  /** Receives each security fact when it happens. Errors are logged. */
  observe?(fact: SecurityFact, t: Tools): void;
  /** Returns a section for a page. */
  section?(slot: "account" | "signin", t: RequestTools, page: SectionPage): Awaitable<Section | null>;
}

/** Type brand: only `defineExtension()` returns objects of this type. */
declare const defined: unique symbol;

/** An extension created by `defineExtension()`. */
export interface Extension extends ExtensionSpec {
  /** Set by `defineExtension()`; object literals are not accepted. */
  readonly [defined]: true;
}
