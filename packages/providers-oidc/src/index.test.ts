import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { OIDC } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
    provider: OIDC,
    id: "oidc",
    name: "Single sign-on",
    options: { issuer: "https://id.example.com" },
    authorizationUrl: "https://id.example.com/authorize?scope=openid profile email",
    endpoints: { authorize: "https://id.example.com/authorize" },
    profile: {
      sub: "user-1815",
      name: "Ada Lovelace",
      email: "ada@example.com",
      email_verified: true,
      picture: "https://id.example.com/ada.png",
    },
    user: { id: "user-1815", name: "Ada Lovelace", email: "ada@example.com", image: "https://id.example.com/ada.png" },
    emailVerified: true,
  },
);
