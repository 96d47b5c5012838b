import type { Check, ProviderOfProfile } from "@cardea/core/providers";
import type { Json, JsonObject } from "../scripted-provider/json.ts";
import type { ProviderScript } from "../scripted-provider/script.ts";

/** The expected behaviour of a provider package. */
export interface ProviderExpectations {
  /** The function that the package exports. */
  readonly provider: (options: never) => ProviderOfProfile;
  /** The id in callback URLs, environment variables and accounts. */
  readonly id: string;
  /** The brand, as its owner writes it. */
  readonly name: string;
  /** Required options other than client id and secret, such as `issuer`. */
  readonly options?: object;
  /** The decoded authorization URL, without the parameters that every flow adds: client, redirect URI, response type, checks. */
  readonly authorizationUrl: string;
  /** Default `["pkce", "state"]` for OAuth 2, and `nonce` for OpenID Connect. */
  readonly checks?: readonly Check[];
  /** The provider's profile of a user: the userinfo response, or the claims of the ID token. Realistic, but fictitious. */
  readonly profile: JsonObject;
  /** The profile without the user's id. Default: without `id` and `sub`. */
  readonly profileWithoutId?: JsonObject;
  /** A profile with the user's id and nothing else, as after a request for fewer fields. Default: `id` and `sub`. */
  readonly profileWithIdOnly?: JsonObject;
  /** Additional members of the token response. */
  readonly tokens?: JsonObject;
  /** Endpoints from discovery. */
  readonly endpoints?: Readonly<Partial<Record<"authorize" | "token" | "jwks" | "userinfo", string>>>;
  /** Additional resources of the provider, by URL. */
  readonly resources?: Readonly<Record<string, Json>>;
  /** Other particularities of the provider. */
  readonly script?: ProviderScript;
  /** The options for a server of the customer's own at this base URL, which may end with a slash. */
  readonly selfHosted?: (baseUrl: string) => object;
  /** The user that the profile is converted to. */
  readonly user: {
    readonly id: string;
    readonly name: string | null;
    readonly email: string | null;
    readonly image: string | null;
  };
  /** Whether the provider reports the address as verified; undefined if it does not report this. */
  readonly emailVerified?: boolean;
  /** The documented values of `error` for a user who cancelled, other than `access_denied`. */
  readonly cancelled?: readonly string[];
  /** Further documented responses of the provider, by what distinguishes them. Cite the documentation in a comment. */
  readonly responses?: Readonly<Record<string, ProviderResponses>>;
}

/** Documented responses of a provider, and their result. Absent members are those of the {@link ProviderExpectations}. */
export interface ProviderResponses {
  /** The provider's profile of the user. */
  readonly profile?: JsonObject;
  /** Additional members of the token response. */
  readonly tokens?: JsonObject;
  /** Additional resources of the provider, by URL. */
  readonly resources?: Readonly<Record<string, Json>>;
  /** Other particularities, in addition to the `script` of the provider. */
  readonly script?: ProviderScript;
  /** Options of the provider function, in addition to those of the {@link ProviderExpectations}. */
  readonly options?: object;
  /** Members of the user that differ. */
  readonly user?: Partial<ProviderExpectations["user"]>;
  /** Whether the provider reports the address as verified; `undefined` if it does not report this. */
  readonly emailVerified?: boolean | undefined;
  /** The sign-in fails with `OAuthCallbackError`, and the log contains each of these texts. */
  readonly logged?: readonly string[];
}
