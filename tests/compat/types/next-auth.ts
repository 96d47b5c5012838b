// `auth.ts` of a Next.js application.
import NextAuth, {
  CredentialsSignin,
  type DefaultSession,
  type NextAuthConfig,
  type NextAuthResult,
  type Session,
} from "@cardea/next";
import type { JWT } from "@cardea/next/jwt";
import Credentials from "@cardea/providers-credentials";
import GitHub from "@cardea/providers-github";
import Google from "@cardea/providers-google";
import { z } from "zod";

// 8. A provider by its name alone, and what is exported from it.
export const { handlers, auth, signIn, signOut, unstable_update } = NextAuth({ providers: [GitHub] });

// 9. A configuration in a file of its own, for middleware.
export const authConfig = {
  pages: { signIn: "/login" },
  callbacks: {
    authorized({ auth: session, request: { nextUrl } }) {
      const isLoggedIn = !!session?.user;
      if (nextUrl.pathname.startsWith("/dashboard")) return isLoggedIn;
      if (isLoggedIn) return Response.redirect(new URL("/dashboard", nextUrl));
      return true;
    },
  },
  providers: [],
} satisfies NextAuthConfig;

// 10. The same with an annotation.
export const annotated: NextAuthConfig = { ...authConfig, session: { strategy: "jwt", maxAge: 60 * 60 } };

// 11. Spread into the whole configuration, with fields that zod checks.
export const shop = NextAuth({
  ...authConfig,
  providers: [
    Credentials({
      credentials: { email: { label: "E-mail", type: "email" }, password: { label: "Password", type: "password" } },
      async authorize(credentials) {
        const parsed = z.object({ email: z.string(), password: z.string().min(6) }).safeParse(credentials);
        if (!parsed.success) return null;
        return { id: "1", email: parsed.data.email, role: "reader" };
      },
    }),
  ],
});

// 12. Lazy initialisation, with and without a promise.
export const lazy = NextAuth((request) => ({
  providers: [Google],
  basePath: request?.nextUrl.pathname.startsWith("/eu") ? "/eu/auth" : "/api/auth",
}));
export const lazier = NextAuth(async (request) => {
  console.log(request?.headers.get("host"));
  return { providers: [GitHub({ clientId: "id", clientSecret: "secret" })] };
});

// 13. Token and session without annotations: what one callback writes the other reads.
export const untyped = NextAuth({
  providers: [GitHub],
  callbacks: {
    async jwt({ token, user, account }) {
      if (user) token.role = user.role;
      if (account) token.idToken = account.id_token;
      return token;
    },
    async session({ session, token }) {
      session.user.id = token.sub as string;
      session.user.role = token.role;
      return session;
    },
  },
});

// 14. `account` alone says that this is the sign-in: `user` is there, too.
export const byAccount = {
  providers: [],
  callbacks: {
    jwt({ token, user, account, profile }) {
      if (account) {
        token.id = user.id;
        token.login = profile?.login;
        return { ...token, access_token: account.access_token, expires_at: account.expires_at };
      }
      return token;
    },
  },
} satisfies NextAuthConfig;

// 15. An update: `session` is whatever the client sent.
export const updating: NextAuthConfig = {
  providers: [],
  callbacks: {
    jwt({ token, trigger, session }) {
      if (trigger === "update") token.name = session.user.name;
      if (trigger === "update" && session?.plan) return { ...token, ...session };
      return token;
    },
  },
};

// 16. By trigger.
export const byTrigger: NextAuthConfig["callbacks"] = {
  jwt: ({ token, trigger, user }) => (trigger === "signUp" ? { ...token, role: user.role } : token),
};

// 17. Callbacks with annotated parameters.
export const annotatedCallbacks: NextAuthConfig["callbacks"] = {
  async session({ session, token }: { session: Session; token: JWT }) {
    return { ...session, accessToken: token.access_token as string };
  },
  async jwt({ token }: { token: JWT }): Promise<JWT> {
    return token;
  },
  async redirect({ url, baseUrl }: { url: string; baseUrl: string }) {
    return url.startsWith("/") ? `${baseUrl}${url}` : baseUrl;
  },
};

// 18. Refreshing a token.
export const refreshing = NextAuth({
  providers: [Google({ authorization: { params: { access_type: "offline", prompt: "consent" } } })],
  callbacks: {
    async jwt({ token, account }): Promise<JWT> {
      if (account) return { ...token, access_token: account.access_token, expires_at: account.expires_at };
      if (Date.now() < (token.expires_at as number) * 1000) return token;
      if (!token.refresh_token) throw new TypeError("Missing refresh_token");
      const response = await fetch("https://oauth2.googleapis.com/token", {
        method: "POST",
        body: new URLSearchParams({ refresh_token: token.refresh_token as string }),
      });
      const fresh = (await response.json()) as { access_token: string; expires_in: number };
      return { ...token, access_token: fresh.access_token, expires_at: Date.now() / 1000 + fresh.expires_in };
    },
    async session({ session, token }) {
      session.error = token.error as "RefreshTokenError" | undefined;
      return session;
    },
  },
});

// 19. With a database: `user` is the row.
export const database = NextAuth({
  providers: [GitHub],
  session: { strategy: "database" },
  callbacks: {
    session({ session, user }) {
      session.user.id = user.id;
      session.user.role = user.plan === "paid" ? "customer" : "guest";
      return session;
    },
  },
});

// 20. The sign-in callback, with parts of it.
export const signInCallback: NextAuthConfig["callbacks"] = {
  async signIn({ user, account, profile, email, credentials }) {
    if (account?.provider === "google")
      return !!profile?.email_verified && profile.email?.endsWith("@example.com") === true;
    if (email?.verificationRequest) return "/check";
    return Boolean(user.email ?? credentials?.username);
  },
};

// 21. Events.
export const events: NextAuthConfig["events"] = {
  async signIn({ user, account, profile, isNewUser }) {
    console.log(user.id, account?.provider, profile?.name, isNewUser);
  },
  async signOut(message) {
    if ("token" in message) console.log(message.token?.sub);
    else console.log(message.session?.userId);
  },
  createUser: ({ user }) => console.log(user.email),
  linkAccount: async ({ user, account, profile }) => console.log(user.id, account.provider, profile.name),
  session: ({ session, token }) => console.log(session.user.id, token?.sub),
};

// 22. An error with a code.
export class InvalidLogin extends CredentialsSignin {
  code = "invalid_login";
}

// 23. The result under its name, re-exported one by one.
const result: NextAuthResult = NextAuth({ providers: [] });
export const resultAuth: NextAuthResult["auth"] = result.auth;

// 24. The list of providers for a sign-in page; entries that are switched off are left out first.
const providers: NextAuthConfig["providers"] = [GitHub, Google({ allowDangerousEmailAccountLinking: true })];
export const providerMap = providers
  .filter((provider) => !!provider)
  .map((provider) => {
    if (typeof provider === "function") {
      const made = provider();
      return { id: made.id, name: made.name };
    }
    return { id: provider.id, name: provider.name };
  });

// 25. The type of a session's user.
export type ExtendedUser = DefaultSession["user"] & { role: string };

// 26. Cookies, pages, logger, theme.
export const options: NextAuthConfig = {
  providers: [],
  trustHost: true,
  secret: process.env.AUTH_SECRET,
  debug: process.env.NODE_ENV !== "production",
  pages: { signIn: "/login", error: "/oops", newUser: "/welcome" },
  theme: { colorScheme: "auto", logo: "/logo.svg" },
  cookies: {
    sessionToken: {
      name: "session",
      options: { httpOnly: true, sameSite: "lax", path: "/", secure: true, domain: ".a.com" },
    },
  },
  logger: {
    error: (error) => console.error(error.name),
    warn: console.warn,
    debug(code, ...rest) {
      console.log(code, rest);
    },
  },
};
