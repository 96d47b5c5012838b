/** For packages that add to core: what an extension may do, and what it is given (docs/extensions.md). */

export { resolveCookies } from "./config/cookie-defaults.ts";
export { CORE_ACTIONS } from "./config/resolve-providers.ts";
export { resolveStrategy } from "./config/resolve-session.ts";
export { COPY, KIT, type PROTOCOL } from "./config/use-extensions.ts";
export type { DirectJweKey } from "./crypto/given-key-jwe.ts";
export { decryptJwe, encryptJwe } from "./crypto/jwe.ts";
export { decodeBase64url, encodeBase64url } from "./crypto/primitives.ts";
export { serializeCookie } from "./http/serialize-cookie.ts";
export type {
  AccountTokensChange,
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterMethod,
  AdapterResult,
  AdapterUser,
  VerificationToken,
} from "./model/adapter.ts";
export type { Attempt, AttemptVerdict } from "./model/attempt.ts";
export type { PasskeyCheck } from "./model/auth-error.ts";
export { toError } from "./model/auth-error.ts";
export type { AddedMethod, Admission, Candidate, ForgottenAccount, GrantedTokens } from "./model/candidate.ts";
export type { AdapterCredential, CredentialChange, NewCredential } from "./model/credential.ts";
export {
  AccessDenied,
  AccountNotLinked,
  CallbackRouteError,
  CredentialsSignin,
  DuplicateConditionalUI,
  InvalidRequest,
  isAuthError,
  MissingAdapterMethods,
  MissingWebAuthnAutocomplete,
  SessionUnavailable,
  WebAuthnVerificationError,
} from "./model/errors.ts";
export type {
  ChangeTarget,
  Extension,
  ExtensionSpec,
  Surroundings,
} from "./model/extension.ts";
export type {
  ActionAnswer,
  ActionRequest,
  ActionSpec,
  AddressProof,
  PendingSignIn,
  Reauthentication,
} from "./model/extension-action.ts";
export { loadOnce, onFirstCall } from "./model/load-once.ts";
export type {
  EndedSession,
  OpenedSession,
  SessionVerdict,
  SignOutAnswer,
  StoredSession,
} from "./model/opened-session.ts";
export type {
  ExpectedJwt,
  ProviderMetadata,
  ProviderTools,
  RefreshRequest,
  RefreshResult,
  VerifiedJwt,
} from "./model/provider-tools.ts";
export type {
  Account,
  Authenticator,
  Awaitable,
  JWT,
  Profile,
  ProviderType,
  TokenSet,
  User,
} from "./model/records.ts";
export type { Section, SectionPage } from "./model/section.ts";
export type { EndedBy, SecurityFact, SecurityFactBody } from "./model/security-fact.ts";
export type { AddedFacts, EndOfSessions, Factor, SessionFacts, SessionOrigin } from "./model/session-facts.ts";
export type { SessionFormat } from "./model/session-format.ts";
export type { FactorRecord, SessionInfo, SessionInfoPatch, SessionOriginRecord } from "./model/session-info.ts";
export type {
  KnownPasskey,
  MethodProver,
  MethodProvider,
  MethodResolution,
  NewPasskey,
  PendingCookies,
  ProviderProblem,
  SignInForm,
  SignInMethodDefinition,
  SignInMethodSpec,
  SignInProof,
  SignInTools,
} from "./model/sign-in-method-spec.ts";
export { TO_METHOD } from "./model/sign-in-method-spec.ts";
export type { Counter, Store, StoreCount, StoreEntries, StoreLife, StoreLog } from "./model/store.ts";
export type { Texts } from "./model/texts.ts";
export type { Markup } from "./model/theme.ts";
export type {
  PasskeyQuestion,
  PasskeyTools,
  RequestTools,
  SealedCookies,
  Tools,
} from "./model/tools.ts";
export type { EpochSeconds, Seconds } from "./model/units.ts";
export type { GivenProof, ProofChallenge, ProofForm, ProofRequest } from "./model/user-proof.ts";
export * as components from "./pages/components.ts";
export { type Html, html } from "./pages/html.ts";
export { type AddressRules, parseEmailAddress } from "./protocol/email-address.ts";
export { isFuture, isRecent } from "./protocol/is-recent.ts";
export { hasControlCharacter, isSecureUrl, parseUrl } from "./protocol/parse-url.ts";
export { withoutPrefix } from "./protocol/received-cookies.ts";
export { isId, isSameId } from "./protocol/same-id.ts";
export { readTypedCode } from "./protocol/typed-code.ts";
export { type Handled, handleOf } from "./server/application-handle.ts";
export type { ApplicationHandle, CurrentRequest, HandledRequest } from "./server/open-application.ts";
export type { OperationRequest } from "./server/read-session.ts";
export { type NodeRequest, partsOf } from "./server/request-parts.ts";
export { createSessionFormats } from "./session/session-formats.ts";
export { openCounter } from "./store/counter.ts";
export { retryChange } from "./store/retry-change.ts";
