// An application that extends modules without importing them, as with NextAuth. Compiled by types.test.ts.

import { createAuth } from "@cardea/next";

declare module "@cardea/next/jwt" {
  interface JWT {
    role?: "reader" | "writer" | undefined;
  }
}

declare module "@cardea/core/adapters" {
  interface AdapterUser {
    role?: "reader" | "writer" | undefined;
  }
}

export const { auth } = createAuth({
  providers: [],
  callbacks: { session: ({ session, token, user }) => ({ ...session, role: user?.role ?? token.role ?? "reader" }) },
});
