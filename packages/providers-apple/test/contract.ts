import type { ProviderExpectations } from "@cardea/testing";
import { Apple } from "../src/index.ts";

export const ISSUER = "https://appleid.apple.com";
export const ENDPOINTS = {
  authorize: `${ISSUER}/auth/authorize`,
  token: `${ISSUER}/auth/token`,
  jwks: `${ISSUER}/auth/keys`,
};

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Apple,
  id: "apple",
  name: "Apple",
  authorizationUrl: `${ENDPOINTS.authorize}?scope=name email&response_mode=form_post`,
  checks: ["state", "nonce"],
  endpoints: ENDPOINTS,
  profile: { sub: "001815.aaaa.1815", email: "ada@privaterelay.appleid.com", email_verified: true },
  user: { id: "001815.aaaa.1815", name: null, email: "ada@privaterelay.appleid.com", image: null },
  emailVerified: true,
};
