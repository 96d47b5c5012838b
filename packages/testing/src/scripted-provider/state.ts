/** Options and state of a scripted provider. */
import type { JWK } from "jose";
import type { CallLog, FetchedEndpoint } from "./calls.ts";
import type { Answer } from "./faults.ts";
import type { Json, JsonObject } from "./json.ts";
import type { KeyStore, SignatureAlgorithm } from "./keys.ts";
import type { ClientAuthentication, ProviderScript } from "./script.ts";

/** Options of a scripted provider. */
export interface ScriptedProviderOptions {
  /** The exact value in the metadata and in `iss`, with or without a trailing slash. Default `https://op.example.com`. */
  readonly issuer?: string;
  /** Default `cid`. */
  readonly clientId?: string;
  /** Default `csecret`; `null`: a client without a secret. */
  readonly clientSecret?: string | null;
  /** `oidc` (default) issues ID tokens; `oauth2` has neither ID tokens nor `/.well-known/openid-configuration`. */
  readonly type?: "oidc" | "oauth2";
  /** Accepted methods of client authentication. Default: secret (basic, post), otherwise `clientKeys`, otherwise `none`. */
  readonly clientAuthentication?: readonly ClientAuthentication[];
  /** The client's public keys, for `private_key_jwt`. */
  readonly clientKeys?: readonly JWK[];
  /** Accepted redirect URIs, compared exactly. Default: any. */
  readonly redirectUris?: readonly string[];
  /** `required`: no code without a challenge. Default `optional`: checked if sent. */
  readonly pkce?: "required" | "optional";
  /** Announces RFC 9207 and sends `iss` with each authorization response. Default false. */
  readonly responseIss?: boolean;
  /** Algorithm of ID tokens. Default `RS256`. */
  readonly signatureAlgorithm?: SignatureAlgorithm;
  /** Where the user's claims are returned. Default `both`. */
  readonly claimsIn?: "both" | "idToken" | "userinfo";
  /**
   * URLs of the endpoints, absolute or relative to the issuer, for clients that do not use discovery
   * (`{ userinfo: "https://api.example.com/user" }`). Default `authorize`, `token`, `jwks`, `userinfo` below the issuer.
   */
  readonly endpoints?: Readonly<Partial<Record<"authorize" | "token" | "jwks" | "userinfo", string>>>;
  /** Additional JSON resources by absolute URL, served to any client with an access token. */
  readonly resources?: Readonly<Record<string, Json>>;
  /** The user who signs in, unless the script or the call specifies another. Default: {@link defaultUser}. */
  readonly user?: JsonObject;
  /** The provider's clock, milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** The grant behind an authorization code and its tokens. */
export interface Grant {
  readonly redirectUri: string;
  readonly scope: string;
  readonly nonce: string | undefined;
  readonly codeChallenge: string | undefined;
  /** Seconds since 1970; set if the client sent `max_age`. */
  readonly authTime: number | undefined;
  readonly user: JsonObject;
  /** When the code expires, in milliseconds since 1970. */
  readonly expires: number;
}

/** Every secret that the provider issued. None of them may appear in logs and pages. */
export interface IssuedSecrets {
  /** Authorization codes, oldest first. */
  readonly codes: readonly string[];
  /** Access tokens, oldest first. */
  readonly accessTokens: readonly string[];
  /** Refresh tokens, oldest first. */
  readonly refreshTokens: readonly string[];
  /** ID tokens as they were sent, oldest first. */
  readonly idTokens: readonly string[];
}

/** The options, with their defaults. */
export interface Settings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly type: "oidc" | "oauth2";
  readonly clientAuthentication: readonly ClientAuthentication[];
  readonly clientKeys: readonly JWK[];
  readonly redirectUris: readonly string[] | undefined;
  readonly pkce: "required" | "optional";
  readonly responseIss: boolean;
  readonly signatureAlgorithm: SignatureAlgorithm;
  readonly claimsIn: "both" | "idToken" | "userinfo";
  readonly endpoints: Readonly<Record<"authorize" | "token" | "jwks" | "userinfo", string>>;
  readonly resources: ReadonlyMap<string, Json>;
  readonly now: () => number;
}

/** The state of one provider. */
export interface ProviderState {
  readonly settings: Settings;
  readonly keys: KeyStore;
  readonly calls: CallLog;
  readonly codes: Map<string, Grant & { isUsed: boolean }>;
  readonly accessTokens: Map<string, Grant>;
  readonly refreshTokens: Map<string, Grant>;
  readonly assertionIds: Set<string>;
  readonly issued: { codes: string[]; accessTokens: string[]; refreshTokens: string[]; idTokens: string[] };
  user: JsonObject;
  script: ProviderScript;
  /** Number of requests since the script was set, by endpoint, for `times`. */
  readonly uses: Map<FetchedEndpoint, number>;
}

/** The user who signs in by default; for `oauth2`, in the format of such providers. */
export function defaultUser(type: "oidc" | "oauth2"): JsonObject {
  const common = { name: "Ada Lovelace", email: "ada@example.com" };
  if (type === "oauth2") return { id: 1815, login: "ada", ...common, avatar_url: "https://op.example.com/ada.png" };
  return {
    sub: "user-subject-1815",
    ...common,
    email_verified: true,
    given_name: "Ada",
    family_name: "Lovelace",
    preferred_username: "ada",
    picture: "https://op.example.com/ada.png",
  };
}

/** A JSON response. */
export function jsonAnswer(value: Json, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, content: { kind: "json", value }, headers };
}
