import type { ProviderExpectations } from "@cardea/testing";
import { Cognito } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Cognito,
  id: "cognito",
  name: "Cognito",
  options: { issuer: "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ada1815" },
  authorizationUrl: "https://cardea.auth.eu-central-1.amazoncognito.com/oauth2/authorize?scope=openid profile email",
  endpoints: {
    authorize: "https://cardea.auth.eu-central-1.amazoncognito.com/oauth2/authorize",
    token: "https://cardea.auth.eu-central-1.amazoncognito.com/oauth2/token",
    jwks: "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ada1815/.well-known/jwks.json",
  },
  profile: {
    sub: "1815aaaa-0000-4000-8000-000000001815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://cdn.example.com/ada.png",
  },
  user: {
    id: "1815aaaa-0000-4000-8000-000000001815",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://cdn.example.com/ada.png",
  },
  emailVerified: true,
};
