import type { Check, ProviderOfProfile } from "@cardea/core/providers";
import type { Json, JsonObject } from "../scripted-provider/json.ts";
import type { ProviderScript } from "../scripted-provider/script.ts";

/** What is expected of a provider's package. */
export interface ProviderExpectations {
  /** The function that the package exports. */
  readonly provider: (options: never) => ProviderOfProfile;
  /** The id: in callback URLs, environment variables and accounts. */
  readonly id: string;
  /** The brand, as its owner writes it. */
  readonly name: string;
  /** What an application must pass besides client id and secret, such as `issuer`. */
  readonly options?: object;
  /** The authorization URL, decoded, without what every flow adds: client, redirect URI, response type and checks. */
  readonly authorizationUrl: string;
  /** Default `["pkce", "state"]` for OAuth 2, and `nonce` for OpenID Connect. */
  readonly checks?: readonly Check[];
  /** What the provider says of a person: the userinfo answer, or the claims of the ID token. Realistic, not real. */
  readonly profile: JsonObject;
  /** The same without the person's id. Default: without `id` and `sub`. */
  readonly profileWithoutId?: JsonObject;
  /** Members that the token answer has besides the standard ones. */
  readonly tokens?: JsonObject;
  /** Endpoints that discovery tells. */
  readonly endpoints?: Readonly<Partial<Record<"authorize" | "token" | "jwks" | "userinfo", string>>>;
  /** Further resources that the provider answers with, by URL. */
  readonly resources?: Readonly<Record<string, Json>>;
  /** What else is particular about the provider. */
  readonly script?: ProviderScript;
  /** The user that becomes of the profile. */
  readonly user: {
    readonly id: string;
    readonly name: string | null;
    readonly email: string | null;
    readonly image: string | null;
  };
  /** Whether the provider vouches for the address; undefined where it says nothing. */
  readonly emailVerified?: boolean;
}
