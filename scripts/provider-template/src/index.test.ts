import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { Acme } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
    provider: Acme,
    id: "acme",
    name: "Acme",
    authorizationUrl: "https://acme.example/oauth/authorize?scope=profile email",
    profile: {
      id: 1815,
      name: "Ada Lovelace",
      email: "ada@example.com",
      email_verified: true,
      avatar_url: "https://acme.example/ada.png",
    },
    user: { id: "1815", name: "Ada Lovelace", email: "ada@example.com", image: "https://acme.example/ada.png" },
    emailVerified: true,
  },
);
