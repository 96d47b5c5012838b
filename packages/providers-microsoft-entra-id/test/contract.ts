import type { ProviderExpectations } from "@cardea/testing";
import { MicrosoftEntraID } from "../src/index.ts";

export const TENANT = "3338040d-6c67-4c5b-b112-36a304b66dad";

const ISS = { iss: `https://login.microsoftonline.com/${TENANT}/v2.0` };

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: MicrosoftEntraID,
  id: "microsoft-entra-id",
  name: "Microsoft Entra ID",
  authorizationUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?scope=openid profile email",
  endpoints: {
    authorize: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
    token: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
    jwks: "https://login.microsoftonline.com/common/discovery/v2.0/keys",
    userinfo: "https://graph.microsoft.com/oidc/userinfo",
  },
  script: {
    metadata: { set: { issuer: "https://login.microsoftonline.com/{tenantid}/v2.0" } },
    idToken: { claims: { set: ISS } },
  },
  profile: {
    sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
    oid: "00000000-0000-0000-66f3-3332eca7ea81",
    tid: TENANT,
    name: "Ada Lovelace",
    preferred_username: "ada@example.com",
    email: "ada@example.com",
  },
  profileWithIdOnly: { sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", tid: TENANT },
  user: {
    id: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: null,
  },
  emailVerified: false,
  responses: {
    // https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow#successful-response-2
    "tokens with a second lifetime": {
      tokens: { token_type: "Bearer", scope: "email openid profile", expires_in: 3736, ext_expires_in: 3736 },
    },
    // https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference
    "a user without an address, who has a name at the userinfo endpoint": {
      profile: { sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", tid: TENANT, name: "Ada Lovelace", ver: "2.0" },
      script: {
        // https://learn.microsoft.com/en-us/entra/identity-platform/userinfo#userinfo-response
        userinfo: {
          body: {
            sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
            name: "Ada Lovelace",
            family_name: "Lovelace",
            given_name: "Ada",
            picture: "https://graph.microsoft.com/v1.0/me/photo/$value",
          },
        },
      },
      user: { email: null },
    },
    // https://learn.microsoft.com/en-us/entra/identity-platform/optional-claims-reference
    "an address whose domain the tenant owns": {
      script: { idToken: { claims: { set: { ...ISS, xms_edov: "1" } } } },
      emailVerified: true,
    },
    // https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow#error-response-2
    "an error of the token endpoint": {
      script: {
        token: {
          status: 400,
          body: {
            error: "invalid_grant",
            error_description: "AADSTS70008: The provided authorization code or refresh token has expired.",
            error_codes: [70008],
            timestamp: "2026-02-04 09:25:05Z",
            trace_id: "255d1aef-8c98-452f-ac51-23d051240864",
            correlation_id: "fb3d2015-bc17-4bb9-bb85-30c5cf1aaaa7",
          },
        },
      },
      logged: ["invalid_grant", "AADSTS70008"],
    },
    // https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow#error-codes-for-authorization-endpoint-errors
    "a user who needs an administrator": {
      script: {
        authorize: { error: { error: "consent_required", error_description: "AADSTS65001: consent is required." } },
      },
      logged: ["consent_required", "AADSTS65001"],
    },
  },
};
