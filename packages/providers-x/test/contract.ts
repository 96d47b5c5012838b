import type { ProviderExpectations } from "@cardea/testing";
import { X } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: X,
  id: "twitter",
  name: "X",
  authorizationUrl: "https://x.com/i/oauth2/authorize?scope=users.read tweet.read offline.access",
  profile: {
    data: {
      id: "2244994945",
      name: "Ada Lovelace",
      username: "ada",
      profile_image_url: "https://pbs.twimg.com/profile_images/1815/ada_normal.jpg",
    },
  },
  profileWithIdOnly: { data: { id: "2244994945" } },
  profileWithoutId: { data: { name: "Ada Lovelace", username: "ada" } },
  user: {
    id: "2244994945",
    name: "Ada Lovelace",
    email: null,
    image: "https://pbs.twimg.com/profile_images/1815/ada_normal.jpg",
  },
  responses: {
    // https://docs.x.com/x-api/users/user-lookup-me and https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token
    "the address, with the scope users.email": {
      options: {
        authorization: { params: { scope: "users.read tweet.read users.email" } },
        userinfo: { params: { "user.fields": "profile_image_url,confirmed_email" } },
      },
      tokens: { token_type: "bearer", expires_in: 7200, scope: "users.read tweet.read users.email" },
      profile: {
        data: { id: "2244994945", name: "Ada Lovelace", username: "ada", confirmed_email: "ada@example.com" },
      },
      user: { email: "ada@example.com", image: null },
      emailVerified: true,
    },
    "a code that was used": {
      script: {
        token: {
          status: 400,
          body: {
            error: "invalid_request",
            error_description: "Value passed for the authorization code was invalid.",
          },
        },
      },
      logged: ["invalid_grant", "Value passed for the authorization code was invalid."],
    },
    // https://docs.x.com/x-api/fundamentals/response-codes-and-errors
    "an error of the API with status 200": {
      profile: {
        errors: [{ title: "Forbidden", detail: "User has been suspended: [2244994945].", type: "about:blank" }],
      },
      logged: ["User has been suspended"],
    },
    "an error of the API": {
      script: {
        userinfo: { status: 403, body: { title: "Forbidden", detail: "The app is not in a project.", status: 403 } },
      },
      logged: ["403", "The app is not in a project."],
    },
  },
};
