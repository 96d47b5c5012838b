import type { ProviderExpectations } from "@cardea/testing";
import { MicrosoftEntraID } from "../src/index.ts";

export const TENANT = "3338040d-6c67-4c5b-b112-36a304b66dad";

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
  },
  script: {
    metadata: { set: { issuer: "https://login.microsoftonline.com/{tenantid}/v2.0" } },
    idToken: { claims: { set: { iss: `https://login.microsoftonline.com/${TENANT}/v2.0` } } },
  },
  profile: {
    sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
    oid: "00000000-0000-0000-66f3-3332eca7ea81",
    tid: TENANT,
    name: "Ada Lovelace",
    preferred_username: "ada@example.com",
    email: "ada@example.com",
  },
  user: {
    id: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: null,
  },
  emailVerified: false,
};
