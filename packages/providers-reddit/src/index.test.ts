import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { Reddit } from "./index.ts";

providerContract(
  { describe, it, expect },
  {
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
  },
);
