// What callbacks return, and what a guard reads of it: with sessions in a cookie and in a database.
import type { Case } from "./forms.ts";

/** A configuration: the cookies of sessions are claims, or tokens of rows. */
type Sessions = "jwt" | "database";

/** Bodies of `callbacks.session`; `own` is the token or the row. */
const RESULTS: Readonly<Record<string, (own: string) => string>> = {
  "no callback": () => "",
  "the session": () => "return session;",
  "a changed session": (own) => `session.user.id = ${own}.sub ?? ${own}.id; return session;`,
  "a copy": (own) => `return { ...session, user: { ...session.user, id: ${own}.sub ?? ${own}.id } };`,
  "a new object": (own) => `return { expires: session.expires, role: ${own}.role, user: { name: ${own}.name } };`,
  "an object without user": (own) => `return { expires: session.expires, role: ${own}.role };`,
  "an empty object for some": (own) => `return ${own}.banned ? {} : session;`,
  "null for some": (own) => `return ${own}.banned ? null : session;`,
  "nothing for some": (own) => `if (!${own}.banned) return session;`,
  "deleted members for some": (own) =>
    `if (${own}.banned) { delete session.user; delete session.expires; } return session;`,
  "no user for some": (own) => `return ${own}.banned ? { ...session, user: null } : session;`,
};

/** Members that JSON leaves out, where the former library read the session as JSON (docs/from-authjs.md#session-empty). */
const AS_JSON: typeof RESULTS = {
  "no members for some": (own) => `return ${own}.banned ? { user: undefined, expires: undefined } : session;`,
};

/** What a guard asks of a session; for the last ones the former libraries differ from each other. */
const GUARDS: Readonly<Record<string, (who: string) => string>> = {
  session: (who) => `!!${who}`,
  "not null": (who) => `${who} !== null`,
  user: (who) => `!!${who}?.user`,
  id: (who) => `!!${who}?.user?.id`,
  "not banned": (who) => `!!${who} && !${who}.user?.banned`,
  role: (who) => `${who}?.user?.role === "admin"`,
  "role of the session": (who) => `${who}?.role === "admin"`,
  "copied user": (who) => `((user) => !!${who} && !user.banned)({ ...${who}?.user })`,
  "id of the row": (who) => `!!${who} && ![${who}.userId].includes("3")`,
};

/** Rows in memory; their tokens are the names of their users. */
const DATABASE = `const users = [
  { id: "1", token: "user", name: "Ann", email: "ann@example.com", emailVerified: null, image: null, role: "user", banned: false },
  { id: "2", token: "administrator", name: "Bob", email: "bob@example.com", emailVerified: null, image: null, role: "admin", banned: false },
  { id: "3", token: "banned user", name: "Cid", email: "cid@example.com", emailVerified: null, image: null, role: "user", banned: true },
];
const of = (sessionToken) => {
  const row = users.find(({ token }) => token.replace(" ", "-") === sessionToken);
  if (!row) return null;
  const { token, ...user } = row;
  return { user, session: { sessionToken, userId: user.id, expires: new Date(Date.now() + 86_400_000) } };
};
const none = async () => null;
export const adapter = {
  getSessionAndUser: async (token) => of(token), updateSession: none, deleteSession: none, createSession: none,
  createUser: none, getUser: none, getUserByEmail: none, getUserByAccount: none, updateUser: none, linkAccount: none,
};
`;

interface Reader {
  readonly former: Case["former"];
  readonly runs?: Case["runs"];
  readonly write: (options: string, allowed: string) => Readonly<Record<string, string>>;
}

const page = (allowed: string) => `(${allowed}) ? "page" : "denied"`;
const V4_ROUTE =
  'import NextAuth from "next-auth";\nimport { authOptions } from "../../../../auth";\nconst handler = NextAuth(authOptions);\nexport { handler as GET, handler as POST };\n';

const READERS: Readonly<Record<string, Reader>> = {
  "getServerSession()": {
    former: "v4",
    runs: "page",
    write: (options, allowed) => ({
      "auth.ts": `import { adapter } from "./database";\nexport const authOptions = ${options};\n`,
      "app/api/auth/[...nextauth]/route.ts": V4_ROUTE,
      "guard.ts": `import { getServerSession } from "next-auth";\nimport { authOptions } from "./auth";\nexport default async function () {\n  const who = await getServerSession(authOptions);\n  return ${page(allowed)};\n}\n`,
    }),
  },
  "auth()": {
    former: "v5",
    runs: "page",
    write: (options, allowed) => ({
      "auth.ts": `import NextAuth from "next-auth";\nimport { adapter } from "./database";\nexport const { auth, handlers } = NextAuth(${options});\n`,
      "guard.ts": `import { auth } from "./auth";\nexport default async function () {\n  const who = await auth();\n  return ${page(allowed)};\n}\n`,
    }),
  },
  "auth(handler)": {
    former: "v5",
    write: (options, allowed) => ({
      "guard.ts": `import NextAuth from "next-auth";\nimport { NextResponse } from "next/server";\nimport { adapter } from "./database";\nconst { auth } = NextAuth(${options});\nexport default auth((req) => {\n  const who = req.auth;\n  if (!(${allowed})) return new Response(null, { status: 403 });\n});\n`,
    }),
  },
  "getSession(req, config)": {
    former: "express",
    runs: "api",
    write: (options, allowed) => ({
      "auth.ts": `import { ExpressAuth } from "@auth/express";\nimport { adapter } from "./database";\nexport const authConfig = ${options.replace("{", "{ trustHost: true,")};\nexport const router = ExpressAuth(authConfig);\n`,
      "guard.ts": `import { getSession } from "@auth/express";\nimport { authConfig } from "./auth";\nexport default async function (req, res) {\n  const who = await getSession(req, authConfig);\n  return ${page(allowed)};\n}\n`,
    }),
  },
  "authUser.session": {
    former: "hono",
    runs: "fetch",
    write: (options, allowed) => ({
      "guard.ts": `import { Hono } from "hono";\nimport { initAuthConfig, verifyAuth } from "@hono/auth-js";\nimport { adapter } from "./database";\nconst app = new Hono();\napp.use("*", initAuthConfig(() => (${options.replace("{", '{ trustHost: true, basePath: "/api/auth",')})));\napp.use("/members", verifyAuth());\napp.all("/members", (c) => {\n  const who = c.get("authUser").session;\n  return c.text("page", (${allowed}) ? 200 : 403);\n});\nexport default (request) => app.fetch(request);\n`,
    }),
  },
  "locals.auth()": {
    former: "sveltekit",
    runs: "event",
    write: (options, allowed) => ({
      "guard.ts": `import { SvelteKitAuth } from "@auth/sveltekit";\nimport { adapter } from "./database";\nconst { handle } = SvelteKitAuth(${options.replace("{", "{ trustHost: true,")});\nconst resolve = async (event) => {\n  const who = await event.locals.auth();\n  return new Response("page", { status: (${allowed}) ? 200 : 403 });\n};\nexport default (event) => handle({ event, resolve });\n`,
    }),
  },
};

function optionsOf(sessions: Sessions, body: (own: string) => string): string {
  const own = sessions === "jwt" ? "token" : "user";
  const text = body(own);
  const callbacks = text === "" ? "" : ` callbacks: { async session({ session, ${own} }) { ${text} } },`;
  const storage = sessions === "jwt" ? 'session: { strategy: "jwt" },' : "adapter,";
  return `{ secret: process.env.AUTH_SECRET, providers: [], ${storage}${callbacks} }`;
}

/** Each result, read in each way, by each guard. */
export function resultCases(): readonly Case[] {
  return Object.entries(READERS).flatMap(([form, { former, runs, write }]) =>
    (["jwt", "database"] as const).flatMap((sessions) =>
      Object.entries({ ...RESULTS, ...(former === "v4" || former === "v5" ? {} : AS_JSON) }).flatMap(([result, body]) =>
        Object.entries(GUARDS).map(
          ([guard, ask]): Case => ({
            form: `callbacks.session, ${form}, ${sessions}`,
            former,
            runs,
            sessions,
            isAlone: true,
            name: `${result}, ${guard}`,
            files: { "database.ts": DATABASE, ...write(optionsOf(sessions, body), ask("who")) },
          }),
        ),
      ),
    ),
  );
}
