import type { ProviderExpectations } from "@cardea/testing";
import { OAuth2 } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: OAuth2,
  id: "oauth2",
  name: "OAuth 2",
  options: {
    authorization: { url: "https://id.example.com/authorize", params: { scope: "user" } },
    token: "https://id.example.com/token",
    userinfo: "https://api.example.com/user",
  },
  authorizationUrl: "https://id.example.com/authorize?scope=user",
  profile: {
    id: 1815,
    name: "Ada Lovelace",
    email: "ada@example.com",
    picture: "https://id.example.com/ada.png",
  },
  user: { id: "1815", name: "Ada Lovelace", email: "ada@example.com", image: "https://id.example.com/ada.png" },
};
