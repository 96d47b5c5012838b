import type { ProviderExpectations } from "@cardea/testing";
import { Facebook } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Facebook,
  id: "facebook",
  name: "Facebook",
  authorizationUrl: "https://www.facebook.com/v23.0/dialog/oauth?scope=public_profile,email",
  profile: {
    id: "10158181500000000",
    name: "Ada Lovelace",
    email: "ada@example.com",
    picture: {
      data: { height: 50, width: 50, is_silhouette: false, url: "https://platform-lookaside.fbsbx.com/ada" },
    },
  },
  user: {
    id: "10158181500000000",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://platform-lookaside.fbsbx.com/ada",
  },
};
