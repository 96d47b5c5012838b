import type { ProviderExpectations } from "@cardea/testing";
import { Reddit } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Reddit,
  id: "reddit",
  name: "Reddit",
  authorizationUrl: "https://www.reddit.com/api/v1/authorize?scope=identity",
  checks: ["state"],
  profile: { id: "1815ada", name: "ada", icon_img: "https://styles.redditmedia.com/ada.png?width=256&s=1" },
  user: {
    id: "1815ada",
    name: "ada",
    email: null,
    image: "https://styles.redditmedia.com/ada.png?width=256&s=1",
  },
  responses: {
    // https://github.com/reddit-archive/reddit/wiki/OAuth2#retrieving-the-access-token
    "tokens, and members of its own": {
      tokens: { token_type: "bearer", expires_in: 86_400, scope: "identity" },
      profile: {
        id: "1815ada",
        name: "ada",
        icon_img: "",
        is_suspended: false,
        has_verified_email: true,
        subreddit: null,
      },
      user: { image: null },
    },
    "an error of the token endpoint with status 200": {
      script: { token: { body: { error: "invalid_grant" } } },
      logged: ["invalid_grant"],
    },
    // Errors of the API are `{ message, error }`, with the status as `error`
    "an error of the API": {
      script: { userinfo: { status: 403, body: { message: "Forbidden", error: 403 } } },
      logged: ["403"],
    },
    "a request for a scope that does not exist": {
      script: { authorize: { error: { error: "invalid_scope" } } },
      logged: ["invalid_scope"],
    },
  },
};
