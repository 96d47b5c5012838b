import type { ProviderExpectations } from "@cardea/testing";
import { Atlassian } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Atlassian,
  id: "atlassian",
  name: "Atlassian",
  authorizationUrl: "https://auth.atlassian.com/authorize?audience=api.atlassian.com&scope=read:me&prompt=consent",
  checks: ["state"],
  profile: {
    account_type: "atlassian",
    account_id: "112233aa-bb11-cc22-33dd-445566abcabc",
    email: "ada@example.com",
    name: "Ada Lovelace",
    picture: "https://avatar-management.services.atlassian.com/112233aa/1815",
    account_status: "active",
    nickname: "ada",
  },
  profileWithIdOnly: { account_id: "112233aa-bb11-cc22-33dd-445566abcabc" },
  profileWithoutId: { name: "Ada Lovelace" },
  user: {
    id: "112233aa-bb11-cc22-33dd-445566abcabc",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://avatar-management.services.atlassian.com/112233aa/1815",
  },
  responses: {
    // https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/#2--exchange-authorization-code-for-access-token
    "tokens without a type": {
      script: { token: { patch: { set: { expires_in: 3600, scope: "read:me" }, remove: ["token_type"] } } },
    },
    // https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/#how-do-i-retrieve-the-public-profile-of-the-authenticated-user-
    "a profile whose owner hides the address": {
      profile: {
        account_type: "atlassian",
        account_id: "112233aa-bb11-cc22-33dd-445566abcabc",
        email: null,
        name: "Ada Lovelace",
        picture: null,
        account_status: "active",
        nickname: "ada",
        zoneinfo: "Europe/London",
        locale: "en-GB",
        extended_profile: { job_title: "Analyst" },
      },
      user: { email: null, image: null },
    },
    "an error of the token endpoint": {
      script: {
        token: { status: 403, body: { error: "invalid_grant", error_description: "Invalid authorization code" } },
      },
      logged: ["invalid_grant", "Invalid authorization code"],
    },
    // https://developer.atlassian.com/cloud/jira/platform/rest/v3/intro/#status-codes
    "an error of the API": {
      script: { userinfo: { status: 403, body: { code: 403, message: "Forbidden: the scope read:me is missing" } } },
      logged: ["403", "the scope read:me is missing"],
    },
  },
};
