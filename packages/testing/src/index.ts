/** Test tools for Cardea and for applications built on it. The local OpenID Provider is in `@cardea/testing/oidc-provider`. */

export type {
  AdapterCapability,
  AdapterContractOptions,
  AdapterUnderTest,
  ContractFramework,
} from "./adapter-contract/contract-test.ts";
export { adapterContract } from "./adapter-contract.ts";
export type { AuthenticatorAnswer, CreationOptions, RequestOptions } from "./authenticator/webauthn-json.ts";
export {
  type AuthenticatorOptions,
  createAuthenticator,
  type Manipulation,
  type SoftwareAuthenticator,
  type SoftwareCredential,
} from "./authenticator.ts";
export type { BrowserCookies, RefusedCookie } from "./browser/cookie-jar.ts";
export type { CookieVerdict, StoredCookie } from "./browser/cookie-rules.ts";
export { FormActionBlocked } from "./browser/form-action.ts";
export type { FetchHandler, Follow, Hop, Visit } from "./browser/network.ts";
export { NoSuchForm, type SubmitOptions } from "./browser/submission.ts";
export {
  type Browser,
  type BrowserOptions,
  createBrowser,
  type FormInput,
  type NavigateOptions,
  type PageFetchInit,
  type SubmitFormOptions,
} from "./browser.ts";
export { type Clock, createClock, type Duration, type InstalledClock } from "./clock.ts";
export type { AdapterFailure, AdapterFault, AdapterMethod } from "./memory-adapter/faults.ts";
export type { FullAdapter } from "./memory-adapter/methods.ts";
export type { MemoryData } from "./memory-adapter/tables.ts";
export {
  type AdapterCall,
  createMemoryAdapter,
  type MemoryAdapter,
  type MemoryAdapterOptions,
} from "./memory-adapter.ts";
export type { ProviderExpectations, ProviderResponses } from "./provider-contract/expectations.ts";
export { providerContract } from "./provider-contract/provider-contract.ts";
export type { Matchers, TestRunner } from "./provider-contract/test-runner.ts";
export { type AuthorizationAnswer, AuthorizationRequestRefused } from "./scripted-provider/authorization.ts";
export type { EndpointName, ProviderCall, ProviderCalls } from "./scripted-provider/calls.ts";
export type { Json, JsonObject, JsonPatch } from "./scripted-provider/json.ts";
export type { KeySet, ProviderKeys, SignatureAlgorithm } from "./scripted-provider/keys.ts";
export type {
  AuthorizeScript,
  ClientAuthentication,
  EndpointScript,
  IdTokenScript,
  JwksScript,
  NetworkFault,
  ParameterScript,
  ProviderScript,
  SignatureScript,
  TokenCheck,
  TokenScript,
  UserinfoScript,
} from "./scripted-provider/script.ts";
export { defaultUser, type IssuedSecrets, type ScriptedProviderOptions } from "./scripted-provider/state.ts";
export { createScriptedProvider, type ScriptedProvider } from "./scripted-provider.ts";
export type { HeldStep, StoreNeed, StoreUnderTest } from "./store-contract/contract-test.ts";
export { type StoreContractOptions, storeContract } from "./store-contract.ts";
export { createTestSession, type TestCookie, type TestSession, type TestSessionOptions } from "./test-session.ts";
export { totpCode } from "./totp-code.ts";
