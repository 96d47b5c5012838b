import { createAuth } from "@cardea/core";
import { providers } from "./providers.ts";

export const { handlers, auth } = createAuth({
  providers,
  redirectSchemes: ["myapp"],
  callbacks: {
    redirect({ url, baseUrl }) {
      if (url === "myapp://signed-in") return url;
      return new URL(url, baseUrl).origin === baseUrl ? url : baseUrl;
    },
  },
});
