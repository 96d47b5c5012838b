import type { ProviderExpectations } from "@cardea/testing";
import { Notion } from "../src/index.ts";

const USER = {
  object: "user",
  id: "6794760a-1f15-45cd-9c65-0dfe42f5135a",
  name: "Ada Lovelace",
  avatar_url: "https://s3-us-west-2.amazonaws.com/public.notion-static.com/ada.png",
  type: "person",
  person: { email: "ada@example.com" },
};

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Notion,
  id: "notion",
  name: "Notion",
  authorizationUrl: "https://api.notion.com/v1/oauth/authorize?owner=user",
  profile: { object: "user", type: "bot", bot: { owner: { type: "user", user: USER } } },
  profileWithIdOnly: { bot: { owner: { type: "user", user: { id: USER.id } } } },
  profileWithoutId: { object: "user", type: "bot", bot: { owner: { type: "user", user: { ...USER, id: null } } } },
  user: { id: USER.id, name: "Ada Lovelace", email: "ada@example.com", image: USER.avatar_url },
  responses: {
    // https://developers.notion.com/docs/authorization#step-4-notion-responds-with-an-access_token-and-additional-information
    "members of its own": {
      script: {
        token: {
          patch: {
            set: {
              token_type: "bearer",
              bot_id: "1815b0f0-0000-4000-8000-000000001815",
              duplicated_template_id: null,
              owner: { type: "user", user: USER },
              workspace_icon: null,
              workspace_id: "1815a0a0-0000-4000-8000-000000001815",
              workspace_name: "Ada's Notion",
              request_id: "1815d0d0-0000-4000-8000-000000001815",
            },
            remove: ["expires_in", "scope"],
          },
        },
      },
    },
    // https://developers.notion.com/reference/capabilities#user-capabilities
    "a user whose address may not be read": {
      profile: {
        object: "user",
        type: "bot",
        bot: {
          owner: {
            type: "user",
            user: { object: "user", id: USER.id, type: "person", name: "Ada Lovelace", avatar_url: null, person: {} },
          },
        },
      },
      user: { email: null, image: null },
    },
    // https://developers.notion.com/reference/user#bots
    "an integration of a workspace": {
      profile: { object: "user", type: "bot", bot: { owner: { type: "workspace", workspace: true } } },
      logged: ["not authorized by a user but by a workspace"],
    },
    "an error of the token endpoint": {
      script: { token: { status: 400, body: { error: "invalid_grant", error_description: "Invalid code." } } },
      logged: ["invalid_grant"],
    },
    // https://developers.notion.com/reference/status-codes#error-codes
    "an error of the API": {
      script: {
        userinfo: {
          status: 401,
          body: { object: "error", status: 401, code: "unauthorized", message: "API token is invalid." },
        },
      },
      logged: ["401", "API token is invalid."],
    },
  },
};
