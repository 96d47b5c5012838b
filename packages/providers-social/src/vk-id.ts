import {
  type OAuth2Provider,
  type OAuthUserConfig,
  providerOptions,
  type TokenRequestContext,
  type UserinfoRequestContext,
} from "@cardea/core/providers";

/**
 * The user information that VK ID returns; each member only if the scope requests it (`vkid.personal_info`, `email`,
 * `phone`).
 */
export interface VKIDProfile {
  /** The user's id. */
  readonly user_id: string;
  /** First name. */
  readonly first_name?: string;
  /** Last name. */
  readonly last_name?: string;
  /** URL of the profile picture. */
  readonly avatar?: string;
  /** The e-mail address; VK ID does not report whether it is verified. */
  readonly email?: string;
  /** The phone number. */
  readonly phone?: string;
  /** 0: not specified, 1: female, 2: male. */
  readonly sex?: number;
  /** The date of birth, as `DD.MM.YYYY`. */
  readonly birthday?: string;
  /** Whether VK has verified the account. Does not apply to the e-mail address. */
  readonly verified?: boolean;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

const TOKEN_URL = "https://id.vk.ru/oauth2/auth";
const USER_URL = "https://id.vk.ru/oauth2/user_info";

/**
 * Sign-in with VK ID, VK's OAuth 2.1 service, for applications registered at id.vk.ru. The client id comes from the options
 * or from `AUTH_VKID_ID`. The client is public: PKCE takes the place of a secret.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function VKID(options: OAuthUserConfig<VKIDProfile> = {}): OAuth2Provider<VKIDProfile> {
  return {
    id: "vkid",
    name: "VK ID",
    type: "oauth",
    authorization: { url: "https://id.vk.ru/authorize", params: { scope: "vkid.personal_info email" } },
    token: { url: TOKEN_URL, request: requestTokens },
    userinfo: { url: USER_URL, request: requestUser },
    client: { token_endpoint_auth_method: "none" },
    checks: ["pkce", "state"],
    profile({ user_id, first_name, last_name, email, avatar }) {
      const name = [first_name, last_name].filter(Boolean).join(" ");
      return { id: user_id, name: name || null, email: email || null, image: avatar || null };
    },
    style: { bg: "#0077ff", text: "#ffffff" },
    options: providerOptions("VKID", options),
  };
}

/** VK ID sends a `device_id` with the code, and requires it, with `state`, when the code is exchanged. */
async function requestTokens({ params, checks, provider, fetch }: TokenRequestContext) {
  const { code = "", device_id } = params;
  if (!device_id) throw new Error("VK ID sent no device_id with the code");
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    device_id,
    client_id: provider.clientId ?? "",
    code_verifier: checks.code_verifier ?? "",
    redirect_uri: provider.callbackUrl,
    state: checks.state ?? "",
  });
  const answer = await readAnswer(await fetch(TOKEN_URL, { method: "POST", body }));
  if (answer.state !== undefined && answer.state !== checks.state) throw new Error("VK ID returned a different state");
  return answer;
}

/** The access token is sent in the body, and the profile is a member of the response. */
async function requestUser({ tokens, provider, fetch }: UserinfoRequestContext): Promise<Record<string, unknown>> {
  const body = new URLSearchParams({ client_id: provider.clientId ?? "", access_token: tokens.access_token ?? "" });
  const { user } = await readAnswer(await fetch(USER_URL, { method: "POST", body }));
  if (!isRecord(user)) throw new Error("VK ID returned no user");
  // One response has the id as a number, the other as text. The profile of a user other than the one who agreed is rejected.
  if (tokens.user_id !== undefined && String(tokens.user_id) !== String(user.user_id))
    throw new Error("VK ID returned the profile of another user");
  return user;
}

/** VK ID also reports errors with status 200. */
async function readAnswer(response: Response): Promise<Record<string, unknown>> {
  const answer: unknown = await response.json().catch(() => null);
  if (!isRecord(answer)) throw new Error(`VK ID responded with status ${response.status}`);
  const { error, error_description } = answer;
  if (response.ok && error === undefined) return answer;
  throw new Error(`VK ID responded with status ${response.status}: ${error} (${error_description})`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
