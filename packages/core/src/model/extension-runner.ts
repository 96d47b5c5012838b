import type { Attempt, AttemptVerdict } from "./attempt.ts";
import type { AddedMethod, Admission, Candidate, GrantedTokens } from "./candidate.ts";
import type { ActionContext, FlowContext } from "./context.ts";
import type { AuthError } from "./errors.ts";
import type { Extension } from "./extension.ts";
import type { ActionSpec } from "./extension-action.ts";
import type { EndedSession, OpenedSession, SessionVerdict, StoredSession } from "./opened-session.ts";
import type { Awaitable, User } from "./records.ts";
import type { ResolvedConfig } from "./resolved-config.ts";
import type { AuthResult } from "./result.ts";
import type { Section, SectionPage } from "./section.ts";
import type { SecurityFactBody } from "./security-fact.ts";
import type { AddedFacts, Factor, SessionFacts } from "./session-facts.ts";
import type { RequestTools, Tools } from "./tools.ts";

/** A session as found by its strategy. It may contain the session token, so it is not passed to extensions. */
export type FoundSession =
  | {
      readonly kind: "claims";
      readonly userId: string;
      readonly jti: string | undefined;
      /** The claim `cardea`, not validated. */
      readonly facts: unknown;
    }
  | { readonly kind: "record"; readonly userId: string; readonly token: string };

/** The answer of all extensions about a session. */
export type CheckedSession =
  | Exclude<SessionVerdict, { readonly ended: string }>
  | {
      readonly ended: string;
      /** Whether the browser may have a newer token: this one was replaced in it a moment ago. */
      readonly isReplaced?: boolean;
    };

/** The cause of `onSession`; `facts` are the current ones. */
export type StoredCause = Pick<StoredSession, "expires"> &
  (
    | { readonly cause: "signin"; readonly account: Candidate["account"]; readonly facts: SessionFacts }
    | { readonly cause: "renewal"; readonly account: undefined }
    | {
        readonly cause: "rotation";
        readonly account: undefined;
        readonly replaces: string | undefined;
        readonly facts: SessionFacts;
      }
  );

/** The combined answer of the extensions for a candidate. */
export type JoinedAdmission =
  | { readonly admit: true; readonly facts: readonly AddedFacts[] }
  | Exclude<Admission, { readonly admit: true }>;

/** A sign-in interrupted by an extension. */
export interface AskedSignIn {
  /** The action of the extension. */
  readonly ask: string;
  /** The proven identity (see `identity.ts`). */
  readonly identity: object;
  /** The candidate, with its facts so far. */
  readonly candidate: Candidate;
  /** Whether an account or passkey would be added to the user. */
  readonly adds: boolean;
  /** The attempt of the first step, whose result is reported at the end. */
  readonly attempt: Attempt | undefined;
}

/** A sign-in method that is about to be added to a user. */
export interface Addition {
  readonly userId: string;
  readonly adds: AddedMethod;
  /** Proofs that were given for it. */
  readonly given: readonly Factor[];
  /** Of the session that a sign-in is about to issue; undefined: the session of the request adds it. */
  readonly facts?: SessionFacts | undefined;
  /** Destination after a proof; already validated. */
  readonly callbackUrl: string;
}

/** How a session ended, for `onSignOut`. */
export type SessionEnd = Pick<EndedSession, "cause" | "callbackUrl" | "federated" | "successor">;
/** The provider's response to a re-authentication. */
export interface ReauthenticationAnswer {
  readonly provider: string;
  /** The data encrypted at the start. */
  readonly sealed: string;
  readonly callbackUrl: string;
  /** Validates the provider's response with all checks of a sign-in. */
  readonly prove: () => Promise<{
    /** Claims of the ID token; undefined without one. */
    readonly claims: Readonly<Record<string, unknown>> | undefined;
    /** Id of the user who owns the account; null if it is not linked, undefined without a database. */
    readonly owner: string | null | undefined;
  }>;
}

/**
 * Calls the extensions of a configuration and combines their answers. Loaded on the first request of an application
 * with extensions.
 */
export interface ExtensionRunner extends Questions, Notifications, ExtensionParts {}

/** What extensions decide. */
interface Questions {
  /** Asks whether an attempt is allowed. Never throws: a failure counts as a refusal. */
  attempt(context: FlowContext, attempt: Attempt): Promise<AttemptVerdict>;
  /** Asks whether a user may receive a session. @throws what an extension throws. */
  admit(context: FlowContext, candidate: Candidate): Promise<JoinedAdmission>;
  /**
   * Asks whether the session of a request may add a sign-in method to a user. A sign-in that finds the user otherwise may.
   *
   * @returns null if it may; otherwise the URL where the user gives a proof first.
   * @throws SessionUnavailable, and errors of extensions.
   */
  mayAdd(context: FlowContext, addition: Addition): Promise<string | null>;
  /** Asks whether a session is still valid. @throws SessionUnavailable. */
  check(context: FlowContext, found: FoundSession, isFresh?: boolean): Awaitable<CheckedSession>;
}

/** What extensions are told. */
interface Notifications {
  /** The result of an attempt. Never throws. */
  outcome(context: FlowContext, attempt: Attempt, result: "success" | "failure"): Promise<void>;
  /** The tokens of a sign-in. Never throws. */
  granted(context: FlowContext, granted: GrantedTokens): Promise<void>;
  /** A session was stored. At a sign-in, other users' pending sign-ins of this browser end. @throws errors of extensions at sign-in; never at a renewal. */
  stored(context: FlowContext, found: FoundSession, cause: StoredCause): Promise<void>;
  /**
   * A session ended.
   *
   * @returns The URL to redirect the browser to first; null if none.
   * @throws SignOutError if an extension failed.
   */
  ended(context: FlowContext, found: FoundSession, end: SessionEnd): Promise<string | null>;
  /** A security fact. Never throws. */
  note(config: ResolvedConfig, fact: SecurityFactBody): void;
}

/** What extensions bring: further steps of a sign-in, actions, sections, and functions for server code. */
interface ExtensionParts {
  /**
   * Stores a pending sign-in, if there is a store.
   *
   * @returns The URL to redirect to.
   * @throws errors of the store.
   */
  keep(context: FlowContext, asked: AskedSignIn): Promise<string>;
  /** Ends the pending sign-ins of this browser, on the server too. Never throws. */
  cancelKept(context: FlowContext): Promise<void>;
  /** Checks credentials with the extension of their provider. */
  authorize(
    context: FlowContext,
    extension: Extension,
    credentials: Readonly<Record<string, string>>,
    request: Request,
  ): Awaitable<User | null | undefined>;
  /**
   * Finishes a re-authentication at a provider.
   *
   * @returns The URL to redirect to, whether it succeeded or not.
   * @throws SessionUnavailable.
   */
  reauthenticated(context: FlowContext, answer: ReauthenticationAnswer): Promise<string>;
  /** Runs an action. @throws errors of the action. */
  act(context: ActionContext, extension: Extension, spec: ActionSpec): Promise<AuthResult>;
  sections(context: FlowContext, slot: "account" | "signin", page: SectionPage): Promise<readonly Section[]>;
  /** The error of an outage behind what an action threw; null for any other. Never throws. */
  outage(thrown: unknown): AuthError | null;
  /** The session of a request, for the extension with this id. @throws SessionUnavailable. */
  session(context: FlowContext, id: string, isFresh?: boolean): Promise<OpenedSession | null>;
  /** Re-issues the session of a request with additional facts. */
  renew(context: FlowContext, facts: AddedFacts): Promise<void>;
  tools(config: ResolvedConfig, id: string): Tools;
  requestTools(context: FlowContext, id: string): RequestTools;
}
