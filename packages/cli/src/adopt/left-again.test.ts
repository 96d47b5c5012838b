import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { adopt } from "./adopt.ts";
import type { ApplicationFiles } from "./read-application.ts";

const v4 = { next: "14.2.5", "next-auth": "4.24.7" };
const v5 = { next: "15.3.2", "next-auth": "5.0.0-beta.32" };

type Texts = Readonly<Record<string, string>>;

interface Given extends Omit<ApplicationFiles, "files"> {
  readonly files: Texts;
  readonly dependencies?: Texts;
}

function run({ files, dependencies = v4, ...others }: Given) {
  const manifest = JSON.stringify({ name: "app", dependencies });
  const result = adopt({ ...others, files: new Map(Object.entries({ "/package.json": manifest, ...files })) });
  if ("refused" in result) throw new Error(result.refused);
  return result;
}

/** The application after a run, with these edits by hand. */
function after(given: Given, edits: Texts = {}): Given {
  const { files, added, removed } = run(given);
  const texts = [...Object.entries(given.files), ...files, ...Object.entries(edits)];
  const kept = [...new Map(texts)].filter((entry): entry is [string, string] => entry[1] !== null);
  const own = Object.entries(given.dependencies ?? v4).filter(([name]) => !removed.includes(name));
  const dependencies = Object.fromEntries([...own, ...added.map((name) => [name, "1.0.0"])]);
  return { ...given, dependencies, files: Object.fromEntries(kept) };
}

/** The files with something left. */
const leftIn = (given: Given) =>
  new Set(run(given).report.flatMap(({ kind, file }) => (kind === "left" ? [file] : [])));

const PAGE = "/pages/api/auth/[...nextauth].ts";
const ROUTE = "/app/api/auth/[...nextauth]/route.ts";
const OPTIONS = "export const authOptions = { providers: [] };\n";
const AUTH = { "/lib/auth.ts": OPTIONS };
const manifestOf = (name: string, peerDependencies: Texts) => ({
  ...{ name, dependencies: {}, devDependencies: {}, peerDependencies, scripts: {} },
});

const LEFT: Readonly<Record<string, Given>> = {
  "options of each request": {
    files: {
      [PAGE]:
        'import NextAuth from "next-auth";\nexport default async (req, res) => NextAuth(req, res, { providers: [], debug: !!req.query.x });\n',
    },
  },
  "a handler that is passed on": {
    files: {
      ...AUTH,
      [ROUTE]:
        'import NextAuth from "next-auth";\nimport { authOptions } from "../../../../lib/auth";\nexport const GET = limited(NextAuth(authOptions));\n',
    },
  },
  "a handler among other code": {
    files: {
      ...AUTH,
      [PAGE]:
        'import NextAuth from "next-auth";\nimport { authOptions } from "../../../lib/auth";\nconst handler = NextAuth(authOptions);\nexport default (req, res) => { log(req); return handler(req, res); };\n',
    },
  },
  "a page with casts": {
    files: {
      [PAGE]:
        'import NextAuth from "next-auth";\nimport { build } from "@acme/options";\nexport default NextAuth(build() as never);\n',
    },
  },
  "a name that is gone": {
    files: {
      "/lib/auth.ts": `import NextAuth from "next-auth";\n${OPTIONS}export const handler = NextAuth(authOptions);\n`,
      "/server.ts": 'import { handler } from "./lib/auth";\nlisten((req, res) => handler(req, res));\n',
    },
  },
  "a configuration that is not read": {
    dependencies: v5,
    files: {
      "/auth.ts":
        'import NextAuth from "next-auth";\nimport { build } from "@acme/options";\nexport const { handlers, auth } = NextAuth(build());\n',
    },
  },
  "formats of tokens": {
    files: {
      "/lib/auth.ts":
        "export const authOptions = { providers: [], jwt: { encode: ({ token }) => sign(token), decode: read } };\n",
      [ROUTE]:
        'import NextAuth from "next-auth";\nimport { authOptions } from "../../../../lib/auth";\nconst handler = NextAuth(authOptions);\nexport { handler as GET, handler as POST };\n',
    },
  },
  "a cookie whose name is not read": {
    dependencies: v5,
    files: {
      "/auth.ts":
        'import NextAuth from "next-auth";\nimport { cookies } from "@acme/options";\nexport const { handlers, auth } = NextAuth({ providers: [], cookies });\n',
    },
  },
  "options of providers": {
    dependencies: v5,
    files: {
      "/providers.ts":
        'import Google from "next-auth/providers/google";\nimport Hubspot from "next-auth/providers/hubspot";\nexport const all = [Google({ hd: "example.com" }), Hubspot({ httpOptions: { timeout: 1 } })];\n',
    },
  },
  "the browser's functions on a server": {
    files: {
      "/pages/login.tsx":
        'import { getProviders } from "next-auth/react";\nexport async function getServerSideProps() { return { props: { list: await getProviders() } }; }\n',
    },
  },
  "a session whose options are not found": {
    files: {
      "/lib/user.ts":
        'import { getServerSession } from "next-auth";\nexport const user = (options) => getServerSession(options);\n',
    },
  },
  "a name without a counterpart": {
    files: { "/types.ts": 'export type { GithubEmail } from "next-auth/providers/github";\n' },
  },
  "entries of the installation": {
    files: { "/lib/client.ts": 'export { signIn } from "next-auth/react";\n' },
    workspace: {
      settings: new Map([["pnpm-workspace.yaml", "overrides:\n  next-auth: 4.24.7\n"]]),
      patches: ["patches/next-auth+4.24.7.patch"],
      packages: [
        { name: "@acme/auth", folder: "../auth", manifest: manifestOf("@acme/auth", { "next-auth": "^4.0.0" }) },
      ],
    },
  },
  "a file that is not read": {
    files: { "/lib/client.ts": 'export { signIn } from "next-auth/react";\n' },
    left: new Map([["/lib/link.ts", "it is a symbolic link"]]),
  },
};

describe("adopt(), in a second run", () => {
  it.each(Object.entries(LEFT))("names again what was left and not edited: %s", (_name, given) => {
    const first = leftIn(given);
    expect(first.size).toBeGreaterThan(0);
    const moved = after(given);
    expect(run(moved)).toMatchObject({ files: new Map(), added: [], removed: [] });
    const again = leftIn(moved);
    for (const file of first) expect([...again]).toContain(file);
  });

  it.each<[string, Given, Texts]>([
    [
      "a route that exports the handlers",
      LEFT["a handler among other code"] ?? { files: {} },
      { [PAGE]: 'import { handlers } from "../../../lib/auth";\nexport default toNode(handlers.GET);\n' },
    ],
    [
      "a bridge in a function",
      LEFT["a configuration that is not read"] ?? { files: {} },
      {
        "/auth.ts":
          'import { createAuth } from "@cardea/next";\nimport { bridge } from "@cardea/bridge-authjs";\nexport const { handlers, auth } = createAuth(build([bridge({ accept: ["authjs-v5"] })]));\n',
      },
    ],
    [
      "an option that was replaced",
      LEFT["options of providers"] ?? { files: {} },
      {
        "/providers.ts":
          'import Google from "@cardea/providers-google";\nexport const all = [Google({ authorization: { params: { hd: "example.com" } } })];\n',
      },
    ],
  ])("names no longer what was edited: %s", (_name, given, edits) => {
    expect(run(after(given, edits)).report).toEqual([]);
  });

  it("names a configuration without the bridge only while its package is installed", () => {
    const { files, dependencies } = after(LEFT["a configuration that is not read"] ?? { files: {} });
    expect(dependencies).toHaveProperty("@cardea/bridge-authjs");
    const { "@cardea/bridge-authjs": _gone, ...others } = dependencies ?? {};
    expect(run({ files, dependencies: others }).report).toEqual([]);
  });

  it("does not name an override of a package that adapters and other packages still have", () => {
    const others = { ...manifestOf("@acme/web", {}), dependencies: { "next-auth": "4.24.7" } };
    const workspace = {
      settings: new Map([["../package.json", '{ "overrides": { "@auth/core": "0.41.3" } }']]),
      ...{ patches: [], packages: [{ name: "@acme/web", folder: "../web", manifest: others }] },
    };
    const given = { files: { "/lib/client.ts": 'export { signIn } from "next-auth/react";\n' }, workspace };
    expect([...leftIn(after(given))]).toEqual([]);
  });

  const root = join(import.meta.dirname, "../../../../examples");
  it.each(readdirSync(root))("names nothing in the example %s", (name) => {
    const files = new Map(
      filesIn(join(root, name)).map((path) => [path, readFileSync(join(root, name, path), "utf8")]),
    );
    expect(files.size).toBeGreaterThan(2);
    expect(adopt({ files })).toEqual({ files: new Map(), report: [], added: [], removed: [] });
  });
});

/** The files of a folder, without those that are made or installed. */
function filesIn(folder: string, from = ""): readonly string[] {
  return readdirSync(join(folder, from), { withFileTypes: true }).flatMap((entry) => {
    const path = `${from}/${entry.name}`;
    if (entry.isDirectory()) return /^(?:node_modules|dist|\..*)$/.test(entry.name) ? [] : filesIn(folder, path);
    return /\.(?:[jt]sx?|mjs|svelte|json)$/.test(path) ? [path] : [];
  });
}
