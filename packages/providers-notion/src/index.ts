import {
  type OAuth2Provider,
  type OAuthUserConfig,
  providerOptions,
  type UserinfoRequestContext,
} from "@cardea/core/providers";

/** The members of Notion's user response that are used here (https://developers.notion.com/reference/user). */
export interface NotionProfile {
  /** The user's id: a UUID. */
  readonly id: string;
  /** The display name; null if there is none. */
  readonly name: string | null;
  /** URL of the picture; null if there is none. */
  readonly avatar_url: string | null;
  /** Present for human users; `email` only if the integration may read it. */
  readonly person?: { readonly email?: string };
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

const BOT_URL = "https://api.notion.com/v1/users/me";

/** Notion's API is versioned by date; newer versions may respond differently. */
const API_VERSION = "2022-06-28";

/**
 * Sign-in with Notion. Client id and secret come from the options, or from `AUTH_NOTION_ID` and `AUTH_NOTION_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Notion(options: OAuthUserConfig<NotionProfile> = {}): OAuth2Provider<NotionProfile> {
  return {
    id: "notion",
    name: "Notion",
    type: "oauth",
    authorization: { url: "https://api.notion.com/v1/oauth/authorize", params: { owner: "user", scope: "" } },
    token: { url: "https://api.notion.com/v1/oauth/token" },
    userinfo: { url: BOT_URL, request: requestOwner },
    profile({ id, name, avatar_url, person }) {
      return { id, name, email: person?.email ?? null, image: avatar_url };
    },
    style: { bg: "#ffffff", text: "#000000" },
    options: providerOptions("Notion", options),
  };
}

/** The token belongs to a bot; the user is the one who installed it. */
async function requestOwner({ tokens, fetch }: UserinfoRequestContext): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${tokens.access_token}`, "notion-version": API_VERSION };
  const response = await fetch(BOT_URL, { headers });
  if (!response.ok) throw new Error(`Notion responded with status ${response.status}: ${await response.text()}`);
  const { bot } = await response.json();
  if (bot?.owner?.type !== "user")
    throw new Error("The Notion integration is not authorized by a user but by a workspace");
  return bot.owner.user;
}

export default Notion;
