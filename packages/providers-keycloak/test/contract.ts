import type { ProviderExpectations } from "@cardea/testing";
import { Keycloak } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Keycloak,
  id: "keycloak",
  name: "Keycloak",
  options: { issuer: "https://id.example.com/realms/cardea" },
  authorizationUrl: "https://id.example.com/realms/cardea/protocol/openid-connect/auth?scope=openid profile email",
  endpoints: {
    authorize: "https://id.example.com/realms/cardea/protocol/openid-connect/auth",
    token: "https://id.example.com/realms/cardea/protocol/openid-connect/token",
    jwks: "https://id.example.com/realms/cardea/protocol/openid-connect/certs",
  },
  // An audience mapper adds an API. Keycloak's own claim `typ` is not the JOSE header of that name.
  script: {
    idToken: {
      claims: { set: { aud: ["client-id", "orders-api"], azp: "client-id", typ: "ID", sid: "f3b1815a", acr: "1" } },
    },
  },
  profile: {
    sub: "f3b1815a-0000-4000-8000-000000001815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://id.example.com/ada.png",
  },
  user: {
    id: "f3b1815a-0000-4000-8000-000000001815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://id.example.com/ada.png",
  },
  emailVerified: true,
};
