// Sessions that are passed on before a guard reads them, raw tokens, and sign-ins that a callback decides.
import { DECISIONS, session } from "./decisions.ts";
import type { Case } from "./forms.ts";

const CALLBACKS =
  "callbacks: { session({ session, token }) { session.user.role = token.role; session.user.banned = token.banned; return session; } }";
const OPTIONS = `{ secret: process.env.AUTH_SECRET, session: { strategy: "jwt" }, providers: [], ${CALLBACKS} }`;
const V4_ROUTE =
  'import NextAuth from "next-auth";\nimport { authOptions } from "../../../../auth";\nconst handler = NextAuth(authOptions);\nexport { handler as GET, handler as POST };\n';

/** How a session gets to its guard: declarations, and the expression that is true for who may see the page. */
const PASSED: Readonly<Record<string, (call: string) => readonly [before: string, allowed: string]>> = {
  "a context": (call) => [
    `const createContext = async () => ({ session: ${call}, db: {} });\nconst procedure = { use: (middleware) => async () => { let seen; await middleware({ ctx: await createContext(), next: (given) => { seen = given; } }); return seen !== undefined; } };\nconst protectedProcedure = procedure.use(({ ctx, next }) => { if (!decide(ctx.session)) throw new Error("UNAUTHORIZED"); return next({ ctx }); });`,
    "await protectedProcedure()",
  ],
  "a context in another file": () => ["", "decide((await createContext()).session)"],
  "a field of a class": (call) => [
    `class Page { session = null; async load() { this.session = ${call}; return this; } get isAllowed() { return decide(this.session); } }`,
    "(await new Page().load()).isAllowed",
  ],
  "a static method": (call) => [
    `class Guard { static async check() { return decide(${call}); } }`,
    "await Guard.check()",
  ],
  "a private member": (call) => [
    `class Guard { #read = async () => ${call}; async check() { return decide(await this.#read()); } }`,
    "await new Guard().check()",
  ],
  "a base class": (call) => [
    `class Base { async session() { return ${call}; } }\nclass Guard extends Base { async check() { return decide(await super.session()); } }`,
    "await new Guard().check()",
  ],
  props: (call) => [
    `const Child = ({ session }) => decide(session);\nconst Parent = ({ children, ...rest }) => Child(rest);`,
    `Parent({ session: ${call}, children: null })`,
  ],
  "serialised props": (call) => [
    `const props = async () => ({ props: { session: JSON.parse(JSON.stringify(${call})) } });`,
    "decide((await props()).props.session)",
  ],
  parameters: (call) => [`const check = (_path, who) => decide(who);`, `check("/", ${call})`],
  "a list": (call) => [
    "",
    `await (async () => { const [who] = await Promise.all([${call.replace(/^await /, "")}]); return decide(who); })()`,
  ],
  "the rest of a pattern": (call) => [
    `const pick = ({ other, ...rest }) => rest;`,
    `decide(pick({ other: 1, who: ${call} }).who)`,
  ],
  "a generator": (call) => [`async function* all() { yield ${call}; }`, "decide((await all().next()).value)"],
  "a closure": (call) => [
    `const once = (() => { let held; return async () => (held ??= { who: ${call} }).who; })();`,
    "decide(await once())",
  ],
};

const CONTEXT = (head: string, call: string) =>
  `${head}export const createContext = async () => ({ session: ${call}, db: {} });\n`;

/** A session that is passed on, in a page of either version. */
function passedCases(): readonly Case[] {
  return (["v4", "v5"] as const).flatMap((former) =>
    Object.entries(PASSED).flatMap(([name, write]) =>
      Object.entries(DECISIONS).map(([decision, decide]): Case => {
        const isV4 = former === "v4";
        const call = isV4 ? "await getServerSession(authOptions)" : "await auth()";
        const head = isV4
          ? 'import { getServerSession } from "next-auth";\nimport { authOptions } from "./auth";\n'
          : 'import { auth } from "./auth";\n';
        const [before, allowed] = write(call);
        const isElsewhere = allowed.includes("createContext()");
        return {
          form: `a session of ${former} that is passed on`,
          former,
          runs: "page",
          name: `${name}, ${decision}`,
          files: {
            "auth.ts": isV4
              ? `export const authOptions = ${OPTIONS};\n`
              : `import NextAuth from "next-auth";\nexport const { auth, handlers } = NextAuth(${OPTIONS});\n`,
            ...(isV4 ? { "app/api/auth/[...nextauth]/route.ts": V4_ROUTE } : {}),
            "context.ts": isElsewhere ? CONTEXT(head, call) : "export {};\n",
            "guard.ts": `${isElsewhere ? 'import { createContext } from "./context";\n' : head}const decide = (who) => { ${decide(session("who")).replaceAll("await ", "")} };\n${before}\nexport default async function page() {\n  const isAllowed = await (${allowed});\n  return isAllowed ? "page" : "denied";\n}\n`,
          },
        };
      }),
    ),
  );
}

/** The token itself, which nothing verifies. */
const RAW: Readonly<Record<string, string>> = {
  literal: "getToken({ req, secret: process.env.AUTH_SECRET, raw: true })",
  quoted: 'getToken({ req, secret: process.env.AUTH_SECRET, "raw": true })',
  spread: "getToken({ ...{ raw: true }, req, secret: process.env.AUTH_SECRET })",
  constant: "getToken({ req, secret: process.env.AUTH_SECRET, raw })",
};

const rawCases = (["v4", "v5"] as const).flatMap((former) =>
  Object.entries(RAW).map(
    ([name, call]): Case => ({
      form: `getToken({ raw }) of ${former}`,
      former,
      name,
      files: {
        "guard.ts": `import { getToken } from "next-auth/jwt";\nconst raw = true;\nexport default async function middleware(req) {\n  const token = await ${call};\n  if (!token || typeof token !== "string") return new Response(null, { status: 401 });\n}\n`,
      },
    }),
  ),
);

/** Results of `callbacks.signIn`, by the user. */
const ANSWERS: Readonly<Record<string, string>> = {
  boolean: "return !user.banned;",
  "a text": 'return user.banned ? "/denied" : true;',
  "an empty text": 'return user.banned ? "" : true;',
  "an absolute URL": 'return user.banned ? "https://elsewhere.example.com/" : true;',
  null: "return user.banned ? null : true;",
  nothing: "if (!user.banned) return true;",
  "an object": "return user.banned ? undefined : user;",
  "a number": "return user.banned ? 0 : 1;",
  "a list": "return user.banned ? false : [];",
  "an error": 'if (user.banned) throw new Error("banned"); return true;',
  "a promise": "return Promise.resolve(user.banned ? false : true);",
  role: 'return user.role === "admin";',
};

const SIGN_IN_SPELLINGS: Readonly<Record<string, (body: string) => readonly [member: string, before: string]>> = {
  method: (body) => [`signIn({ user }) { ${body} }`, ""],
  "async arrow": (body) => [`signIn: async ({ user }) => { ${body} }`, ""],
  shorthand: (body) => ["signIn", `const signIn = ({ user }) => { ${body} };\n`],
  "whole parameter": (body) => [`signIn: (given) => { const { user } = given; ${body} }`, ""],
  imported: (body) => [`signIn: (given) => decide(given)`, `const decide = async ({ user }) => { ${body} };\n`],
};

const USERS =
  'const users = { user: { id: "1", name: "Ann", role: "user" }, administrator: { id: "2", name: "Bob", role: "admin" }, "banned user": { id: "3", name: "Cid", role: "user", banned: true } };\n';

/** Sign-ins with a password, whose outcome is the session cookie. */
function signInCases(): readonly Case[] {
  return (["v4", "v5"] as const).flatMap((former) =>
    Object.entries(SIGN_IN_SPELLINGS).flatMap(([spelling, write]) =>
      Object.entries(ANSWERS).map(([answer, body]): Case => {
        const isV4 = former === "v4";
        const [member, before] = write(body);
        const options = `{ secret: process.env.AUTH_SECRET, trustHost: true, basePath: "/api/auth", providers: [Credentials({ credentials: { username: {} }, authorize: ({ username }) => users[username] ?? null })], callbacks: { ${member} } }`;
        const head = `import Credentials from "next-auth/providers/credentials";\n${USERS}${before}`;
        const route = isV4 ? "app/api/auth/[...nextauth]/route" : "auth";
        return {
          form: `callbacks.signIn of ${former}`,
          former,
          runs: "sign-in",
          name: `${spelling}, ${answer}`,
          files: {
            "auth.ts": isV4
              ? `${head}export const authOptions = ${options};\n`
              : `import NextAuth from "next-auth";\n${head}export const { auth, handlers } = NextAuth(${options});\nexport const { GET, POST } = handlers;\n`,
            ...(isV4 ? { "app/api/auth/[...nextauth]/route.ts": V4_ROUTE } : {}),
            "guard.ts": `import { GET, POST } from "./${route}";\nexport default (req, context) => (req.method === "GET" ? GET : POST)(req, context);\n`,
          },
        };
      }),
    ),
  );
}

export const passedFormCases = (): readonly Case[] => [...passedCases(), ...rawCases, ...signInCases()];
