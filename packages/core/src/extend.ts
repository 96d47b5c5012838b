/** For packages that add to core: what an extension may do, and what it is given (docs/extensions.md). */

export { defineExtension } from "./extensions/define-extension.ts";
export type { Adapter, AdapterMethod, AdapterResult, AdapterUser } from "./model/adapter.ts";
export { AccessDenied, SessionUnavailable } from "./model/errors.ts";
export type {
  ActionAnswer,
  ActionRequest,
  ActionSpec,
  AddedFacts,
  Admission,
  Attempt,
  AttemptVerdict,
  Candidate,
  EndedSession,
  Extension,
  ExtensionSpec,
  Markup,
  OpenedSession,
  Section,
  SessionFormat,
  SessionVerdict,
  SignOutAnswer,
  StoredSession,
} from "./model/extension.ts";
export type { Account, Awaitable, JWT, Profile, ProviderType, User } from "./model/records.ts";
export type { EndedBy, SecurityFact, SecurityFactBody } from "./model/security-fact.ts";
export type { Factor, SessionFacts, SessionOrigin } from "./model/session-facts.ts";
export type { FactorRecord, SessionInfo, SessionInfoPatch, SessionOriginRecord } from "./model/session-info.ts";
export type { Store, StoreCount, StoreEntries, StoreLife, StoreLog } from "./model/store.ts";
export type { RequestTools, SealedCookies, Tools } from "./model/tools.ts";
export type { EpochSeconds, Seconds } from "./model/units.ts";
export { html } from "./pages/html.ts";
export { type ApplicationHandle, type Handled, handleOf } from "./server/application-handle.ts";
