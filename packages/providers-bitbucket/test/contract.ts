import type { ProviderExpectations } from "@cardea/testing";
import { Bitbucket } from "../src/index.ts";

const USER = {
  account_id: "557058:1815",
  uuid: "{1815}",
  display_name: "Ada Lovelace",
  username: "ada",
  links: { avatar: { href: "https://secure.gravatar.com/avatar/ada" } },
};

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Bitbucket,
  id: "bitbucket",
  name: "Bitbucket",
  authorizationUrl: "https://bitbucket.org/site/oauth2/authorize?scope=account email",
  profile: USER,
  profileWithIdOnly: { account_id: USER.account_id },
  profileWithoutId: { display_name: "Ada Lovelace" },
  resources: {
    "https://api.bitbucket.org/2.0/user/emails": {
      values: [
        { email: "old@example.com", is_primary: false, is_confirmed: true },
        { email: "ada@example.com", is_primary: true, is_confirmed: true },
      ],
    },
  },
  user: {
    id: USER.account_id,
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://secure.gravatar.com/avatar/ada",
  },
  emailVerified: true,
  responses: {
    // https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/
    "tokens whose scopes have another name": {
      script: {
        token: {
          patch: {
            set: { token_type: "bearer", scopes: "account email", expires_in: 7200, state: "authorization_code" },
            remove: ["scope"],
          },
        },
      },
    },
    // https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/#api-user-emails-get
    "a primary address that is not confirmed": {
      resources: {
        "https://api.bitbucket.org/2.0/user/emails": {
          values: [{ type: "email", email: "ada@example.com", is_primary: true, is_confirmed: false }],
          page: 1,
          size: 1,
          pagelen: 10,
        },
      },
      emailVerified: false,
    },
    "no address, without the scope for it": {
      resources: { "https://api.bitbucket.org/2.0/user/emails": { values: [] } },
      user: { email: null },
      emailVerified: undefined,
    },
    "an error of the token endpoint": {
      script: {
        token: { status: 400, body: { error: "invalid_grant", error_description: "The specified code is not valid." } },
      },
      logged: ["invalid_grant", "The specified code is not valid."],
    },
    // https://developer.atlassian.com/cloud/bitbucket/rest/intro/#standardized-error-responses
    "an error of the API": {
      script: {
        userinfo: {
          status: 403,
          body: { type: "error", error: { message: "Your credentials lack one or more required privilege scopes." } },
        },
      },
      logged: ["403", "required privilege scopes"],
    },
  },
};
