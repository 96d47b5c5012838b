import type { AddedFacts, EndOfSessions } from "./added-facts.ts";
import type { Attempt, AttemptVerdict } from "./attempt.ts";
import type { Admission, Candidate, GrantedTokens } from "./candidate.ts";
import type { ActionContext, FlowContext } from "./context.ts";
import type { Extension, Section } from "./extension.ts";
import type { ActionSpec } from "./extension-action.ts";
import type { EndedSession, OpenedSession, SessionVerdict, StoredSession } from "./opened-session.ts";
import type { Awaitable, User } from "./records.ts";
import type { ResolvedConfig } from "./resolved-config.ts";
import type { AuthResult } from "./result.ts";
import type { SecurityFactBody } from "./security-fact.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { RequestTools, Tools } from "./tools.ts";

/** A session as its strategy found it. It may hold the session token, so that no extension is given one. */
export type FoundSession =
  | {
      readonly kind: "claims";
      readonly userId: string;
      readonly jti: string | undefined;
      /** The claim `cardea`, not looked at. */
      readonly facts: unknown;
    }
  | { readonly kind: "record"; readonly userId: string; readonly token: string };

/** What was done with a session, for `onSession`; `facts` are those that it has now. */
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

/** What the extensions say of a candidate, together. */
export type JoinedAdmission =
  | { readonly admit: true; readonly facts: readonly AddedFacts[] }
  | Exclude<Admission, { readonly admit: true }>;

/** A sign-in for which an extension asks something first. */
export interface AskedSignIn {
  /** The action of the extension. */
  readonly ask: string;
  /** What the ceremony proved (`users/identity.ts`, which the model cannot name). */
  readonly identity: object;
  /** With the facts that it has so far. */
  readonly candidate: Candidate;
  /** Whether an account or passkey would be added to the user. */
  readonly adds: boolean;
}

/** How a session ended, for `onSignOut`. */
export type SessionEnd = Pick<EndedSession, "cause" | "callbackUrl" | "federated">;
/** The answer of a provider at which the user of a session proves themselves again. */
export interface ReauthenticationAnswer {
  readonly provider: string;
  /** What was sealed at the start. */
  readonly sealed: string;
  readonly callbackUrl: string;
  /** What the provider answered, after every check of a sign-in. */
  readonly prove: () => Promise<{
    /** Of the ID token; undefined without one. */
    readonly claims: Readonly<Record<string, unknown>> | undefined;
    /** Id of the user to whom the account belongs; null when it is linked to none, undefined without a database. */
    readonly owner: string | null | undefined;
  }>;
}

/** Calls the extensions of a configuration by their laws. Loaded with the first request of an application that has any. */
export interface ExtensionRunner {
  /** Checks credentials by the extension that their provider carries. */
  authorize(
    context: FlowContext,
    extension: Extension,
    credentials: Readonly<Record<string, string>>,
    request: Request,
  ): Awaitable<User | null | undefined>;
  attempt(context: FlowContext, attempt: Attempt): Promise<AttemptVerdict>;
  outcome(context: FlowContext, attempt: Attempt, result: "success" | "failure"): Promise<void>;
  /** @throws what an extension throws. */
  admit(context: FlowContext, candidate: Candidate): Promise<JoinedAdmission>;
  /**
   * Keeps a sign-in until the extension has what it asks for; without a store it is not kept.
   *
   * @returns where to go.
   * @throws what the store throws.
   */
  keep(context: FlowContext, asked: AskedSignIn): Promise<string>;
  /** Never throws. */
  granted(context: FlowContext, granted: GrantedTokens): Promise<void>;
  /**
   * The end of a re-authentication at a provider.
   *
   * @returns where to go, whether it succeeded or not.
   * @throws SessionUnavailable.
   */
  reauthenticated(context: FlowContext, answer: ReauthenticationAnswer): Promise<string>;
  /** @throws SessionUnavailable. */
  check(context: FlowContext, found: FoundSession): Awaitable<SessionVerdict>;
  /** @throws what an extension throws at a sign-in; at a renewal never. */
  stored(context: FlowContext, found: FoundSession, cause: StoredCause): Promise<void>;
  /**
   * @returns where the browser goes first; null for nowhere.
   * @throws SignOutError when an extension could not end its part.
   */
  ended(context: FlowContext, found: FoundSession, end: SessionEnd): Promise<string | null>;
  sections(context: FlowContext, slot: "account" | "signin" | "step-up"): Promise<readonly Section[]>;
  /** @throws SessionUnavailable. */
  session(context: FlowContext, id: string, isFresh?: boolean): Promise<OpenedSession | null>;
  renew(context: FlowContext, facts: AddedFacts): Promise<void>;
  act(context: ActionContext, extension: Extension, spec: ActionSpec): Promise<AuthResult>;
  /** @throws what an extension, the adapter or the store throws. */
  endSessions(config: ResolvedConfig, userId: string, end: EndOfSessions): Promise<AddedFacts>;
  /** Never throws. */
  note(config: ResolvedConfig, fact: SecurityFactBody): void;
  tools(config: ResolvedConfig, id: string): Tools;
  requestTools(context: FlowContext, extension: Extension): RequestTools;
}
