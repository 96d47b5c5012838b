import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";
import { LOGO } from "./logo.ts";

/**
 * The members of Facebook's user response that are used here
 * (https://developers.facebook.com/docs/graph-api/reference/user/).
 */
export interface FacebookProfile {
  /** The user's id for this application. */
  readonly id: string;
  /** The full name. */
  readonly name: string;
  /** The e-mail address; absent if the user does not share it, or has no valid one. */
  readonly email?: string;
  /** The picture; `data.url` is its URL. */
  readonly picture?: { readonly data?: { readonly url?: string } };
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Facebook. Client id and secret come from the options, or from `AUTH_FACEBOOK_ID` and `AUTH_FACEBOOK_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Facebook(options: OAuthUserConfig<FacebookProfile> = {}): OAuth2Provider<FacebookProfile> {
  return {
    id: "facebook",
    name: "Facebook",
    type: "oauth",
    authorization: { url: "https://www.facebook.com/v23.0/dialog/oauth", params: { scope: "public_profile,email" } },
    token: { url: "https://graph.facebook.com/v23.0/oauth/access_token", conform: describeError },
    userinfo: { url: "https://graph.facebook.com/v23.0/me", params: { fields: "id,name,email,picture" } },
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile({ id, name, email, picture }) {
      return { id, name, email: email ?? null, image: picture?.data?.url ?? null };
    },
    style: { logo: LOGO, bg: "#0866ff", text: "#ffffff" },
    options: providerOptions("Facebook", options),
  };
}

interface GraphError {
  readonly message?: string;
  readonly type?: string;
  readonly code?: number;
  readonly error_subcode?: number;
  readonly fbtrace_id?: string;
}

/** An error is an object (https://developers.facebook.com/docs/graph-api/guides/error-handling), where RFC 6749 §5.2 has text. */
async function describeError(response: Response): Promise<Response | undefined> {
  if (response.ok) return undefined;
  const { error } = Object(await response.json().catch(() => null));
  if (typeof error !== "object" || error === null) return undefined;
  return Response.json({ error: error.type ?? "invalid_request", error_description: textOf(error) }, { status: 400 });
}

/** Facebook's support needs the trace id. */
function textOf({ message, code, error_subcode, fbtrace_id }: GraphError): string {
  const facts = Object.entries({ code, error_subcode, fbtrace_id }).filter(([, value]) => value !== undefined);
  return `${message} (${facts.map((fact) => fact.join(" ")).join(", ")})`;
}

export default Facebook;
