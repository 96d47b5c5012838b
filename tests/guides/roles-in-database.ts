import { createAuth } from "@cardea/core";
import { adapter, providers } from "./database.ts";

declare module "@cardea/core" {
  interface User {
    role?: string;
  }
}

export const { handlers, auth } = createAuth({
  adapter,
  providers,
  callbacks: {
    // `user` is the row of the database, read for this request.
    session: ({ session, user }) => ({ ...session, userId: user.id, role: user.role ?? "member" }),
    authorized: ({ auth: session }) => session !== null,
  },
});
