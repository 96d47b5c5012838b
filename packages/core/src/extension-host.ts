/** What `@cardea/extend` needs of core while it calls extensions; loaded with the first request that has any. Not public. */

export { guardStore, isOfStore } from "./application/guard-store.ts";
export { APPLICATION_TIMEOUT_MS, withTimeout } from "./application/with-timeout.ts";
export type { ExtensionKit, ExtensionsResolution, GivenExtension, ToMethod } from "./config/use-extensions.ts";
export { methodOf } from "./context/create-context.ts";
export { isPrefetch, originalRequest, wantsJson } from "./context/request-facts.ts";
export { readIdentifier, rememberIdentifier } from "./cookies/identifier.ts";
export { cancelInterrupted, type InterruptedSignIn, takeInterrupted } from "./cookies/interrupted-sign-in.ts";
export {
  clearEveryPending,
  clearPending,
  joinDestination,
  type PendingKind,
  readPending,
  storedDestination,
  storePending,
} from "./cookies/pending.ts";
export { isSignInRecent } from "./cookies/sign-in-time.ts";
export { decryptText, deriveDirectKey, encryptText, isSealedWith } from "./crypto/direct-jwe.ts";
export { hmac, randomToken, sha256 } from "./crypto/primitives.ts";
export { type CookieBinding, decryptCookie, decryptFirstCookie, encryptCookie } from "./crypto/sealed-claims.ts";
export { createLogger } from "./log/logger.ts";
export type { NamedValues } from "./log/redactor.ts";
export type { AuthConfig } from "./model/config.ts";
export type { ActionContext, FlowContext, ParsedRequest } from "./model/context.ts";
export {
  AdapterError,
  AuthError,
  EventError,
  InvalidCheck,
  InvalidProvider,
  MissingCSRF,
  SignOutError,
} from "./model/errors.ts";
export type {
  Addition,
  AskedSignIn,
  CheckedSession,
  ExtensionRunner,
  FoundSession,
  JoinedAdmission,
  ReauthenticationAnswer,
  SessionEnd,
  StoredCause,
} from "./model/extension-runner.ts";
export type { Identity, PasskeyIdentity } from "./model/identity.ts";
export type { ResolvedConfig } from "./model/resolved-config.ts";
export type { ExtensionAction, ResolvedExtensions } from "./model/resolved-extensions.ts";
export type { ResolvedWebAuthnProvider } from "./model/resolved-provider.ts";
export type { AuthResult, Cookie, PageScript } from "./model/result.ts";
export type { LoadedMethod, Problem } from "./model/sign-in-method.ts";
export { MAX_LIFETIME, RETRY_AFTER, SIGN_IN_TIME_LIFETIME } from "./model/units.ts";
export { safe } from "./pages/html.ts";
export { brought, renderLayout } from "./pages/layout.ts";
export { renderScript, versionOf } from "./pages/script-element.ts";
export { valuesOf } from "./protocol/cookie-values.ts";
export { checkRequestSource } from "./protocol/csrf-token.ts";
export { prefixedNames, trimBlanks } from "./protocol/received-cookies.ts";
export { joinFacts, parseAddedFacts, parseFacts, requireChecks, withoutFuture } from "./protocol/session-facts.ts";
export { isSessionId, readSessionName } from "./protocol/session-token.ts";
export { adapterHas, addressesOf, requireAccounts } from "./session/accounts.ts";
export { missingChecks } from "./session/check-found.ts";
export { identifySession } from "./session/identify-session.ts";
export { wasReplaced } from "./session/replaced-token.ts";
export { strategyOf } from "./session/select-strategy.ts";
export { endInBrowser } from "./session/session-cookie.ts";
export { addressProviders } from "./session/unproven-address.ts";
export { allowAttempt, prove, report, requestAttempt, requireAttempt } from "./sign-in/allow-attempt.ts";
export { csrfTokenForForm } from "./sign-in/csrf.ts";
export { ownPage, resolveCallbackUrl, resolveRedirect } from "./sign-in/redirect.ts";
export { runSignIn } from "./sign-in/run-sign-in.ts";
export { readChoice } from "./sign-in/two-users.ts";
export { lifeUntil, openSessionList, parseSessionInfo, type SessionList } from "./store/session-list.ts";

/** Loaded when an extension calls a provider itself. */
export const loadProviderTools = async () => (await import("./oauth/provider-tools.ts")).createProviderTools;
