import type { ProviderExpectations } from "@cardea/testing";
import { Zoom } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Zoom,
  id: "zoom",
  name: "Zoom",
  authorizationUrl: "https://zoom.us/oauth/authorize",
  profile: {
    id: "KDcuGIm1QgePTO8WbOqwIQ",
    first_name: "Ada",
    last_name: "Lovelace",
    email: "ada@example.com",
    verified: 1,
    pic_url: "https://us02images.zoom.us/p/ada.jpg",
    account_id: "gq8YvVdsQ0-1815",
  },
  user: {
    id: "KDcuGIm1QgePTO8WbOqwIQ",
    name: "Ada Lovelace",
    email: "ada@example.com",
    image: "https://us02images.zoom.us/p/ada.jpg",
  },
  emailVerified: true,
};
