import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";

/** The members of Yandex's user response that are used here (https://yandex.com/dev/id/doc/en/user-information). */
export interface YandexProfile {
  /** The user's id. */
  readonly id: string;
  /** The user name at Yandex. */
  readonly login: string;
  /** The name that is displayed. */
  readonly display_name?: string;
  /** First and last name. */
  readonly real_name?: string;
  /** First name. */
  readonly first_name?: string;
  /** The address that is used by default; absent without the permission `login:email`. */
  readonly default_email?: string;
  /** The user's addresses. */
  readonly emails?: readonly string[];
  /** Part of the URL of the avatar; absent without the permission `login:avatar`. */
  readonly default_avatar_id?: string;
  /** Whether the avatar is the placeholder. */
  readonly is_avatar_empty?: boolean;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Yandex. Client id and secret come from the options, or from `AUTH_YANDEX_ID` and `AUTH_YANDEX_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Yandex(options: OAuthUserConfig<YandexProfile> = {}): OAuth2Provider<YandexProfile> {
  return {
    id: "yandex",
    name: "Yandex",
    type: "oauth",
    authorization: {
      url: "https://oauth.yandex.ru/authorize",
      params: { scope: "login:info login:email login:avatar" },
    },
    token: { url: "https://oauth.yandex.ru/token" },
    userinfo: { url: "https://login.yandex.ru/info", params: { format: "json" } },
    profile({ id, display_name, real_name, first_name, default_email, emails, default_avatar_id, is_avatar_empty }) {
      const hasAvatar = is_avatar_empty !== true && default_avatar_id !== undefined;
      return {
        id,
        name: display_name ?? real_name ?? first_name ?? null,
        email: default_email ?? emails?.[0] ?? null,
        image: hasAvatar ? `https://avatars.yandex.net/get-yapic/${default_avatar_id}/islands-200` : null,
      };
    },
    style: { bg: "#ffcc00", text: "#000000" },
    options: providerOptions("Yandex", options),
  };
}

export default Yandex;
