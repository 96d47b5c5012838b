/** Names of Auth.js that the module in its place exports under another name. By that module; see also `RENAMED`. */
export const RENAMED_TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "@cardea/providers-github": { GithubProfile: "GitHubProfile" },
  "@cardea/providers-line": { LineProfile: "LINEProfile" },
  "@cardea/providers-microsoft-entra-id": { AzureADProfile: "MicrosoftEntraIDProfile" },
  "@cardea/providers-shortvideo": { TiktokProfile: "TikTokProfile" },
  "@cardea/providers-social": { VkProfile: "VKProfile" },
  "@cardea/providers-x": { TwitterProfile: "XProfile" },
  "@cardea/providers-zitadel": { ZitadelProfile: "ZITADELProfile" },
  "@cardea/core/providers": {
    EmailProviderSendVerificationRequestParams: "VerificationRequest",
    SendVerificationRequestParams: "VerificationRequest",
  },
  "@cardea/core/errors": { AccountNotLinkedError: "AccountNotLinked" },
  "@cardea/core/types": { AuthOptions: "AuthConfig" },
  "@cardea/sveltekit": { SvelteKitAuthConfig: "AuthConfig" },
};

/** Names of Auth.js that the module in its place does not export at all. */
const UNEXPORTED: Readonly<Record<string, string>> = {
  "@cardea/providers-apple": "AppleNonConformUser",
  "@cardea/providers-credentials": "CredentialsProvider CredentialsProviderId CredentialsProviderType",
  "@cardea/providers-email": "EmailProvider EmailProviderId EmailProviderType",
  "@cardea/providers-github": "GitHubEmail GithubEmail",
  "@cardea/providers-kakao": "AgeRange Birthday DateTime Gender",
  "@cardea/providers-notion": "Owner Person User",
  "@cardea/providers-spotify": "SpotifyImage",
  "@cardea/providers-webauthn":
    "DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION DEFAULT_WEBAUTHN_TIMEOUT GetUserInfo RelayingParty WebAuthnConfig WebAuthnProviderType",
  "@cardea/providers-x": "TwitterLegacy TwitterLegacyProfile",
  "@cardea/client/react": "SessionContext authConfigManager useOauthPopupLogin",
  "@cardea/core/adapters": "AdapterAccountType isDate",
  "@cardea/core/errors":
    "ExperimentalFeatureNotEnabled MissingAPIRoute SignInError UnknownError adapterErrorHandler capitalize eventsErrorHandler upperSnake",
  "@cardea/core/providers":
    "AccountCallback AppProvider AuthorizationEndpointHandler BuiltInProviders CredentialsProviderId CredentialsProviderType EmailProviderId EmailProviderType OAuthChecks OAuthEndpointType OAuthProviderButtonStyles OAuthProviderId OAuthProviderType OIDCConfigInternal ProfileCallback RedirectableProviderType",
  "@cardea/core/types": "Awaited EventType ISODateString SessionStrategy WarningCode WebAuthnOptionsResponseBody",
  "@cardea/hono": "reqWithEnvUrl setEnvDefaults",
  "@cardea/next": "EventType ISODateString OutgoingResponse RequestInternal SessionStrategy",
  "@cardea/next/jwt": "Secret",
  "@cardea/next/react": "GetSessionParams LiteralUnion SessionContext SessionContextValue SignOutResponse __NEXTAUTH",
};

/** Whether a module lacks a name that the one of Auth.js exports. */
export function isUnexported(module: string, name: string): boolean {
  return UNEXPORTED[module]?.split(" ").includes(name) === true;
}
