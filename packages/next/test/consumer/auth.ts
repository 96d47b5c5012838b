// An application as another user writes it. Compiled by types.test.ts, which looks at the declarations, too.

import { createAuth } from "@cardea/next";

declare module "@cardea/next" {
  interface Session {
    plan?: "free" | "paid" | undefined;
  }
  interface User {
    role?: "reader" | "writer" | undefined;
  }
  interface JWT {
    role?: "reader" | "writer" | undefined;
  }
}

export const { handlers, auth, signIn, signOut, unstable_update } = createAuth({
  providers: [],
  callbacks: {
    jwt: ({ token, user }) => (user?.role === undefined ? token : { ...token, role: user.role }),
    session: ({ session, token }) => ({ ...session, id: token.sub ?? "", role: token.role ?? "reader" }),
    authorized: ({ auth: session, request }) => session?.role === "writer" || request.nextUrl.pathname === "/",
  },
});

export const plain = createAuth(async (request) => ({
  basePath: request?.nextUrl.basePath ?? "/api/auth",
  providers: [],
}));
