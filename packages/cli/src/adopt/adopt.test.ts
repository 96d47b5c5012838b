import { describe, expect, it } from "vitest";
import { type Adoption, adopt } from "./adopt.ts";
import { PROVIDER_PACKAGES } from "./provider-packages.ts";
import { addBridge, BRIDGE } from "./rules/bridge.ts";

const v5 = { next: "15.3.2", "next-auth": "5.0.0-beta.32", react: "19.0.0" };
const v4 = { next: "14.2.5", "next-auth": "^4.24.7", react: "18.2.0" };

function move(
  files: Readonly<Record<string, string>>,
  dependencies: Readonly<Record<string, string>> = v5,
): Adoption & { read: (path: string) => string } {
  const all = new Map(Object.entries({ "/package.json": JSON.stringify({ dependencies }), ...files }));
  const result = adopt({ files: all });
  if ("refused" in result) throw new Error(result.refused);
  return { ...result, read: (path) => result.files.get(path) ?? all.get(path) ?? "" };
}

/** The application after a move, as its next run finds it. */
function again(files: Readonly<Record<string, string>>, { files: changed, added }: Adoption) {
  const all = new Map<string, string | null>([...Object.entries(files), ...changed]);
  const kept = [...all].filter((entry): entry is [string, string] => entry[1] !== null);
  const dependencies = Object.fromEntries(["next", ...added].map((name) => [name, "1.0.0"]));
  return adopt({ files: new Map([...kept, ["/package.json", JSON.stringify({ dependencies })]]) });
}

const SPLIT = {
  "/tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }',
  "/auth.config.ts": `import type { NextAuthConfig } from "next-auth"

export const authConfig = {
  pages: { signIn: "/login" },
  providers: [],
} satisfies NextAuthConfig
`,
  "/auth.ts": `import NextAuth, { type DefaultSession } from "next-auth"
import { PrismaAdapter } from "@auth/prisma-adapter"
import GitHub from "next-auth/providers/github"
import Hubspot from "next-auth/providers/hubspot"
import { authConfig } from "@/auth.config"
import { db } from "@/db"

declare module "next-auth" {
  interface Session { user: { id: string } & DefaultSession["user"] }
}

export const { handlers, auth } = NextAuth({
  ...authConfig,
  adapter: PrismaAdapter(db),
  providers: [GitHub, Hubspot],
})
`,
  "/middleware.ts": `import NextAuth from "next-auth"
import { authConfig } from "./auth.config"

export default NextAuth(authConfig).auth
`,
};

describe("adopt() of Auth.js v5", () => {
  it("changes imports, providers, adapter and augmentation, and keeps the rest of each line", () => {
    const { read, added, removed } = move(SPLIT, { ...v5, "@prisma/client": "6.1.0", "@auth/prisma-adapter": "2.9.0" });
    expect(read("/auth.ts")).toBe(
      SPLIT["/auth.ts"]
        .replace(
          'import NextAuth, { type DefaultSession } from "next-auth"',
          'import { createAuth, type DefaultSession } from "@cardea/next"',
        )
        .replace("@auth/prisma-adapter", "@cardea/adapter-prisma")
        .replace("next-auth/providers/github", "@cardea/providers-github")
        .replace("next-auth/providers/hubspot", "@auth/core/providers/hubspot")
        .replace('declare module "next-auth"', 'declare module "@cardea/next"')
        .replace('from "@/db"', 'from "@/db"\nimport { formerServerSession } from "@cardea/bridge-authjs"')
        .replace("NextAuth({", "createAuth(formerServerSession({")
        .replace(/\}\)\n$/, "}))\n"),
    );
    expect(added).toEqual(["@auth/core", "@cardea/adapter-prisma", BRIDGE, "@cardea/next", "@cardea/providers-github"]);
    expect(removed).toEqual(["@auth/prisma-adapter", "next-auth"]);
  });

  it("keeps the default import where a test mocks the module", () => {
    const mock = 'jest.mock("next-auth", () => jest.fn(() => ({ auth: jest.fn() })));\n';
    const { read } = move({ ...SPLIT, "/auth.test.ts": mock });
    expect(read("/auth.test.ts")).toBe(mock.replace("next-auth", "@cardea/next"));
    expect(read("/auth.ts")).toContain('import NextAuth, { type DefaultSession } from "@cardea/next"');
    expect(read("/auth.ts")).toContain("= NextAuth(formerServerSession({");
    expect(read("/auth.config.ts")).toContain('extensions: [bridge({ accept: ["authjs-v5"] })]');
    const automatic = move({ ...SPLIT, "/auth.test.ts": 'jest.mock("next-auth");\n' });
    expect(automatic.read("/auth.ts")).toContain("= createAuth(formerServerSession({");
  });

  it("imports types of a provider's module from core, in one line of the same place", () => {
    const types = `import type { CredentialInput, CredentialsConfig } from "next-auth/providers/credentials";
import type { NodemailerConfig } from "next-auth/providers/nodemailer";
jest.mock("./a");
import { a } from "./a";
export const b: CredentialsConfig | CredentialInput | NodemailerConfig = a;
`;
    const { read, added, report } = move({ "/types.ts": types });
    expect(read("/types.ts")).toBe(
      types
        .replace("next-auth/providers/credentials", "@cardea/core/providers")
        .replace("{ NodemailerConfig }", "{ EmailConfig as NodemailerConfig }")
        .replace("next-auth/providers/nodemailer", "@cardea/core/providers"),
    );
    expect(added).toEqual(["@cardea/core"]);
    expect(report.map(({ what }) => what)).toContain("next-auth/providers/credentials → @cardea/core/providers");
  });

  it("leaves a comment behind the last import where it is", () => {
    const text =
      'import NextAuth from "next-auth";\nimport x from "x"; // two\nexport const { auth } = NextAuth({ providers: [x] });\n';
    expect(move({ "/auth.ts": text }).read("/auth.ts")).toContain(
      'import x from "x"; // two\nimport { bridge } from "@cardea/bridge-authjs";\n',
    );
  });

  it("moves the adapter of Drizzle where its version fits, and keeps parts of its package", () => {
    const files = {
      "/auth.ts": `import NextAuth from "next-auth"
import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { db } from "./db"

export const { handlers, auth } = NextAuth({ adapter: DrizzleAdapter(db), providers: [] })
`,
    };
    const versions = { ...v5, "@auth/drizzle-adapter": "1.11.3" };
    const moved = move(files, { ...versions, "drizzle-orm": "^0.45.1" });
    expect(moved.read("/auth.ts")).toContain('import { DrizzleAdapter } from "@cardea/adapter-drizzle"');
    expect(moved.added).toContain("@cardea/adapter-drizzle");
    expect(moved.removed).toContain("@auth/drizzle-adapter");
    for (const range of ["^0.44.7", "1.0.0-beta.2", "^0.4.5"]) {
      const kept = move(files, { ...versions, "drizzle-orm": range });
      expect(kept.read("/auth.ts")).toContain('"@auth/drizzle-adapter"');
      expect(kept.removed).not.toContain("@auth/drizzle-adapter");
    }
    const part = { "/tables.ts": 'import { defineTables } from "@auth/drizzle-adapter/lib/pg"\n', ...files };
    const parts = move(part, { ...versions, "drizzle-orm": "0.45.4" });
    expect(parts.read("/tables.ts")).toBe(part["/tables.ts"]);
    expect(parts.removed).not.toContain("@auth/drizzle-adapter");
  });

  it.each([
    [
      "a custom cookie",
      'import { getToken } from "next-auth/jwt";\nexport const one = (req) => getToken({ req, cookieName: "admin" });\n',
    ],
    [
      "tokens",
      'import { decode } from "next-auth/jwt";\nexport const one = (token) => decode({ token, salt: "x" });\n',
    ],
    [
      "a name that is gone",
      'import { getServerSession } from "next-auth";\nexport const one = (given) => getServerSession(given);\n',
    ],
    ["a provider that is passed on", 'export { default as Azure } from "next-auth/providers/azure-ad";\n'],
    ["a former cookie", 'export const one = "next-auth.session-token";\n'],
    ["a text", 'export const load = (name) => import("next-auth/providers/" + name);\n'],
  ])("says again what a run has left: %s", (_what, text) => {
    const files = { ...SPLIT, "/left.ts": text };
    const first = adopt({
      files: new Map([...Object.entries(files), ["/package.json", JSON.stringify({ dependencies: v5 })]]),
    });
    if ("refused" in first) throw new Error(first.refused);
    const lines = ({ report }: Adoption) =>
      report.filter(({ file, kind }) => file === "left.ts" && kind === "left").map(({ what }) => what);
    expect(lines(first)).not.toEqual([]);
    const second = again(files, first);
    if ("refused" in second) throw new Error(second.refused);
    expect(second.files.size).toBe(0);
    expect(lines(second)).not.toEqual([]);
    expect(lines(first)).toEqual(expect.arrayContaining([...lines(second)]));
    const without = again(SPLIT, { ...first, files: new Map([...first.files, ["/left.ts", null]]) });
    expect("refused" in without ? without.refused : without.report).toEqual([]);
  });

  it("adds the bridge once to a configuration that two instances share", () => {
    const { read } = move(SPLIT);
    expect(read("/auth.config.ts")).toContain('extensions: [bridge({ accept: ["authjs-v5"] })],');
    expect(read("/auth.config.ts")).toContain(`import { bridge } from "${BRIDGE}"\n`);
    expect(read("/auth.ts")).not.toContain("bridge(");
    expect(read("/middleware.ts")).toContain("createAuth(authConfig).auth");
  });

  it("keeps the adapter of npm with an older Prisma", () => {
    const { read, report } = move(SPLIT, { ...v5, "@prisma/client": "5.22.0" });
    expect(read("/auth.ts")).toContain('"@auth/prisma-adapter"');
    expect(report).toContainEqual(expect.objectContaining({ kind: "look", file: "auth.ts", line: 2 }));
  });

  it.each([
    ["drizzle", "drizzle-orm", "^0.45.2", "^0.44.0"],
    ["kysely", "kysely", "0.28.18", "0.27.6"],
    ["kysely", "kysely", "~0.29.1", "1.0.0"],
  ])("moves the adapter for %s where %s is %s, and keeps it where it is %s", (name, library, fits, other) => {
    const files = { "/auth.ts": SPLIT["/auth.ts"].replaceAll("prisma-adapter", `${name}-adapter`) };
    const former = `@auth/${name}-adapter`;
    const moved = move(files, { ...v5, [library]: fits, [former]: "1.0.0" });
    expect(moved.read("/auth.ts")).toContain(`"@cardea/adapter-${name}"`);
    expect(moved.added).toContain(`@cardea/adapter-${name}`);
    expect(moved.removed).toContain(former);
    const kept = move(files, { ...v5, [library]: other, [former]: "1.0.0" });
    expect(kept.read("/auth.ts")).toContain(`"${former}"`);
    expect(kept.removed).not.toContain(former);
  });

  it("keeps line ends, quotes and missing semicolons", () => {
    const { read } = move({
      "/auth.js": "import NextAuth from 'next-auth'\r\n\r\nexport const { auth } = NextAuth({ providers: [] })\r\n",
    });
    expect(read("/auth.js")).toBe(
      `import { createAuth } from '@cardea/next'\r\nimport { bridge } from '${BRIDGE}'\r\n\r\nexport const { auth } = createAuth({ providers: [], extensions: [bridge({ accept: ['authjs-v5'] })], })\r\n`.replace(
        " })], })",
        " })] })",
      ),
    );
  });

  it("moves CommonJS", () => {
    const { read } = move({
      "/auth.js": 'const NextAuth = require("next-auth").default;\nmodule.exports = NextAuth({ providers: [] });\n',
    });
    expect(read("/auth.js")).toContain('const { createAuth } = require("@cardea/next");');
    expect(read("/auth.js")).toContain("module.exports = createAuth({");
  });

  it("gives `accept` a custom cookie name, and takes it from the configuration", () => {
    const { read } = move({
      "/auth.ts":
        'import NextAuth from "next-auth";\nexport const { auth } = NextAuth({\n  providers: [],\n  cookies: { sessionToken: { name: "sid", options: { secure: true } } },\n});\n',
    });
    expect(read("/auth.ts")).toContain('accept: [{ format: "authjs-v5", cookie: "sid" }]');
    expect(read("/auth.ts")).toContain("sessionToken: { options: { secure: true } }");
  });

  it("keeps the shape of getProviders() and turns passkey calls into ours", () => {
    const { read } = move({
      "/page.tsx":
        'import { getProviders } from "next-auth/react";\nimport { signIn } from "next-auth/webauthn";\nexport const load = async () => { const list = await getProviders(); return [list, () => signIn("passkey", { action: "register" }), () => signIn("passkey")]; };\n',
    });
    expect(read("/page.tsx")).toContain(
      "const list = Object.fromEntries((await getProviders()).map((provider) => [provider.id, provider]));",
    );
    expect(read("/page.tsx")).toContain("() => registerPasskey(), () => signInWithPasskey()]");
    expect(read("/page.tsx")).not.toContain("next-auth");
  });

  it("keeps provider and options of passkey calls, and leaves an action that is not known", () => {
    const call = (args: string) => `export const a = () => signIn(${args});`;
    const moved = (args: string) =>
      move({ "/page.tsx": `import { signIn } from "next-auth/webauthn";\n${call(args)}\n` });
    for (const [args, expected] of [
      ['"passkey", { action: "register", email, redirectTo: "/" }', 'registerPasskey({ email, redirectTo: "/" })'],
      ['"webauthn", { action: "authenticate", email }', 'signInWithPasskey({ provider: "webauthn", email })'],
      ["id, options", "signInWithPasskey({ provider: id, ...options })"],
      ['"passkey", options', "signInWithPasskey(options)"],
      ['"webauthn"', 'signInWithPasskey({ provider: "webauthn" })'],
    ] as const)
      expect(moved(args).read("/page.tsx")).toContain(`export const a = () => ${expected};`);
    const { read, report } = moved('"passkey", { action: isNew ? "register" : "authenticate" }');
    expect(read("/page.tsx")).toContain('signIn("passkey", { action: isNew');
    expect(report).toContainEqual(
      expect.objectContaining({ kind: "left", what: "`action` of a passkey call is not a text" }),
    );
  });

  it("names look-ups by e-mail address in callbacks.jwt with file and line", () => {
    const { report } = move({
      "/auth.ts":
        'import NextAuth from "next-auth";\nexport const { auth } = NextAuth({\n  providers: [],\n  callbacks: {\n    async jwt({ token }) {\n      const user = await db.user.findUnique({ where: { email: token.email } });\n      return { ...token, role: user.role };\n    },\n  },\n});\n',
    });
    expect(report).toContainEqual(
      expect.objectContaining({
        kind: "look",
        file: "auth.ts",
        line: 7,
        what: "`callbacks.jwt` looks up a user by e-mail address",
      }),
    );
  });

  it("moves passkeys to their package, and names former cookies and own names of getToken()", () => {
    const { read, report } = move({
      "/auth.ts":
        'import NextAuth from "next-auth";\nimport Passkey from "next-auth/providers/passkey";\nexport const { auth } = NextAuth({ providers: [Passkey] });\n',
      "/middleware.ts":
        'import { getToken } from "next-auth/jwt";\nexport const a = (req) => getToken({ req, salt: "authjs.session-token" });\n',
    });
    expect(read("/auth.ts")).toContain('import { Passkey } from "@cardea/providers-webauthn"');
    expect(
      report.filter(({ kind, file }) => kind === "left" && file === "middleware.ts").map(({ line }) => line),
    ).toEqual([2, 2]);
  });

  it.each([
    ["passkey", "import P from", "[P()]", 'import { Passkey as P } from "@cardea/providers-webauthn"', "[P()]"],
    ["passkey", "import * as all from", "[all.default]", '"next-auth/providers/passkey"', "[all.default]"],
    [
      "email",
      "import Mail from",
      "[Mail({})]",
      'import Mail from "@cardea/providers-email"',
      '[Mail({ id: "email" })]',
    ],
    ["nodemailer", "import N from", "[N({})]", 'import N from "@cardea/providers-email"', "[N({})]"],
  ])("keeps the id of %s: %s", (name, statement, use, imported, providers) => {
    const { read } = move({
      "/auth.ts": `import NextAuth from "next-auth";\n${statement} "next-auth/providers/${name}";\nexport const { auth } = NextAuth({ providers: ${use} });\n`,
    });
    expect(read("/auth.ts")).toContain(imported);
    expect(read("/auth.ts")).toContain(providers);
  });

  it("takes types that provider files exported from core", () => {
    const { read } = move({
      "/mail.ts": 'import type { EmailConfig } from "next-auth/providers/email";\nexport type Mail = EmailConfig;\n',
    });
    expect(read("/mail.ts")).toBe(
      'import type { EmailConfig } from "@cardea/core/providers";\nexport type Mail = EmailConfig;\n',
    );
  });

  it("names calls of the browser's package on a server", () => {
    const { report } = move({
      "/page.ts":
        'import { getCsrfToken, getSession } from "next-auth/react";\nexport const a = (context) => getCsrfToken(context);\nexport const b = ({ req }) => getSession({ req });\n',
    });
    expect(report.filter(({ kind }) => kind === "left").map(({ line }) => line)).toEqual([2, 3]);
  });

  const MADE = "(config)\n";
  const FORMS: Readonly<Record<string, string>> = {
    "a namespace": 'import * as Module from "next-auth";\nexport const { auth } = Module.default',
    "a default import by name": 'import { default as NextAuth } from "next-auth";\nexport const { auth } = NextAuth',
    "import = require()": 'import Module = require("next-auth");\nexport const { auth } = Module.default',
    "a dynamic import": 'const { default: NextAuth } = await import("next-auth");\nexport const { auth } = NextAuth',
    "a dynamic import of the whole":
      'const Module = await import("next-auth");\nexport const { auth } = Module.default',
    "another file": 'import NextAuth from "./lib";\nexport const { auth } = NextAuth',
    "another file, by name": 'import { make } from "./lib";\nexport const { auth } = make',
    "a cast": 'import NextAuth from "next-auth";\nexport const { auth } = (NextAuth as any)',
    "an exclamation mark": 'import NextAuth from "next-auth";\nexport const { auth } = NextAuth!',
  };

  it.each(Object.keys(FORMS))("adds the bridge to an instance that is made through %s", (name) => {
    const files = {
      "/lib.ts": 'export { default } from "next-auth";\nexport { default as make } from "next-auth";\n',
      "/auth.ts": `${FORMS[name]}${MADE}`.replace("export const", "const config = { providers: [] };\nexport const"),
    };
    const done = move(files);
    expect(done.read("/auth.ts")).toContain('{ providers: [], extensions: [bridge({ accept: ["authjs-v5"] })] }');
    expect(done.report.filter(({ kind }) => kind === "left")).toEqual([]);
    expect(again(files, done)).toMatchObject({ files: new Map(), report: [] });
  });

  it.each(["as const satisfies NextAuthConfig", "as unknown as NextAuthConfig", "!"])(
    "finds a configuration that is passed on with `%s`",
    (how) => {
      const auth = `import NextAuth, { type NextAuthConfig } from "next-auth";
const config = { providers: [] };
export const { auth } = NextAuth(/* it */ (config ${how}));
`;
      expect(move({ "/auth.ts": auth }).read("/auth.ts")).toContain("extensions: [bridge(");
    },
  );

  it("names what it cannot move: modules in other texts, and exports that are gone", () => {
    const { report } = move({
      "/auth.ts": 'import NextAuth from "next-auth";\nexport const { auth } = NextAuth({ providers: [] });\n',
      "/lib.ts": 'export { getServerSession } from "next-auth/next";\n',
      "/lazy.ts": `export const load = (name: string) => import(\`next-auth/providers/\${name}\`);\n`,
      "/next.config.js": 'module.exports = { transpilePackages: ["next-auth"], name: "next-auth.session" };\n',
      "/tsconfig.json": '{ "compilerOptions": { "types": ["next-auth"] } }',
    });
    expect(report.filter(({ kind }) => kind === "left").map(({ file, line, what }) => [file, line, what])).toEqual([
      ["lazy.ts", 1, "names the module next-auth/providers/"],
      ["lib.ts", 1, "`getServerSession` of next-auth/next was not moved"],
      ["next.config.js", 1, "names the module next-auth"],
      ["tsconfig.json", undefined, 'names the module "next-auth"'],
    ]);
  });

  it("says that users would be signed out where it finds no instance", () => {
    const { report } = move({ "/auth.ts": 'import NextAuth from "next-auth";\nexport const make = NextAuth;\n' });
    expect(report.find(({ kind }) => kind === "left")?.why).toContain("all users are signed out");
    const client = { "/button.tsx": 'import { signIn } from "next-auth/react";\nexport const go = () => signIn();\n' };
    expect(move(client).report.filter(({ kind }) => kind === "left")).toEqual([]);
  });

  it("keeps the byte order mark of a file, and does not touch a file because of one", () => {
    const files = {
      "/auth.ts": '\uFEFFimport NextAuth from "next-auth";\nexport const { auth } = NextAuth({ providers: [] });\n',
      "/other.ts": "\uFEFFexport const other = 1;\n",
    };
    const done = move(files);
    expect([...done.files.keys()]).toEqual(["/auth.ts"]);
    expect(done.read("/auth.ts")).toMatch(/^\uFEFFimport \{ createAuth \}/);
    expect(again(files, done)).toMatchObject({ files: new Map(), report: [] });
  });

  it("changes nothing the second time", () => {
    const first = move(SPLIT);
    expect(again(SPLIT, first)).toEqual({ files: new Map(), report: [], added: [], removed: [] });
  });

  it("refuses a Next.js that is too old, and a folder without package.json", () => {
    expect(
      adopt({ files: new Map([["/package.json", JSON.stringify({ dependencies: { ...v5, next: "13.5.0" } })]]) }),
    ).toEqual({ refused: expect.stringContaining("13.5.0") });
    expect(adopt({ files: new Map() })).toEqual({ refused: expect.stringContaining("package.json") });
  });
});

describe("addBridge() and getToken()", () => {
  it("gives getToken() the same bridge, once, and leaves a call with a name of its own alone", () => {
    const files = {
      "/auth.ts": 'import NextAuth from "next-auth";\nexport const { auth } = NextAuth({ providers: [] });\n',
      "/middleware.ts":
        'import { getToken } from "next-auth/jwt";\nexport const a = (req) => getToken({ req, secret: process.env.AUTH_SECRET });\nexport const b = (req) => getToken({ req, cookieName: "sid" });\n',
    };
    const first = move(files);
    expect(first.read("/middleware.ts")).toContain(
      'getToken({ req, secret: process.env.AUTH_SECRET, extensions: [bridge({ accept: ["authjs-v5"] })] })',
    );
    expect(first.read("/middleware.ts")).toContain('getToken({ req, cookieName: "sid" })');
    expect(again(files, first)).toMatchObject({ files: new Map(), added: [], removed: [] });
  });
});

describe("addBridge()", () => {
  it("is one step, which names a configuration that it cannot read", () => {
    const files = new Map([
      ["/package.json", JSON.stringify({ dependencies: v5 })],
      ["/auth.ts", 'import { createAuth } from "@cardea/next";\nexport const { auth } = createAuth(makeConfig());\n'],
    ]);
    const result = adopt({ files }, [addBridge]);
    if ("refused" in result) throw new Error(result.refused);
    expect(result.files.size).toBe(0);
    expect(result.report).toEqual([
      {
        kind: "left",
        file: "auth.ts",
        line: 2,
        what: "the bridge could not be added",
        why: expect.stringContaining('accept: ["authjs-v5"]'),
      },
    ]);
  });
});

describe("adopt() of NextAuth v4", () => {
  it("exports one instance beside the options, and reads sessions from it", () => {
    const { read } = move(
      {
        "/lib/auth.ts":
          'import type { NextAuthOptions } from "next-auth";\n\nexport const authOptions: NextAuthOptions = {\n  providers: [],\n  secret: process.env.NEXTAUTH_SECRET,\n};\n',
        "/app/api/auth/[...nextauth]/route.ts":
          'import NextAuth from "next-auth";\nimport { authOptions } from "../../../../lib/auth";\n\nconst handler = NextAuth(authOptions);\nexport { handler as GET, handler as POST };\n',
        "/app/page.tsx":
          'import { getServerSession } from "next-auth/next";\nimport { authOptions } from "../lib/auth";\nexport default async function Page() { const auth = 1; return [auth, await getServerSession(authOptions)]; }\n',
        "/pages/api/me.ts":
          'import { getServerSession } from "next-auth";\nimport { authOptions } from "../../lib/auth";\nexport default async (req, res) => res.json(await getServerSession(req, res, authOptions));\n',
      },
      v4,
    );
    expect(read("/lib/auth.ts")).toContain("};\n\nexport const { handlers, auth } = createAuth(authOptions);\n");
    expect(read("/lib/auth.ts")).toContain('accept: ["nextauth-v4"]');
    expect(read("/lib/auth.ts")).toContain("secret: process.env.NEXTAUTH_SECRET");
    expect(read("/app/api/auth/[...nextauth]/route.ts")).toBe(
      'import { handlers } from "../../../../lib/auth";\n\nexport const { GET, POST } = handlers;\n',
    );
    expect(read("/app/page.tsx")).toContain("await readSession()");
    expect(read("/app/page.tsx")).toContain('import { auth as readSession } from "../lib/auth";');
    expect(read("/pages/api/me.ts")).toContain("await auth(req, res)");
  });

  it("turns a route of the Pages Router that holds the options into a file of its own and a route handler", () => {
    const files = {
      "/pages/api/auth/[...nextauth].js":
        'import NextAuth from "next-auth";\nimport GithubProvider from "next-auth/providers/github";\nimport { db } from "../../../lib/db";\n\nexport const authOptions = {\n  providers: [GithubProvider({ clientId: "a", clientSecret: "b" })],\n  events: { signIn: () => db.log() },\n};\n\nexport default NextAuth(authOptions);\n',
      "/lib/db.js": "export const db = {};\n",
      "/pages/index.js":
        'import { getServerSession } from "next-auth";\nimport { authOptions } from "./api/auth/[...nextauth]";\nexport async function getServerSideProps(context) {\n  return { props: { session: await getServerSession(context.req, context.res, authOptions) } };\n}\n',
    };
    const moved = move(files, v4);
    expect(moved.files.get("/pages/api/auth/[...nextauth].js")).toBeNull();
    expect(moved.read("/app/api/auth/[...nextauth]/route.js")).toBe(
      'import { handlers } from "../../../../auth";\n\nexport const { GET, POST } = handlers;\n',
    );
    expect(moved.read("/auth.js")).toContain('import { db } from "./lib/db";');
    expect(moved.read("/auth.js")).toContain("export const { handlers, auth } = createAuth(authOptions);\n");
    expect(moved.read("/pages/index.js")).toContain("session: await auth(context.req, context.res)");
    expect(moved.read("/pages/index.js")).toContain('import { auth } from "../auth";');
    expect(moved.report.filter(({ kind }) => kind === "left")).toEqual([]);
    expect(again(files, moved)).toEqual({ files: new Map(), report: [], added: [], removed: [] });
  });

  it.each([
    'import { withAuth } from "next-auth/middleware";\n\nexport default withAuth((req) => log(req.nextauth.token), options);\n',
    'export { default } from "next-auth/middleware";\nexport const config = { matcher: ["/a"] };\n',
    'import guard, { type NextRequestWithAuth } from "next-auth/middleware";\nexport const own = [guard];\n',
    'import * as library from "next-auth/middleware";\nexport default library["withAuth"];\n',
    'const { withAuth } = require("next-auth/middleware");\nmodule.exports = withAuth({});\n',
  ])("moves middleware by its import alone, whatever it does: %s", (middleware) => {
    const { read, added, report } = move({ "/middleware.ts": middleware }, v4);
    expect(read("/middleware.ts")).toBe(middleware.replace("next-auth/middleware", `${BRIDGE}/middleware`));
    expect(added).toEqual([BRIDGE]);
    expect(report.map(({ kind, why = "" }) => `${kind} ${why}`)).toContainEqual(
      expect.stringMatching(/^changed it decides as before.*from-nextauth\.md#with-auth/),
    );
  });

  it("turns mocks of getServerSession into mocks of the instance", () => {
    const { read } = move(
      {
        "/lib/auth.ts":
          'import NextAuth from "next-auth";\nexport const authOptions = { providers: [] };\nexport const GET = NextAuth(authOptions);\n',
        "/page.test.ts":
          'import { getServerSession } from "next-auth";\njest.mock("next-auth", () => ({ getServerSession: jest.fn() }));\njest.mock("next-auth/react");\n(getServerSession as jest.Mock).mockResolvedValue(null);\n',
      },
      v4,
    );
    expect(read("/page.test.ts")).toBe(
      'jest.mock("./lib/auth", () => ({ auth: jest.fn() }));\njest.mock("@cardea/next/react");\n(auth as unknown as jest.Mock).mockResolvedValue(null);\n'.replace(
        /^/,
        'import { auth } from "./lib/auth";\n',
      ),
    );
  });

  it("types the fields of authorize, and keeps the ids of former providers", () => {
    const { read } = move(
      {
        "/auth.ts":
          'import NextAuth from "next-auth";\nimport AzureAD from "next-auth/providers/azure-ad";\nimport Credentials from "next-auth/providers/credentials";\nimport Email from "next-auth/providers/email";\nexport const o = {\n  providers: [\n    AzureAD({ tenantId: process.env.TENANT }),\n    Email({ server: "smtp://a", from: "b" }),\n    Credentials({\n      credentials: { email: {}, password: {} },\n      async authorize(credentials) {\n        return check(credentials.email);\n      },\n    }),\n  ],\n};\nexport const GET = NextAuth(o);\n',
      },
      v4,
    );
    expect(read("/auth.ts")).toContain(
      'async authorize(fields) {\n        const credentials = fields as Record<"email" | "password", string> | undefined;\n',
    );
    expect(read("/auth.ts")).toContain(
      'AzureAD({ id: "azure-ad", issuer: `https://login.microsoftonline.com/$' + "{process.env.TENANT}/v2.0` })",
    );
    expect(read("/auth.ts")).toContain('Email({ id: "email", server: "smtp://a"');
  });

  it("leaves options that are built for each request, and names the line", () => {
    const { report } = move(
      {
        "/pages/api/auth/[...nextauth].ts":
          'import NextAuth from "next-auth";\nexport default (req, res) => {\n  const options = make(req);\n  return NextAuth(req, res, options);\n};\n',
      },
      v4,
    );
    expect(report).toContainEqual(
      expect.objectContaining({ kind: "left", line: 4, what: "options are built per request" }),
    );
  });

  it("puts the newest numbered secret first", () => {
    const { read } = move({
      "/.env.example": "AUTH_SECRET=old\nAUTH_SECRET_1=new\n",
      "/auth.ts": 'import NextAuth from "next-auth";\nexport const { auth } = NextAuth({ providers: [] });\n',
    });
    expect(read("/.env.example")).toBe("AUTH_SECRET_1=old\nAUTH_SECRET=new\n");
  });
});

describe("adopt() of @auth/express", () => {
  const files = {
    "/src/config.ts":
      'import GitHub from "@auth/express/providers/github"\nexport const authConfig = { providers: [GitHub] }\n',
    "/src/app.ts":
      'import { ExpressAuth } from "@auth/express"\nimport { authConfig } from "./config.js"\napp.use("/auth/*", ExpressAuth(authConfig))\n',
    "/src/session.ts":
      'import { getSession } from "@auth/express"\nimport { authConfig } from "./config.js"\nexport async function current(req, response, next) {\n  response.locals.session = await getSession(req, authConfig)\n  next()\n}\n',
  };
  const moved = move(files, { express: "4.22.3", "@auth/express": "0.12.3" });

  it("makes one instance beside the configuration, mounts its router and reads sessions from it", () => {
    expect(moved.read("/src/config.ts")).toContain("\n\nexport const { router, auth } = createAuth(authConfig)\n");
    expect(moved.read("/src/app.ts")).toBe('import { router } from "./config.js"\napp.use("/auth", router)\n');
    expect(moved.read("/src/session.ts")).toContain("await auth(req, response)");
    expect(moved.removed).toEqual(["@auth/express"]);
  });

  it("takes every name out of one import, and the configuration when nothing uses it any longer", () => {
    const config = "export const authConfig = { providers: [] };\n";
    const app = (more: string) =>
      `import { ExpressAuth, getSession } from "@auth/express";\nimport { authConfig } from "./config.js";\n${more}app.get("/", async (req, res) => res.json(await getSession(req, authConfig)));\napp.use("/auth", ExpressAuth(authConfig));\n`;
    const dependencies = { express: "5.2.1", "@auth/express": "0.11.0" };
    const moved = move({ "/config.ts": config, "/app.ts": app("") }, dependencies).read("/app.ts");
    expect(moved).toBe(
      'import { router, auth } from "./config.js";\napp.get("/", async (req, res) => res.json(await auth(req, res)));\napp.use("/auth", router);\n',
    );
    const kept = move({ "/config.ts": config, "/app.ts": app("show(authConfig.providers);\n") }, dependencies);
    expect(kept.read("/app.ts")).toContain('import { authConfig, router, auth } from "./config.js";');
  });

  it("writes out types made of getSession()", () => {
    const text =
      'import { getSession } from "@auth/express";\nexport type A = Awaited<ReturnType<typeof getSession>>;\nexport type B = ReturnType<typeof getSession>;\nexport type C = Awaited<ReturnType<typeof getSession>>[];\n';
    const session = 'import("@cardea/express").Session | null';
    expect(move({ "/app.ts": text }, { express: "5.2.1", "@auth/express": "0.11.0" }).read("/app.ts")).toBe(
      `export type A = ${session};\nexport type B = Promise<${session}>;\nexport type C = (${session})[];\n`,
    );
  });

  it("names code that goes by how the names of former cookies begin", () => {
    const text =
      'import "@auth/express";\nclear(names.filter((name) => name.includes("authjs.")));\nshow("authjs.dev", "next-auth");\n';
    const { report } = move({ "/app.ts": text }, { express: "5.2.1", "@auth/express": "0.11.0" });
    expect(report.filter(({ kind }) => kind === "left").map(({ line }) => line)).toEqual([2]);
  });

  it("moves CommonJS with its configuration in place", () => {
    const { read } = move(
      {
        "/app.js":
          'const { ExpressAuth } = require("@auth/express");\napp.use("/auth/{*path}", ExpressAuth({ providers: [] }));\n',
      },
      { express: "5.1.0", "@auth/express": "0.12.3" },
    );
    expect(read("/app.js")).toContain('const { createAuth } = require("@cardea/express");');
    expect(read("/app.js")).toContain('app.use("/auth", router);');
    expect(read("/app.js")).toContain("bridge({ accept:");
  });
});

describe("PROVIDER_PACKAGES", () => {
  it("names every file of Auth.js that the guide names, with the same package", async () => {
    const { readFileSync } = await import("node:fs");
    const guide = readFileSync(new URL("../../../../docs/from-authjs.md", import.meta.url), "utf8");
    const rows = [...guide.matchAll(/^\| [^|]+ \| (`[^|]+`) \| `(@cardea\/providers-[\w-]+)` \|$/gm)];
    const listed = rows.flatMap(([, names = "", name = ""]) =>
      names.split(", ").map((file) => [file.replaceAll("`", ""), name] as const),
    );
    expect(listed.length).toBeGreaterThan(30);
    for (const [file, name] of listed) expect([file, PROVIDER_PACKAGES.get(file)]).toEqual([file, name]);
  });
});

describe("adopt() of @hono/auth-js and @auth/sveltekit", () => {
  it("changes the imports: the names are the same", () => {
    const app = {
      "/src/index.ts": `import { authHandler, initAuthConfig, verifyAuth } from "@hono/auth-js"
import GitHub from "@auth/core/providers/github"

app.use("*", initAuthConfig((c) => ({ secret: c.env.AUTH_SECRET, providers: [GitHub] })))
`,
    };
    const { read, added, removed } = move(app, { hono: "4.13.0", "@hono/auth-js": "1.1.1", "@auth/core": "0.41.3" });
    expect(read("/src/index.ts")).toContain('import { authHandler, initAuthConfig, verifyAuth } from "@cardea/hono"');
    expect(read("/src/index.ts")).toContain('from "@cardea/providers-github"');
    expect(read("/src/index.ts")).toContain(
      'providers: [GitHub], extensions: [bridge({ accept: ["authjs-v5"] })] })))',
    );
    expect([...added]).toContain("@cardea/hono");
    expect([...removed].toSorted()).toEqual(["@auth/core", "@hono/auth-js"]);
  });

  it("knows the providers of @auth/sveltekit", () => {
    const app = {
      "/src/auth.ts": `import { SvelteKitAuth } from "@auth/sveltekit"
import GitHub from "@auth/sveltekit/providers/github"

export const { handle, signIn, signOut } = SvelteKitAuth({ providers: [GitHub] })
`,
    };
    const { read, added } = move(app, { "@sveltejs/kit": "2.70.0", "@auth/sveltekit": "1.11.3" });
    expect(read("/src/auth.ts")).toContain('import { SvelteKitAuth } from "@cardea/sveltekit"');
    expect([...added].toSorted()).toEqual(expect.arrayContaining(["@cardea/providers-github", "@cardea/sveltekit"]));
  });
});
