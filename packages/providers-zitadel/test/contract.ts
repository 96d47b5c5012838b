import type { ProviderExpectations } from "@cardea/testing";
import { ZITADEL } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: ZITADEL,
  id: "zitadel",
  name: "ZITADEL",
  options: { issuer: "https://cardea.zitadel.cloud" },
  authorizationUrl: "https://cardea.zitadel.cloud/oauth/v2/authorize?scope=openid profile email",
  endpoints: {
    authorize: "https://cardea.zitadel.cloud/oauth/v2/authorize",
    token: "https://cardea.zitadel.cloud/oauth/v2/token",
    userinfo: "https://cardea.zitadel.cloud/oidc/v1/userinfo",
    jwks: "https://cardea.zitadel.cloud/oauth/v2/keys",
  },
  // ZITADEL adds the project, and every application that the scope `urn:zitadel:iam:org:project:id:…:aud` names, to the audiences.
  script: {
    idToken: {
      claims: {
        set: {
          aud: ["client-id", "181512000000000007", "181512000000000001"],
          azp: "client-id",
          client_id: "client-id",
          amr: ["pwd"],
          sid: "V1_181512000000000042",
        },
      },
    },
  },
  profile: {
    sub: "181512101852",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://cdn.example.com/ada.png",
  },
  user: {
    id: "181512101852",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://cdn.example.com/ada.png",
  },
  emailVerified: true,
};
