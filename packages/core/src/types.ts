/** Types for use in applications. */
export type {
  Adapter,
  AdapterAccount,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "./model/adapter.ts";
export type {
  AttemptParams,
  AuthConfig,
  Callbacks,
  CallbacksOptions,
  CookieAttributes,
  CookieOption,
  CookiesOptions,
  EventCallbacks,
  JWTAfterSignIn,
  JWTAtSignIn,
  JWTCallbackParams,
  JWTDecodeParams,
  JWTEncodeParams,
  JWTOptions,
  LoggerInstance,
  PagesOptions,
  SessionCallbackParams,
  SessionOptions,
  SignInCallbackParams,
} from "./model/config.ts";
export type { ErrorPageParam, ErrorType, SignInPageErrorParam } from "./model/error-types.ts";
export type {
  AppProviders,
  BuiltInProviderType,
  CredentialsConfig,
  CredentialsProvider,
  EmailConfig,
  EmailProvider,
  EmailUserConfig,
  OAuth2Config,
  OAuth2Provider,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCProvider,
  OIDCUserConfig,
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
