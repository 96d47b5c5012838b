import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { LinkedIn } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
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
  },
);
