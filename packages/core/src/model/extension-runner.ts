import type { ActionContext, FlowContext } from "./context.ts";
import type {
  ActionSpec,
  AddedFacts,
  Admission,
  Attempt,
  AttemptVerdict,
  Candidate,
  EndedSession,
  Extension,
  OpenedSession,
  Section,
  SessionVerdict,
  StoredSession,
} from "./extension.ts";
import type { Awaitable } from "./records.ts";
import type { ResolvedConfig } from "./resolved-config.ts";
import type { AuthResult } from "./result.ts";
import type { SecurityFactBody } from "./security-fact.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { Tools } from "./tools.ts";

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

/** What was done with a session, for `onSession`; `facts` are those of a sign-in. */
export type StoredCause = Pick<StoredSession, "expires"> &
  (
    | { readonly cause: "signin"; readonly account: Candidate["account"]; readonly facts: SessionFacts }
    | { readonly cause: "renewal"; readonly account: undefined }
    | { readonly cause: "rotation"; readonly account: undefined; readonly replaces: string | undefined }
  );

/** What the extensions say of a candidate, together. */
export type JoinedAdmission =
  | { readonly admit: true; readonly facts: readonly AddedFacts[] }
  | Exclude<Admission, { readonly admit: true }>;

/** Calls the extensions of a configuration by their laws. Loaded with the first request of an application that has any. */
export interface ExtensionRunner {
  attempt(context: FlowContext, attempt: Attempt): Promise<AttemptVerdict>;
  outcome(context: FlowContext, attempt: Attempt, result: "success" | "failure"): Promise<void>;
  /** @throws what an extension throws. */
  admit(context: FlowContext, candidate: Candidate): Promise<JoinedAdmission>;
  /** @throws SessionUnavailable. */
  check(context: FlowContext, found: FoundSession): Awaitable<SessionVerdict>;
  /** @throws what an extension throws at a sign-in; at a renewal never. */
  stored(context: FlowContext, found: FoundSession, cause: StoredCause): Promise<void>;
  /**
   * @returns where the browser goes first; null for nowhere.
   * @throws SignOutError when an extension could not end its part.
   */
  ended(context: FlowContext, found: FoundSession, cause: EndedSession["cause"]): Promise<string | null>;
  sections(context: FlowContext, slot: "account" | "signin" | "step-up"): Promise<readonly Section[]>;
  /** @throws SessionUnavailable. */
  session(context: FlowContext, id: string): Promise<OpenedSession | null>;
  renew(context: FlowContext, facts: AddedFacts): Promise<void>;
  act(context: ActionContext, extension: Extension, spec: ActionSpec): Promise<AuthResult>;
  /** Never throws. */
  note(config: ResolvedConfig, fact: SecurityFactBody): void;
  tools(config: ResolvedConfig, id: string): Tools;
}
