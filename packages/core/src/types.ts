/** Types for use in applications. */
export type {
  Adapter,
  AdapterAccount,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "./model/adapter.ts";
export type { ErrorPageParam, ErrorType, SignInPageErrorParam } from "./model/auth-error.ts";
export type {
  AttemptParams,
  Callbacks,
  CallbacksOptions,
  EventCallbacks,
  JWTAfterSignIn,
  JWTAtSignIn,
  JWTCallbackParams,
  LoggerInstance,
  SessionCallbackParams,
  SignInCallbackParams,
  SignInContext,
} from "./model/callbacks.ts";
export type {
  AuthConfig,
  JWTDecodeParams,
  JWTEncodeParams,
  JWTOptions,
  PagesOptions,
  SessionOptions,
} from "./model/config.ts";
export type { CookieAttributes, CookieOption, CookiesOptions } from "./model/cookie-options.ts";
export type { OAuth2Provider, OAuthUserConfig, OIDCProvider, OIDCUserConfig } from "./model/oauth-provider.ts";
export type {
  AppProviders,
  BuiltInProviderType,
  CredentialsConfig,
  CredentialsProvider,
  EmailConfig,
  EmailProvider,
  EmailUserConfig,
  OAuth2Config,
  OAuthConfig,
  OIDCConfig,
  Provider,
  ProviderId,
} from "./model/provider.ts";
export type {
  Account,
  Address,
  AuthAction,
  Authenticator,
  AuthorizationDetails,
  Awaitable,
  DefaultJWT,
  DefaultSession,
  DefaultUser,
  JWT,
  Profile,
  ProviderType,
  PublicProvider,
  Session,
  TokenSet,
  User,
} from "./model/records.ts";
export type { Cookie, ResponseInternal } from "./model/result.ts";
export type { Store, StoreCount, StoreEntries, StoreLife, StoreLog } from "./model/store.ts";
export type { Message, PartialTexts, Texts } from "./model/texts.ts";
export type { Theme } from "./model/theme.ts";
export type { SemverString } from "./model/units.ts";
