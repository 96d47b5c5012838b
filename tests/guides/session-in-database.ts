import { createAuth } from "@cardea/core";
import { adapter, providers } from "./database.ts";

export const { handlers, auth } = createAuth({
  adapter,
  providers,
  callbacks: {
    session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }),
  },
});
