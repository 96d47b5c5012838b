/** What a scripted provider does differently from an honest one. Everything is data: a script can be a JSON file. */
import type { Json, JsonObject, JsonPatch } from "./json.ts";
import type { KeySet, SignatureAlgorithm } from "./keys.ts";

/** Ways a client may prove itself at the token endpoint (RFC 7591 §2). */
export type ClientAuthentication =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "none";

/**
 * What the network does instead of answering.
 * `reset`, `refused`, `dns`, `tls`: `fetch` rejects with a `TypeError` whose `cause.code` says so, as Node's does.
 * `never`: connected, no answer. `stall`: status and headers, then no body. Both wait until the request is aborted.
 * `reset-midway`: half of the body, then a reset.
 */
export type NetworkFault = "reset" | "refused" | "dns" | "tls" | "never" | "stall" | "reset-midway";

/** How one endpoint answers. Whatever is absent is as the honest provider has it. */
export interface EndpointScript {
  /** How many requests this applies to, counted from when the script was set; the later ones are answered honestly. */
  readonly times?: number;
  readonly status?: number;
  /** Set over the endpoint's own headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON to send instead of the endpoint's own, `null` and arrays included. */
  readonly body?: Json;
  /** Changes to the endpoint's own JSON; errors are left as they are. */
  readonly patch?: JsonPatch;
  /** Text to send as it is, in place of JSON: HTML, repeated keys, `{"__proto__":…}`. Set `content-type` in `headers`. */
  readonly raw?: string;
  /** Answers 302 to this URL. */
  readonly redirect?: string;
  /** Cuts the body after so many bytes. */
  readonly truncate?: number;
  /** Lengthens the body with spaces to so many bytes; JSON stays valid. */
  readonly padTo?: number;
  /** A body without end. `bytesSent` of the recorded call tells how much was read; after 64 MiB it breaks off. */
  readonly endless?: true;
  /** Waits before answering, in real milliseconds; an aborted request is over at once. */
  readonly delayMs?: number;
  readonly network?: NetworkFault;
}

/** How the key endpoint answers. */
export interface JwksScript extends EndpointScript {
  /** Makes new keys before each signature, and forgets the old ones. */
  readonly rotate?: "beforeSign";
  /** Which keys are published; default `single`. */
  readonly set?: KeySet;
  /** Publishes the keys without `kid`; the ID token keeps its own unless `idToken.header.remove` names it. */
  readonly withoutKid?: true;
}

/** Changes to the parameters of the authorization response, applied in this order. */
export interface ParameterScript {
  readonly remove?: readonly string[];
  /** Sets the value, also where the parameter was absent. */
  readonly replace?: Readonly<Record<string, string>>;
  /** Puts a second value of the parameter before the first one. */
  readonly duplicate?: Readonly<Record<string, string>>;
  /** Puts a parameter at the end, also where there is one of that name. */
  readonly add?: Readonly<Record<string, string>>;
}

/** How the person's visit to the provider ends. */
export interface AuthorizeScript {
  /** Who signs in; default the provider's `user`. */
  readonly user?: JsonObject;
  /** The provider says no: sent instead of a code. */
  readonly error?: { readonly error: string; readonly error_description?: string; readonly error_uri?: string };
  readonly params?: ParameterScript;
}

/** A check the token endpoint of a careless provider leaves out. `code`: that it was used before or has expired. */
export type TokenCheck = "client" | "code" | "redirect_uri" | "pkce";

/** How the token endpoint answers. */
export interface TokenScript extends EndpointScript {
  /** The only ways of client authentication it takes; default what the provider was created with. */
  readonly clientAuthentication?: readonly ClientAuthentication[];
  readonly skip?: readonly TokenCheck[];
}

/**
 * How an ID token is signed.
 * `ok` with the published key · `xor5a` every byte of the signature XOR 0x5A · `tampered` the payload changed afterwards ·
 * `none` alg none, no signature · `stripped` the signature cut off, alg kept · `other-key` a key that is not published,
 * under the published kid · `embedded-jwk` such a key, offered in the header's `jwk` · `hmac-…` HS256 keyed with the client
 * secret or the public key as text · `{ alg }` honestly, with another published algorithm.
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

/** What the ID token is like. */
export interface IdTokenScript {
  /** Changes to the header; they may lie about `alg` and are signed as they are. */
  readonly header?: JsonPatch;
  readonly claims?: JsonPatch;
  readonly sign?: SignatureScript;
  /** Sent in place of an ID token. */
  readonly replaceWith?: Json;
}

/** How the userinfo endpoint answers. */
export interface UserinfoScript extends EndpointScript {
  /** Where it takes the access token; default `header`. `body`: a form field of a POST. */
  readonly transport?: "header" | "body";
  /** Answers with a signed JWT (`application/jwt`) instead of JSON; `idToken.sign` does not touch it. */
  readonly signed?: true;
}

/** A scripted provider's departures from honesty, by endpoint. `{}`: an honest provider. */
export interface ProviderScript {
  /** A name for messages and test titles; nothing reads it. */
  readonly name?: string;
  /** Changes to the metadata. An endpoint moved within the issuer's origin answers at its new place. */
  readonly metadata?: JsonPatch;
  readonly discovery?: EndpointScript;
  readonly jwks?: JwksScript;
  readonly authorize?: AuthorizeScript;
  readonly token?: TokenScript;
  readonly idToken?: IdTokenScript;
  readonly userinfo?: UserinfoScript;
}
