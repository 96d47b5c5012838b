/** How a scripted provider deviates from a correct one. Everything is data, so a script can be a JSON file. */
import type { Json, JsonObject, JsonPatch } from "./json.ts";
import type { KeySet, SignatureAlgorithm } from "./keys.ts";

/** Methods of client authentication at the token endpoint (RFC 7591 §2). */
export type ClientAuthentication =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "none";

/**
 * A network fault in place of a response.
 * `reset`, `refused`, `dns`, `tls`: `fetch` rejects with a `TypeError` with the corresponding `cause.code`, as in Node.js.
 * `never`: connected, no response. `stall`: status and headers, then no body. Both wait until the request is aborted.
 * `reset-midway`: half of the body, then a reset.
 */
export type NetworkFault = "reset" | "refused" | "dns" | "tls" | "never" | "stall" | "reset-midway";

/** Deviations of one endpoint's response. Absent members keep the correct behaviour. */
export interface EndpointScript {
  /** Number of requests that this applies to, counted from when the script was set; later ones get correct responses. */
  readonly times?: number;
  /** Replaces the HTTP status. */
  readonly status?: number;
  /** Headers to add or replace. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the endpoint's JSON; may be any JSON value, including `null` and arrays. */
  readonly body?: Json;
  /** Changes to the endpoint's JSON; errors are not changed. */
  readonly patch?: JsonPatch;
  /** Raw text in place of JSON, such as HTML, repeated keys or `{"__proto__":…}`. Set `content-type` in `headers`. */
  readonly raw?: string;
  /** Redirects to this URL with status 302. */
  readonly redirect?: string;
  /** Truncates the body to this many bytes. */
  readonly truncate?: number;
  /** Pads the body with spaces to this many bytes; JSON stays valid. */
  readonly padTo?: number;
  /** An endless body, which is cut off after 64 MiB. `bytesSent` of the recorded call is the number of bytes read. */
  readonly endless?: true;
  /** Delay before the response, in real milliseconds; an aborted request ends immediately. */
  readonly delayMs?: number;
  /** A network fault in place of a response. */
  readonly network?: NetworkFault;
}

/** Deviations of the key endpoint. */
export interface JwksScript extends EndpointScript {
  /** Creates new keys before each signature, and drops the old ones. */
  readonly rotate?: "beforeSign";
  /** Which keys are published; default `single`. */
  readonly set?: KeySet;
  /** Publishes the keys without `kid`. The ID token keeps its `kid` unless it is in `idToken.header.remove`. */
  readonly withoutKid?: true;
}

/** Changes to the parameters of the authorization response, applied in this order. */
export interface ParameterScript {
  /** Names of parameters to omit. */
  readonly remove?: readonly string[];
  /** Sets a value, even if the parameter was absent. */
  readonly replace?: Readonly<Record<string, string>>;
  /** Inserts a second value of the parameter before the first one. */
  readonly duplicate?: Readonly<Record<string, string>>;
  /** Appends a parameter, even if there is one with that name. */
  readonly add?: Readonly<Record<string, string>>;
}

/** Deviations of the user's visit to the provider. */
export interface AuthorizeScript {
  /** The user who signs in; default: the provider's `user`. */
  readonly user?: JsonObject;
  /** An error response in place of a code. */
  readonly error?: { readonly error: string; readonly error_description?: string; readonly error_uri?: string };
  /** Changes to the parameters of the response. */
  readonly params?: ParameterScript;
}

/** A check that the token endpoint of a careless provider omits. `code`: whether it was used before or has expired. */
export type TokenCheck = "client" | "code" | "redirect_uri" | "pkce";

/** Deviations of the token endpoint. */
export interface TokenScript extends EndpointScript {
  /** The only accepted methods of client authentication; default: those that the provider was created with. */
  readonly clientAuthentication?: readonly ClientAuthentication[];
  /** Checks to omit. */
  readonly skip?: readonly TokenCheck[];
}

/**
 * How an ID token is signed.
 * `ok`: with the published key · `xor5a`: every byte of the signature XOR 0x5A · `tampered`: the payload changed afterwards ·
 * `none`: alg none, no signature · `stripped`: the signature removed, alg kept · `other-key`: with an unpublished key under the
 * published kid · `embedded-jwk`: with such a key, included in the header as `jwk` · `hmac-…`: HS256 with the client secret or
 * the public key as text · `{ alg }`: correctly, with another published algorithm.
 */
export type SignatureScript =
  | "ok"
  | "xor5a"
  | "tampered"
  | "none"
  | "stripped"
  | "other-key"
  | "embedded-jwk"
  | "hmac-with-secret"
  | "hmac-with-public-key-pem"
  | "hmac-with-public-key-jwk"
  | { readonly alg: SignatureAlgorithm };

/** Deviations of the ID token. */
export interface IdTokenScript {
  /** Changes to the header. They may contain a false `alg`, and are signed unchanged. */
  readonly header?: JsonPatch;
  /** Changes to the claims before the token is signed. */
  readonly claims?: JsonPatch;
  /** How the token is signed; default `ok`. */
  readonly sign?: SignatureScript;
  /** Replaces the ID token. */
  readonly replaceWith?: Json;
}

/** Deviations of the userinfo endpoint. */
export interface UserinfoScript extends EndpointScript {
  /** Where it expects the access token; default `header`. `body`: a form field of a POST. */
  readonly transport?: "header" | "body";
  /** Responds with a signed JWT (`application/jwt`) instead of JSON; `idToken.sign` does not affect it. */
  readonly signed?: true;
}

/** A scripted provider's deviations by endpoint. `{}`: none. */
export interface ProviderScript {
  /** A name for messages and test titles; not used by the provider. */
  readonly name?: string;
  /** Changes to the metadata. An endpoint that is moved within the issuer's origin is served at its new URL. */
  readonly metadata?: JsonPatch;
  /** The metadata document (OIDC Discovery §4). */
  readonly discovery?: EndpointScript;
  /** The published keys (RFC 7517 §5). */
  readonly jwks?: JwksScript;
  /** The user's visit to the authorization endpoint (RFC 6749 §3.1). */
  readonly authorize?: AuthorizeScript;
  /** The token endpoint (RFC 6749 §3.2). */
  readonly token?: TokenScript;
  /** The ID tokens that the token endpoint issues (OIDC Core §2). */
  readonly idToken?: IdTokenScript;
  /** The userinfo endpoint (OIDC Core §5.3). */
  readonly userinfo?: UserinfoScript;
}
