import type { ProviderExpectations } from "@cardea/testing";
import { LinkedIn } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: LinkedIn,
  id: "linkedin",
  name: "LinkedIn",
  authorizationUrl: "https://www.linkedin.com/oauth/v2/authorization?scope=openid profile email",
  checks: ["state"],
  profile: {
    sub: "782bbtaQ",
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: true,
    picture: "https://media.licdn-ei.com/dms/image/ada",
  },
  user: {
    id: "782bbtaQ",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://media.licdn-ei.com/dms/image/ada",
  },
  emailVerified: true,
};
