import type { ProviderExpectations } from "@cardea/testing";
import { Slack } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Slack,
  id: "slack",
  name: "Slack",
  authorizationUrl: "https://slack.com/openid/connect/authorize?scope=openid profile email",
  checks: ["state", "nonce"],
  endpoints: {
    authorize: "https://slack.com/openid/connect/authorize",
    token: "https://slack.com/api/openid.connect.token",
    userinfo: "https://slack.com/api/openid.connect.userInfo",
    jwks: "https://slack.com/openid/connect/keys",
  },
  profile: {
    sub: "U0R7JM",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://secure.gravatar.com/avatar/ada",
    "https://slack.com/user_id": "U0R7JM",
    "https://slack.com/team_id": "T0R7GR",
  },
  user: {
    id: "U0R7JM",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://secure.gravatar.com/avatar/ada",
  },
  emailVerified: true,
  responses: {
    // https://docs.slack.dev/reference/methods/openid.connect.token and https://docs.slack.dev/authentication/sign-in-with-slack
    "tokens without lifetime and scope, and `ok`": {
      script: { token: { patch: { set: { ok: true, token_type: "Bearer" }, remove: ["expires_in", "scope"] } } },
    },
    "an ID token without the address, which userinfo has": {
      script: {
        idToken: { claims: { remove: ["email", "email_verified"] } },
        // https://docs.slack.dev/reference/methods/openid.connect.userInfo
        userinfo: {
          body: {
            ok: true,
            sub: "U0R7JM",
            "https://slack.com/user_id": "U0R7JM",
            "https://slack.com/team_id": "T0R7GR",
            email: "ada@example.com",
            email_verified: true,
            date_email_verified: 1_622_128_723,
            name: "Ada Lovelace",
            locale: "en-US",
          },
        },
      },
    },
    // https://docs.slack.dev/reference/methods/openid.connect.token#errors
    "an error of the token endpoint with status 200": {
      script: { token: { body: { ok: false, error: "invalid_code" } } },
      logged: ["invalid_code"],
    },
  },
};
