import type { ProviderExpectations } from "@cardea/testing";
import { Google } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Google,
  id: "google",
  name: "Google",
  authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth?scope=openid profile email",
  endpoints: {
    authorize: "https://accounts.google.com/o/oauth2/v2/auth",
    token: "https://oauth2.googleapis.com/token",
    jwks: "https://www.googleapis.com/oauth2/v3/certs",
  },
  profile: {
    sub: "110169484474386276334",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://lh3.googleusercontent.com/a/ada",
  },
  user: {
    id: "110169484474386276334",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://lh3.googleusercontent.com/a/ada",
  },
  emailVerified: true,
};
