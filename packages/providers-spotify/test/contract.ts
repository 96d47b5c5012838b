import type { ProviderExpectations } from "@cardea/testing";
import { Spotify } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Spotify,
  id: "spotify",
  name: "Spotify",
  authorizationUrl: "https://accounts.spotify.com/authorize?scope=user-read-email",
  profile: {
    id: "ada1815",
    display_name: "Ada Lovelace",
    email: "ada@example.com",
    images: [{ url: "https://i.scdn.co/image/ada", height: 300, width: 300 }],
  },
  user: { id: "ada1815", name: "Ada Lovelace", email: "ada@example.com", image: "https://i.scdn.co/image/ada" },
  emailVerified: false,
};
