import type { ProviderExpectations } from "@cardea/testing";
import { VK } from "../src/index.ts";
import { MINIMAL } from "../src/vk-people.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: VK,
  id: "vk",
  name: "VK",
  authorizationUrl: "https://oauth.vk.com/authorize?v=5.126&scope=email",
  profile: { response: [MINIMAL] },
  profileWithoutId: { response: [{ ...MINIMAL, id: null }] },
  profileWithIdOnly: { response: [{ id: MINIMAL.id }] },
  tokens: { user_id: 1815, email: "ada@example.com" },
  user: { id: "1815", name: "Ada Lovelace", email: "ada@example.com", image: MINIMAL.photo_100 },
  responses: {
    // https://dev.vk.com/en/api/access-token/authcode-flow-user: no type, and 0 for tokens that do not expire
    "tokens without an address, for ever": {
      script: { token: { patch: { set: { user_id: 1815, expires_in: 0 }, remove: ["token_type", "scope"] } } },
      user: { email: null },
    },
    "an error of the token endpoint": {
      script: {
        token: { status: 401, body: { error: "invalid_grant", error_description: "Code is invalid or expired." } },
      },
      logged: ["invalid_grant", "Code is invalid or expired."],
    },
    // https://dev.vk.com/en/reference/errors: with status 200
    "an error of the API with status 200": {
      profile: { error: { error_code: 5, error_msg: "User authorization failed: invalid access_token (4)." } },
      logged: ["User authorization failed"],
    },
  },
};
