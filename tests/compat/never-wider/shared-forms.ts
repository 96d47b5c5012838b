// Guards of applications whose configurations share a secret or a decision, or change after they are declared.
import type { Case } from "./forms.ts";

const TOKEN = 'import { getToken } from "next-auth/jwt";\n';
const OTHER =
  'const other = { secret: process.env.AUTH_SECRET, cookieName: "admin-session" };\nconst of = (req) => ({ ...other, req });\n';

/** Parameters that name the cookie of another configuration with the same secret. */
const PARAMETERS: Readonly<Record<string, string>> = {
  literal: "{ req, secret: process.env.AUTH_SECRET, cookieName: other.cookieName }",
  spread: "{ ...other, req }",
  "a function": "of(req)",
  "Object.assign": "Object.assign({ req }, other)",
  conditional: "req ? { ...other, req } : { req }",
  "a computed name": '{ req, ["cookie" + "Name"]: other.cookieName, secret: other.secret }',
  "a local constant": "params",
};

const tokenCases = (["v4", "v5"] as const).flatMap((former) =>
  Object.entries(PARAMETERS).map(
    ([name, given]): Case => ({
      form: "getToken() of another cookie",
      former,
      name: `${former}, ${name}`,
      files: {
        "guard.ts": `${TOKEN}${OTHER}export default async function middleware(req) {\n  const params = { ...other, req };\n  const token = await getToken(${given});\n  if (!token) return new Response(null, { status: 401 });\n}\n`,
      },
    }),
  ),
);

const MEMBERS = 'secret: process.env.AUTH_SECRET, session: { strategy: "jwt" }, providers: []';
const COOKIES = 'cookies: { sessionToken: { name: "admin-session", options: { path: "/" } } }';
const TWO = `export const authOptions = { ${MEMBERS} };\nexport const adminOptions = { ${MEMBERS}, ${COOKIES} };\n`;
const routeOf = (options: string) =>
  `import NextAuth from "next-auth";\nimport { ${options} } from "../../../../auth";\nconst handler = NextAuth(${options});\nexport { handler as GET, handler as POST };\n`;

const GUARDS: Readonly<Record<string, string>> = {
  "a literal": 'withAuth({ cookies: { sessionToken: { name: "admin-session" } } })',
  "a member": "withAuth({ cookies: adminOptions.cookies })",
  "the options": "(req) => withAuth(req, adminOptions)",
  "a function": "withAuth(() => undefined, guardOptions())",
};

const guardCases = Object.entries(GUARDS).map(
  ([name, guard]): Case => ({
    form: "withAuth of another cookie",
    former: "v4",
    name,
    files: {
      "auth.ts": TWO,
      "app/api/auth/[...nextauth]/route.ts": routeOf("authOptions"),
      "app/admin/api/[...nextauth]/route.ts": routeOf("adminOptions"),
      "guard.ts": `import { withAuth } from "next-auth/middleware";\nimport { adminOptions } from "./auth";\nconst guardOptions = () => ({ cookies: adminOptions.cookies });\nexport default ${guard};\n`,
    },
  }),
);

const SHARED =
  'export const authConfig = { providers: [], session: { strategy: "jwt" }, callbacks: { authorized({ auth }) { return !!auth; } } };\n';

/** What else uses a decision that `auth(handler)` ignored. */
const USES: Readonly<Record<string, string>> = {
  "the same configuration": "NextAuth(authConfig).auth",
  "Object.assign": "NextAuth(Object.assign({}, authConfig)).auth",
  "a function": "NextAuth(build(authConfig)).auth",
  "a function that makes the instance": "make(authConfig).auth",
  "another name of the library": "Library(authConfig).auth",
  namespace: "NextAuth(all.authConfig).auth",
  "a member": "NextAuth(held.one).auth",
  callbacks: 'NextAuth({ providers: [], session: { strategy: "jwt" }, callbacks: authConfig.callbacks }).auth',
  "the callback":
    'NextAuth({ providers: [], session: { strategy: "jwt" }, callbacks: { authorized: authConfig.callbacks.authorized } }).auth',
  "a call":
    "async (request) => ((await authConfig.callbacks.authorized({ auth: null, request })) ? undefined : new Response(null, { status: 401 }))",
};

const sharedCases = Object.entries(USES).map(
  ([name, guard]): Case => ({
    form: "a shared `authorized`",
    former: "v5",
    name,
    files: {
      "auth.config.ts": SHARED,
      "auth.ts":
        'import NextAuth from "next-auth";\nimport { authConfig } from "./auth.config";\nexport const { auth } = NextAuth({ ...authConfig, providers: [] });\n',
      "route.ts":
        'import { auth } from "./auth";\nexport const GET = auth((req) => new Response(null, { status: req.auth ? 200 : 401 }));\n',
      "guard.ts":
        `import NextAuth from "next-auth";\nimport * as all from "./auth.config";\nimport { authConfig } from "./auth.config";\nconst build = (given) => ({ ...given, debug: false });\nconst make = (given) => NextAuth(given);\nconst Library = NextAuth;\nconst held = { one: authConfig };\nexport default ${guard};\n`.replace(
          /^import \* as all.*\n/m,
          name === "namespace" ? "$&" : "",
        ),
    },
  }),
);

const BARE = `export const authOptions = { ${MEMBERS}, callbacks: {} };\n`;
const DECISION = "({ session, token }) => (token.banned ? null : session)";

/** How options change where they are declared. */
const CHANGES: Readonly<Record<string, string>> = {
  callbacks: `authOptions.callbacks = { session: ${DECISION} };\n`,
  "a callback": `authOptions.callbacks.session = ${DECISION};\n`,
  computed: `authOptions["callbacks"] = { session: ${DECISION} };\n`,
  cast: `(authOptions as any).callbacks = { session: ${DECISION} };\n`,
  "Object.assign": `Object.assign(authOptions, { callbacks: { session: ${DECISION} } });\n`,
  "a condition": `if (process.env.AUTH_SECRET) {\n  authOptions.callbacks = { session: ${DECISION} };\n}\n`,
};

const changedCases = Object.entries(CHANGES).map(
  ([name, change]): Case => ({
    form: "options that change",
    former: "v4",
    runs: "page",
    name,
    files: {
      "auth.ts": BARE + change,
      "app/api/auth/[...nextauth]/route.ts": routeOf("authOptions"),
      "guard.ts":
        'import { getServerSession } from "next-auth";\nimport { authOptions } from "./auth";\nexport default async function page() {\n  return (await getServerSession(authOptions)) ? "page" : "denied";\n}\n',
    },
  }),
);

/** How options change in another file or in a function; `BODY` is a decision. */
const LATE: Readonly<Record<string, readonly [own: string, other: string, first: string]>> = {
  "another file": [
    "",
    `import { authOptions } from "./auth";\nauthOptions.callbacks = { session: ${DECISION} };\n`,
    "",
  ],
  "a callback in another file": [
    "",
    `import { authOptions as one } from "./auth";\none.callbacks.session = ${DECISION};\n`,
    "",
  ],
  "a re-export": [
    "",
    `import { authOptions } from "./options";\nObject.assign(authOptions, { callbacks: { session: ${DECISION} } });\n`,
    "",
  ],
  namespace: ["", `import * as all from "./auth";\nall.authOptions.callbacks = { session: ${DECISION} };\n`, ""],
  "a function": [`export function start() { authOptions.callbacks = { session: ${DECISION} }; }\n`, "", "start();"],
  "a function of another file": [
    "",
    `import { authOptions } from "./auth";\nconst extend = (one) => { one.callbacks = { session: ${DECISION} }; };\nextend(authOptions);\n`,
    "",
  ],
};

const lateCases = (["v4", "v5"] as const).flatMap((former) =>
  Object.entries(LATE).map(([name, [own, other, first]]): Case => {
    const isV4 = former === "v4";
    const instance = 'import NextAuth from "next-auth";\n';
    return {
      form: "options that change later",
      former,
      runs: "page",
      name: `${former}, ${name}`,
      files: {
        "auth.ts": `${isV4 ? "" : instance}${BARE}${own}${isV4 ? "" : "export const { auth, handlers } = NextAuth(authOptions);\n"}`,
        "options.ts": 'export { authOptions } from "./auth";\n',
        "changes.ts": `${other}export const changed = true;\n`,
        ...(isV4 ? { "app/api/auth/[...nextauth]/route.ts": routeOf("authOptions") } : {}),
        "guard.ts": `${isV4 ? 'import { getServerSession } from "next-auth";\n' : ""}import { changed } from "./changes";\nimport * as all from "./auth";\n${first.replace("start", "all.start")}\nexport default async function page() {\n  return changed && (await ${isV4 ? "getServerSession(all.authOptions)" : "all.auth()"}) ? "page" : "denied";\n}\n`,
      },
    };
  }),
);

/** Two configurations, of which the second has the cookie of administrators: what makes each. */
const PAIRS: Readonly<Record<string, readonly [base: string, first: string, second: string]>> = {
  "a shared part": [
    `export const base = { ${MEMBERS} };`,
    "NextAuth({ ...base })",
    `NextAuth({ ...base, ${COOKIES} })`,
  ],
  "a function": [
    `export const base = (isAdmin) => ({ ${MEMBERS}, ...(isAdmin ? { ${COOKIES} } : {}) });`,
    "NextAuth(base(false))",
    "NextAuth(base(true))",
  ],
  "a name by a choice": [
    `export const base = (isAdmin) => ({ ${MEMBERS}, cookies: { sessionToken: { name: isAdmin ? "admin-session" : "authjs.session-token", options: {} } } });`,
    "NextAuth(base(false))",
    "NextAuth(base(true))",
  ],
  "another name of the library": [
    `export const base = { ${MEMBERS} };`,
    "Library({ ...base })",
    `NextAuth({ ${MEMBERS}, ${COOKIES} })`,
  ],
};

const pairCases = Object.entries(PAIRS).map(([name, [base, first, second]]): Case => {
  const head = 'import NextAuth from "next-auth";\nimport { base } from "./base";\nconst Library = NextAuth;\n';
  return {
    form: "configurations that share",
    former: "v5",
    runs: "page",
    name,
    files: {
      "base.ts": `${base}\n`,
      "main.ts": `${head}export const { auth, handlers } = ${first};\n`,
      "guard.ts": `${head}const { auth } = ${second};\nexport default async function page() {\n  return (await auth()) ? "page" : "denied";\n}\n`,
    },
  };
});

export const sharedFormCases = (): readonly Case[] => [
  ...tokenCases,
  ...guardCases,
  ...sharedCases,
  ...changedCases,
  ...lateCases,
  ...pairCases,
];
