import { createAuth } from "@cardea/core"; // the same in "@cardea/express" and "@cardea/next"
import { providers } from "./providers.ts";

export const { handlers, auth } = createAuth({
  providers,
  callbacks: {
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub ?? "" } }),
  },
});
