import { CredentialsSignin, type NextAuthConfig } from "@cardea/next";

class TooOften extends CredentialsSignin {
  override code = "too-often";
}

let reads = 0;

/** What everybody may see; the rest needs a session. Members' things have no check of their own, to show what gets through. */
const PUBLIC = /^\/(?:node\/|edge\/|live$|component$|edge-component$|static$|cached$|classic$|api\/classic|nowhere)/;

/** Sessions that are renewed at every read, and count how often that was. */
export const config = {
  providers: [
    {
      id: "credentials",
      name: "Password",
      type: "credentials",
      credentials: { username: {}, password: {} },
      authorize: ({ username, password }) => {
        if (password === "again") throw new TooOften();
        if (password === "broken") throw new Error("a reason for the log");
        return password === "correct" ? { id: "7", name: String(username), email: "ann@example.com" } : null;
      },
    },
    {
      id: "op",
      name: "Provider",
      type: "oauth",
      clientId: "client",
      clientSecret: "secret of the client",
      authorization: "https://op.example/authorize",
      token: "https://op.example/token",
      userinfo: "https://op.example/userinfo",
    },
  ],
  session: { updateAge: 0 },
  callbacks: {
    jwt: ({ token, trigger, session }) => {
      const nick = trigger === "update" ? parseNick(session) : token.nick;
      return { ...token, nick, renewals: Number(token.renewals ?? 0) + 1 };
    },
    session: ({ session, token }) => {
      reads += 1;
      // Anyone who has this name can sign in, and cannot be looked up afterwards.
      if (session.user.name === "Outage") throw new Error("the database is down");
      return { name: session.user.name, nick: parseText(token.nick), renewals: Number(token.renewals), read: reads };
    },
    authorized: ({ request, auth }) => {
      const { pathname } = request.nextUrl;
      if (pathname.startsWith("/verdict/")) return verdictOf(pathname);
      return auth !== null || PUBLIC.test(pathname);
    },
  },
} satisfies NextAuthConfig<Mine>;

/** What `callbacks.session` makes. */
export interface Mine {
  readonly name: string | null | undefined;
  readonly nick: string | null;
  readonly renewals: number;
  readonly read: number;
}

function verdictOf(pathname: string): boolean | Response | undefined {
  if (pathname === "/verdict/throw") throw new Error("no verdict");
  if (pathname === "/verdict/response") return new Response("a teapot", { status: 418 });
  return pathname === "/verdict/undefined" ? undefined : false;
}

function parseNick(data: unknown): string | null {
  return typeof data === "object" && data !== null && "nick" in data ? parseText(data.nick) : null;
}

function parseText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
