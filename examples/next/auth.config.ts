import type { NextAuthConfig, Session } from "@cardea/next";

/** A session of this application: what `callbacks.session` makes, and what `auth()` and `useSession()` give. */
export interface MemberSession extends Session {
  readonly userId: string;
  readonly signedInWith: string;
}

/** What strangers may see. Everything else needs a session, however its path is spelled. */
const PUBLIC = new Set(["/", "/check-mail", "/inbox"]);

/** Routes of the library, which know who may do what. Those of extensions are not in this part of the configuration. */
const ROUTES = "/api/auth/";

/** What the proxy needs to know of signing in, and shares with `auth.ts`: no provider and no database. */
export const authConfig = {
  providers: [],
  session: { strategy: "jwt" },
  pages: { signIn: "/sign-in", verifyRequest: "/check-mail" },
  callbacks: {
    session: ({ session, token }) => ({
      ...session,
      userId: String(token.sub),
      signedInWith: String(token.signedInWith),
    }),
    authorized: ({ request: { nextUrl }, auth }) =>
      auth !== null || PUBLIC.has(nextUrl.pathname) || nextUrl.pathname.startsWith(ROUTES),
  },
} satisfies NextAuthConfig<MemberSession>;
