import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { ZITADEL } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
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
  },
);
