import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";
import { LOGO } from "./logo.ts";

/** The members of Discord's user response that are used here (https://discord.com/developers/docs/resources/user). */
export interface DiscordProfile {
  /** The user's id: a snowflake, as text. */
  readonly id: string;
  /** The user name; can be changed. */
  readonly username: string;
  /** The display name. */
  readonly global_name: string | null;
  /** `"0"` since user names are unique. */
  readonly discriminator: string;
  /** Hash of the image; animated ones start with `a_`. */
  readonly avatar: string | null;
  /** The e-mail address; absent without the scope `email`, null if there is none. */
  readonly email?: string | null;
  /** Whether the address is verified. */
  readonly verified?: boolean;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Discord. Client id and secret come from the options, or from `AUTH_DISCORD_ID` and `AUTH_DISCORD_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Discord(options: OAuthUserConfig<DiscordProfile> = {}): OAuth2Provider<DiscordProfile> {
  return {
    id: "discord",
    name: "Discord",
    type: "oauth",
    authorization: { url: "https://discord.com/oauth2/authorize", params: { scope: "identify email" } },
    token: { url: "https://discord.com/api/oauth2/token" },
    userinfo: { url: "https://discord.com/api/users/@me" },
    profile(profile) {
      const { id, username, global_name, email, verified } = profile;
      return {
        id,
        name: global_name ?? username,
        email: email ?? null,
        emailVerified: verified,
        image: imageOf(profile),
      };
    },
    style: { logo: LOGO, bg: "#5865f2", text: "#ffffff" },
    options: providerOptions("Discord", options),
  };
}

/** https://discord.com/developers/docs/reference#image-formatting */
function imageOf({ id, avatar, discriminator = "0" }: DiscordProfile): string | null {
  if (!id) return null;
  if (typeof avatar === "string") {
    const format = avatar.startsWith("a_") ? "gif" : "png";
    return `https://cdn.discordapp.com/avatars/${id}/${avatar}.${format}`;
  }
  const index = discriminator === "0" ? Number((BigInt(id) >> 22n) % 6n) : Number(discriminator) % 5;
  return `https://cdn.discordapp.com/embed/avatars/${index}.png`;
}

export default Discord;
