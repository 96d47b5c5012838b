import type { ProviderExpectations } from "@cardea/testing";
import { Reddit } from "../src/index.ts";

/** A realistic response for an invented user, and what core makes of it. */
export const expectations: ProviderExpectations = {
  provider: Reddit,
  id: "reddit",
  name: "Reddit",
  authorizationUrl: "https://www.reddit.com/api/v1/authorize?scope=identity",
  checks: ["state"],
  profile: { id: "1815ada", name: "ada", icon_img: "https://styles.redditmedia.com/ada.png?width=256&s=1" },
  user: {
    id: "1815ada",
    name: "ada",
    email: null,
    image: "https://styles.redditmedia.com/ada.png?width=256&s=1",
  },
};
