// Further usual snippets of applications: options of providers, callbacks.session under an augmented Session, wrappers, errors.
import type * as FormerProviders from "@auth/core/providers";
import type { Adapter, AdapterAccount, AdapterUser } from "@cardea/core/adapters";
import type { JWT } from "@cardea/core/jwt";
import type { OAuthUserConfig, OIDCUserConfig } from "@cardea/core/providers";
import NextAuth, { AuthError, type NextAuthConfig, type Session } from "@cardea/next";
import Credentials from "@cardea/providers-credentials";
import Nodemailer from "@cardea/providers-email";
import GitHub from "@cardea/providers-github";
import Google from "@cardea/providers-google";
import { NextResponse } from "next/server.js";

// 53. Every member that Auth.js has in the options of a provider.
type Missing<Former, Ours> = Exclude<keyof Former & string, keyof Ours>;
export const sameOptions: [
  Missing<FormerProviders.OAuthUserConfig<object>, OAuthUserConfig<object>>,
  Missing<FormerProviders.OIDCUserConfig<object>, OIDCUserConfig<object>>,
  Missing<FormerProviders.CredentialsConfig, Parameters<typeof Credentials>[0]>,
] extends [never, never, never]
  ? true
  : false = true;

// 54. Credentials with the members of its configuration.
export const written = [
  Credentials({
    type: "credentials",
    id: "login",
    name: "Login",
    credentials: { email: {}, password: {} },
    async authorize(credentials) {
      if (credentials === null) return null;
      const { email, password } = credentials as { email: string; password: string };
      return password === "x" ? { id: "1", email, role: "reader" } : null;
    },
  }),
  // In a configuration for middleware.
  Credentials({ name: "Login", credentials: {} }),
  Nodemailer({ from: "a@example.com", sendVerificationRequest: async ({ identifier }) => console.log(identifier) }),
];

// 55. A session with an id that the token may not have.
export const looseId = {
  providers: [GitHub],
  callbacks: {
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
} satisfies NextAuthConfig;
export const looseIdAnnotated: NextAuthConfig = {
  providers: [],
  callbacks: {
    async session({ session, token, user }) {
      if (user) return { ...session, user: { ...session.user, id: user.id } };
      return { ...session, user: { ...session.user, id: token?.sub } };
    },
  },
};
export const annotatedResult = NextAuth(looseIdAnnotated);
export const idOf = async (): Promise<string | undefined> => (await annotatedResult.auth())?.user.id;
export const spread = NextAuth({
  ...looseIdAnnotated,
  callbacks: { ...looseIdAnnotated.callbacks },
  providers: [Google],
});
export const roleOf = async (): Promise<string | undefined> => (await spread.auth())?.user.role;
export const inferred = NextAuth({
  ...looseId,
  callbacks: { ...looseId.callbacks, jwt: ({ token }) => token },
});
export const named = async (): Promise<string | null | undefined> => (await inferred.auth())?.user.name;
export const inlined = NextAuth({
  providers: [],
  callbacks: {
    session({ session, token }) {
      return { ...session, user: { ...session.user, id: token.sub, role: token.role } };
    },
  },
});
export const inlinedName = async (): Promise<string | undefined> => (await inlined.auth())?.user.role;

// 56. `authorized` with NextResponse, under its own types.
export const guard: NextAuthConfig = {
  providers: [],
  pages: { signIn: "/login" },
  callbacks: {
    authorized: async ({ auth, request }) => {
      const { pathname, search } = request.nextUrl;
      if (pathname === "/login" && auth) return NextResponse.redirect(new URL("/", request.nextUrl));
      if (pathname.startsWith("/admin") && auth?.user.role !== "admin")
        return NextResponse.rewrite(new URL("/403", request.url));
      if (request.cookies.get("beta")?.value === "1" || search) return NextResponse.next();
      return !!auth?.user;
    },
  },
};

// 57. Middleware of a split configuration.
const { auth: middleware } = NextAuth(guard);
export default middleware((request) => {
  const role = request.auth?.user?.role;
  const isLoggedIn = !!request.auth;
  if (!isLoggedIn && role !== "admin") {
    return Response.redirect(new URL(`/login?from=${encodeURIComponent(request.nextUrl.pathname)}`, request.nextUrl));
  }
  return;
});
export const plain = middleware;
export const asynchronous = middleware(async (request) => {
  if (!request.auth) return NextResponse.json({ message: "Not authenticated" }, { status: 401 });
  return NextResponse.json(request.auth.user);
});

// 58. A server action that signs in.
const { signIn, signOut } = NextAuth({ providers: [Google, GitHub] });
export async function authenticate(_state: string | undefined, formData: FormData) {
  "use server";
  try {
    await signIn("credentials", formData);
  } catch (error) {
    if (error instanceof AuthError) {
      switch (error.type) {
        case "CredentialsSignin":
          return "Invalid credentials.";
        case "CallbackRouteError":
          return error.cause?.err?.message;
        case "OAuthAccountNotLinked":
        case "AccessDenied":
          return error.message;
        default:
          return "Something went wrong.";
      }
    }
    throw error;
  }
}
export async function login(values: { email: string; password: string }, callbackUrl?: string | null) {
  await signIn("credentials", { ...values, redirectTo: callbackUrl || "/settings" });
  await signIn("google", { redirectTo: "/" }, { prompt: "select_account" });
  await signIn("github", { redirect: false });
  await signOut({ redirectTo: "/" });
}

// 59. Adapters wrapped by an application.
declare const base: Adapter;
export const wrapped: Adapter = {
  ...base,
  createUser: async (user: AdapterUser) => {
    if (!base.createUser) throw new Error("createUser");
    return base.createUser({ ...user, plan: "free" });
  },
  linkAccount: (account: AdapterAccount) => {
    const { refresh_token_expires_in: _, ...data } = account;
    return base.linkAccount?.(data as AdapterAccount);
  },
  async getSessionAndUser(token) {
    const found = await base.getSessionAndUser?.(token);
    return found ? { session: found.session, user: { ...found.user, plan: "paid" } } : null;
  },
};
export const cast = { ...base, deleteUser: undefined } as Adapter;
export const asAdapter: NextAuthConfig["adapter"] = wrapped as Adapter;

// 62. Helpers around the session.
export async function currentUser(): Promise<Session["user"] | undefined> {
  return (await annotatedResult.auth())?.user;
}
export const expired = (token: JWT): boolean => !token.exp || token.exp * 1000 < Date.now();
export const eventful: NextAuthConfig["events"] = {
  async linkAccount({ user, profile }) {
    console.log(user.id, "role" in profile && profile.role);
  },
  async updateUser({ user }) {
    console.log(user.name);
  },
};
