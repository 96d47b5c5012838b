/** What a scripted provider is and what it remembers. */
import type { JWK } from "jose";
import type { CallLog, FetchedEndpoint } from "./calls.ts";
import type { Answer } from "./faults.ts";
import type { Json, JsonObject } from "./json.ts";
import type { KeyStore, SignatureAlgorithm } from "./keys.ts";
import type { ClientAuthentication, ProviderScript } from "./script.ts";

/** How to set up a scripted provider. */
export interface ScriptedProviderOptions {
  /** Exactly as in the metadata and in `iss`, trailing slash or not. Default `https://op.example.com`. */
  readonly issuer?: string;
  /** Default `cid`. */
  readonly clientId?: string;
  /** Default `csecret`; `null`: a client without a secret. */
  readonly clientSecret?: string | null;
  /** `oidc` (default) issues ID tokens; `oauth2` has none, and no `/.well-known/openid-configuration`. */
  readonly type?: "oidc" | "oauth2";
  /** Ways of client authentication it takes. Default: by secret (basic, post), else by `clientKeys`, else `none`. */
  readonly clientAuthentication?: readonly ClientAuthentication[];
  /** The client's public keys, for `private_key_jwt`. */
  readonly clientKeys?: readonly JWK[];
  /** Redirect URIs it accepts, exactly. Default: any. */
  readonly redirectUris?: readonly string[];
  /** `required`: no code without a challenge. Default `optional`: checked when sent. */
  readonly pkce?: "required" | "optional";
  /** Announces RFC 9207 and sends `iss` with each authorization response. Default false. */
  readonly responseIss?: boolean;
  /** Algorithm of ID tokens. Default `RS256`. */
  readonly signatureAlgorithm?: SignatureAlgorithm;
  /** Which tokens carry the person's claims. Default `both`. */
  readonly claimsIn?: "both" | "idToken" | "userinfo";
  /**
   * Where the endpoints are, absolute or relative to the issuer, for clients that know them by heart
   * (`{ userinfo: "https://api.example.com/user" }`). Default `authorize`, `token`, `jwks`, `userinfo` below the issuer.
   */
  readonly endpoints?: Readonly<Partial<Record<"authorize" | "token" | "jwks" | "userinfo", string>>>;
  /** Further JSON resources by absolute URL, answered to anyone who has an access token. */
  readonly resources?: Readonly<Record<string, Json>>;
  /** Who signs in when neither script nor call says otherwise. Default: {@link defaultUser}. */
  readonly user?: JsonObject;
  /** The provider's clock, milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** What stands behind an authorization code and the tokens made from it. */
export interface Grant {
  readonly redirectUri: string;
  readonly scope: string;
  readonly nonce: string | undefined;
  readonly codeChallenge: string | undefined;
  /** Seconds since 1970; present when the client sent `max_age`. */
  readonly authTime: number | undefined;
  readonly user: JsonObject;
  /** Milliseconds since 1970 after which the code is void. */
  readonly expires: number;
}

/** Every secret the provider gave out: what must not turn up in logs and pages. */
export interface IssuedSecrets {
  readonly codes: readonly string[];
  readonly accessTokens: readonly string[];
  readonly refreshTokens: readonly string[];
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

/** One provider at work. */
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
  /** Requests answered since the script was set, by endpoint: what `times` counts. */
  readonly uses: Map<FetchedEndpoint, number>;
}

/** The person who signs in by default; with `oauth2`, as such providers describe one. */
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

/** An answer of JSON. */
export function jsonAnswer(value: Json, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, content: { kind: "json", value }, headers };
}
