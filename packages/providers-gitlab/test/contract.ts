import type { ProviderExpectations } from "@cardea/testing";
import { GitLab } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: GitLab,
  id: "gitlab",
  name: "GitLab",
  authorizationUrl: "https://gitlab.com/oauth/authorize?scope=read_user",
  selfHosted: (baseUrl) => ({ baseUrl }),
  profile: {
    id: 1815,
    username: "ada",
    name: "Ada Lovelace",
    email: "ada@example.com",
    confirmed_at: "2026-01-01T00:00:00.000Z",
    avatar_url: "https://gitlab.com/uploads/-/system/user/avatar/1815/avatar.png",
  },
  user: {
    id: "1815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://gitlab.com/uploads/-/system/user/avatar/1815/avatar.png",
  },
  emailVerified: true,
  responses: {
    // https://docs.gitlab.com/api/users/#get-the-current-user
    "a user without avatar and public address": {
      profile: {
        id: 1815,
        username: "ada",
        name: "Ada Lovelace",
        state: "active",
        avatar_url: null,
        public_email: "",
        email: "ada@example.com",
        commit_email: "ada@example.com",
        confirmed_at: "2012-05-23T09:05:22Z",
      },
      // https://docs.gitlab.com/api/oauth2/#authorization-code-flow
      tokens: {
        token_type: "bearer",
        expires_in: 7200,
        refresh_token: "8257e65c97202ed1726cf9571600918f",
        created_at: 1_607_635_748,
      },
      user: { image: null },
    },
    "a user whose address is not confirmed": {
      profile: {
        id: 1815,
        username: "ada",
        name: "Ada Lovelace",
        email: "ada@example.com",
        confirmed_at: null,
        avatar_url: null,
      },
      user: { image: null },
      emailVerified: false,
    },
    // https://docs.gitlab.com/api/oauth2/
    "an error of the token endpoint": {
      script: {
        token: {
          status: 400,
          body: { error: "invalid_grant", error_description: "The provided authorization grant is invalid." },
        },
      },
      logged: ["invalid_grant", "The provided authorization grant is invalid."],
    },
    // https://docs.gitlab.com/api/rest/troubleshooting/
    "an error of the API": {
      script: {
        userinfo: {
          status: 403,
          body: {
            error: "insufficient_scope",
            error_description: "The request requires higher privileges.",
            scope: "read_user",
          },
        },
      },
      logged: ["403", "insufficient_scope"],
    },
  },
};
