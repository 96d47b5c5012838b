import { createAuth } from "@cardea/core";
import { adapter, providers } from "./database.ts";

declare module "@cardea/core" {
  interface User {
    role?: string;
  }
  interface JWT {
    role?: string;
  }
}

export const { handlers, auth } = createAuth({
  adapter,
  session: { strategy: "jwt" },
  providers,
  callbacks: {
    // Runs on every read. The row decides, and a deleted user has no session.
    jwt: async ({ token }) => {
      const user = await adapter.getUser?.(token.sub ?? "");
      return user ? { ...token, role: user.role ?? "member" } : null;
    },
    session: ({ session, token }) => ({ ...session, userId: token.sub ?? "", role: token.role ?? "member" }),
    authorized: ({ auth: session }) => session !== null,
  },
});
