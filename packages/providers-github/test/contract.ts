import type { ProviderExpectations } from "@cardea/testing";
import { GitHub } from "../src/index.ts";

export const USER = {
  id: 1815,
  login: "ada",
  name: "Ada Lovelace",
  email: "public@example.com",
  avatar_url: "https://avatars.githubusercontent.com/u/1815?v=4",
};

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: GitHub,
  id: "github",
  name: "GitHub",
  authorizationUrl: "https://github.com/login/oauth/authorize?scope=read:user user:email",
  selfHosted: (baseUrl) => ({ enterprise: { baseUrl } }),
  profile: USER,
  resources: {
    "https://api.github.com/user/emails": [
      { email: "old@example.com", primary: false, verified: true, visibility: null },
      { email: "ada@example.com", primary: true, verified: true, visibility: "private" },
    ],
  },
  user: { id: "1815", name: "Ada Lovelace", email: "ada@example.com", image: USER.avatar_url },
  emailVerified: true,
  responses: {
    // https://docs.github.com/en/rest/users/users#get-the-authenticated-user
    "members that are null": {
      profile: { ...USER, name: null, email: null, company: null, gravatar_id: "" },
      user: { name: "ada" },
    },
    // https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens
    "tokens of a GitHub App, which have no scopes": {
      tokens: {
        token_type: "bearer",
        scope: "",
        expires_in: 28_800,
        refresh_token: "ghr_1B4a2e77838347a7E420ce178F2E7c6912E169246c34E1ccbF66C46812d16D5B1A9Dc86A1498",
        refresh_token_expires_in: 15_897_600,
      },
    },
    // https://docs.github.com/en/rest/users/emails#list-email-addresses-for-the-authenticated-user
    "a primary address that is not verified": {
      resources: {
        "https://api.github.com/user/emails": [
          { email: "ada@example.com", primary: true, verified: false, visibility: "private" },
        ],
      },
      emailVerified: false,
    },
    // https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors
    "an error of the token endpoint with status 200": {
      script: {
        token: {
          body: {
            error: "bad_verification_code",
            error_description: "The code passed is incorrect or expired.",
            error_uri: "https://docs.github.com/",
          },
        },
      },
      logged: ["bad_verification_code", "The code passed is incorrect or expired."],
    },
    // https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-authorization-request-errors
    "a suspended application": {
      script: {
        authorize: {
          error: { error: "application_suspended", error_description: "Your application has been suspended." },
        },
      },
      logged: ["application_suspended"],
    },
    // https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api
    "an error of the API": {
      script: {
        userinfo: {
          status: 403,
          body: { message: "Resource protected by organization SAML enforcement.", status: "403" },
        },
      },
      logged: ["403", "SAML enforcement"],
    },
  },
};
