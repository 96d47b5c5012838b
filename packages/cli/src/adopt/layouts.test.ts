import { describe, expect, it } from "vitest";
import type { Workspace } from "../files/workspace.ts";
import { adopt } from "./adopt.ts";
import { createProject } from "./read-application.ts";
import { createSpecifiers } from "./specifiers.ts";

const V4 = { next: "15.0.0", "next-auth": "4.24.7" };

interface Options {
  readonly manifest?: object;
  readonly workspace?: Partial<Workspace>;
}

function move(files: Readonly<Record<string, string>>, { manifest = { dependencies: V4 }, workspace }: Options = {}) {
  const all = new Map(Object.entries({ "/package.json": JSON.stringify(manifest), ...files }));
  const settings = new Map([["package.json", JSON.stringify(manifest)]]);
  const given = workspace && { settings, patches: [], packages: [], ...workspace };
  const result = adopt({ files: all, workspace: given });
  if ("refused" in result) throw new Error(result.refused);
  const lines = (kind: string) => result.report.filter((line) => line.kind === kind);
  return { ...result, lines, read: (path: string) => result.files.get(path) ?? all.get(path) ?? "" };
}

/** What the compiler finds for a specifier in a file. */
function resolved(
  files: Readonly<Record<string, string>>,
  from: string,
  specifier: string,
  outside: Readonly<Record<string, string>> = {},
) {
  const all = new Map(Object.entries(files));
  const project = createProject(all);
  const file = project.getSourceFileOrThrow(from);
  const surroundings = { folder: "/repo/apps/web", read: (path: string) => outside[path] };
  const { resolve, specifier: write } = createSpecifiers(project, all, surroundings);
  const target = resolve(file, specifier);
  // The way back has the same style.
  if (target !== undefined) expect(write(from, target.getFilePath(), specifier)).toBe(specifier);
  return target?.getFilePath();
}

const PATHS = '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }';
const SOURCES = { "/src/auth.ts": "export const a = 1;", "/app/page.tsx": "export {};" };

describe("createSpecifiers()", () => {
  it.each([
    ["catalog:", []],
    [undefined, ["@auth/core"]],
  ])("adds a package unless package.json declares it, with %s", (version, expected) => {
    const core = version === undefined ? {} : { "@auth/core": version };
    const { added, read } = move(
      {
        "/auth.ts":
          'import NextAuth from "next-auth";\nimport Resend from "next-auth/providers/resend";\nexport const { auth } = NextAuth({ providers: [Resend] });\n',
      },
      { manifest: { dependencies: { next: "15.0.0", "next-auth": "5.0.0-beta.30", ...core } } },
    );
    expect(read("/auth.ts")).toContain('from "@auth/core/providers/resend"');
    expect(added.filter((name) => name.startsWith("@auth/"))).toEqual(expected);
  });

  it.each<[string, Readonly<Record<string, string>>, string, Readonly<Record<string, string>>?]>([
    ["tsconfig.json, with comments", { "/tsconfig.json": `// main\n${PATHS}` }, "@/auth"],
    ["jsconfig.json", { "/jsconfig.json": PATHS }, "@/auth"],
    [
      "extends",
      { "/tsconfig.json": '{ "extends": "./config/base" }', "/config/base.json": PATHS.replace("./src", "../src") },
      "@/auth",
    ],
    [
      "a list of extends",
      { "/tsconfig.json": '{ "extends": ["./a.json", "./b.json"] }', "/a.json": PATHS, "/b.json": "{}" },
      "@/auth",
    ],
    [
      "extends of a file outside of the folder",
      { "/tsconfig.json": '{ "extends": "../../base.json" }' },
      "@/auth",
      { "/repo/base.json": PATHS.replace("./src", "./apps/web/src") },
    ],
    [
      "extends of a package",
      { "/tsconfig.json": '{ "extends": "@repo/config/next.json" }' },
      "@/auth",
      {
        "/repo/node_modules/@repo/config/next.json": '{ "extends": "./base.json" }',
        "/repo/node_modules/@repo/config/base.json": PATHS.replace("./src", "../../../apps/web/src"),
        "/repo/node_modules/@repo/config/package.json": '{ "name": "@repo/config" }',
      },
    ],
    [
      "references",
      {
        "/tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
        "/tsconfig.app.json": PATHS,
      },
      "@/auth",
    ],
    [
      "the nearest configuration",
      { "/tsconfig.json": "{}", "/app/tsconfig.json": PATHS.replace("./src", "../src") },
      "@/auth",
    ],
    [
      "a base URL",
      { "/tsconfig.json": '{ "compilerOptions": { "baseUrl": "./src", "paths": { "~/*": ["./*"] } } }' },
      "~/auth",
    ],
    ["an exact name", { "/tsconfig.json": '{ "compilerOptions": { "paths": { "auth": ["./src/auth"] } } }' }, "auth"],
    [
      "a pattern with an ending",
      { "/tsconfig.json": '{ "compilerOptions": { "paths": { "lib/*": ["./src/*.ts"] } } }' },
      "lib/auth",
    ],
    [
      "a second target",
      { "/tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./gone/*", "./src/*"] } } }' },
      "@/auth",
    ],
    ["imports of package.json", { "/package.json": '{ "imports": { "#lib/*": "./src/*.ts" } }' }, "#lib/auth"],
    [
      "imports by condition",
      { "/package.json": '{ "imports": { "#*": { "types": "./src/*.ts", "default": "./src/*.ts" } } }' },
      "#auth",
    ],
    ["a relative path", {}, "../src/auth"],
    ["a relative path with the ending of its output", {}, "../src/auth.js"],
  ])("resolves %s, and writes it", (_, files, specifier, outside) => {
    expect(resolved({ ...SOURCES, ...files }, "/app/page.tsx", specifier, outside)).toBe("/src/auth.ts");
  });

  it("resolves JavaScript and folders, and no package", () => {
    const files = { "/lib/auth/index.js": "", "/server.cjs": "", "/package.json": '{ "name": "app" }' };
    expect(resolved(files, "/server.cjs", "./lib/auth")).toBe("/lib/auth/index.js");
    expect(resolved(files, "/server.cjs", "next-auth")).toBeUndefined();
    expect(resolved(files, "/server.cjs", "./missing")).toBeUndefined();
  });
});

describe("versions in a catalog", () => {
  const files = {
    "/auth.ts": 'import NextAuth from "next-auth";\nconst { auth } = NextAuth(config);\nexport { auth };\n',
  };
  const manifest = (range: string) => ({ dependencies: { next: "15.0.0", "next-auth": range } });

  it.each([
    [
      "catalog:",
      "pnpm-workspace.yaml",
      "packages:\n  - apps/*\ncatalog:\n  # the library\n  next-auth: 5.0.0-beta.25 # beta\n  '@auth/core': ^0.37.0\n",
    ],
    ["catalog:default", "pnpm-workspace.yaml", 'catalogs:\n  default:\n    "next-auth": "^5.0.0-beta.25"\n'],
    [
      "catalog:auth",
      "../../pnpm-workspace.yaml",
      "catalogs:\n  ui:\n    next-auth: ^4.0.0\n  auth:\n    next-auth: ^5.0.0-beta.25\n",
    ],
    ["catalog:", "../../.yarnrc.yml", "catalog:\n    next-auth: 5.0.0-beta.25\n"],
    ["catalog:", "../package.json", '{ "workspaces": { "catalog": { "next-auth": "5.0.0-beta.25" } } }'],
  ])("knows %s of %s", (range, path, text) => {
    const given = manifest(range);
    const { report } = move(files, { manifest: given, workspace: { settings: new Map([[path, text]]) } });
    expect(JSON.stringify(report)).toContain("authjs-v5");
    expect(report.some(({ what }) => what.includes("is not known"))).toBe(false);
  });

  it("says that a version was guessed", () => {
    const { lines } = move(files, { manifest: manifest("latest") });
    expect(lines("look").map(({ what }) => what)).toContain(
      "the version of next-auth is not known: taken for authjs-v5",
    );
  });
});

describe("a workspace", () => {
  const none = {
    type: undefined,
    packageManager: undefined,
    dependencies: {},
    devDependencies: {},
    peerDependencies: {},
    scripts: {},
  };
  const auth = {
    name: "@acme/auth",
    folder: "../../packages/auth",
    manifest: { ...none, dependencies: { "next-auth": "5.0.0-beta.25" } },
  };
  const api = {
    name: "@acme/api",
    folder: "../../packages/api",
    manifest: { ...none, dependencies: { "@acme/auth": "workspace:*" } },
  };

  it("says that the configuration is in another package, also through a third one", () => {
    const manifest = { name: "web", dependencies: { next: "15.0.0", "@acme/api": "workspace:*" } };
    const { files, report } = move(
      { "/app/page.tsx": 'import { auth } from "@acme/api";\n' },
      { manifest, workspace: { packages: [auth, api] } },
    );
    expect(files.size).toBe(0);
    expect(report).toEqual([
      expect.objectContaining({
        kind: "left",
        file: "package.json",
        what: "@acme/auth of this workspace uses next-auth",
        why: "run the command in ../../packages/auth first, then here",
      }),
    ]);
  });

  it.each(["peerDependencies", "optionalDependencies"])(
    "counts %s of another package, where it can be moved",
    (kind) => {
      const wrapper = { ...auth, manifest: { ...none, [kind]: { "next-auth": "5.0.0-beta.25" } } };
      const manifest = { name: "web", dependencies: { next: "15.0.0", "@acme/auth": "workspace:*" } };
      const { lines } = move({}, { manifest, workspace: { packages: [wrapper] } });
      expect(lines("left")).toMatchObject([{ what: "@acme/auth of this workspace uses next-auth" }]);
      const own = { name: "@acme/auth", [kind]: { "next-auth": "5.0.0-beta.25" } };
      const source = 'import NextAuth from "next-auth";\nexport const make = () => NextAuth({ providers: [] });\n';
      const moved = move({ "/index.ts": source }, { manifest: own, workspace: {} });
      expect(moved.read("/index.ts")).toContain("createAuth({ providers: []");
      expect(moved.lines("left")).toMatchObject([{ file: "package.json", what: `\`${kind}\` names next-auth` }]);
    },
  );

  it("names the packages that come next", () => {
    const web = {
      name: "web",
      folder: "../../apps/web",
      manifest: { ...none, dependencies: { "@acme/auth": "workspace:*", "next-auth": "5.0.0-beta.25" } },
    };
    const { lines } = move(
      {},
      { manifest: { name: "@acme/auth", dependencies: V4 }, workspace: { packages: [web, api] } },
    );
    expect(lines("look")).toContainEqual(
      expect.objectContaining({
        what: "web of this workspace uses next-auth",
        why: "run the command in ../../apps/web next",
      }),
    );
  });

  it.each(["pages/api/auth/[...nextauth].ts", "app/api/auth/[...nextauth]/route.ts"])(
    "moves a route with the options of another package: %s",
    (path) => {
      const exported = path.startsWith("app")
        ? "const handler = NextAuth(authOptions);\nexport { handler as GET, handler as POST };\n"
        : "export default NextAuth(authOptions);\n";
      const { read, lines } = move({
        [`/${path}`]: `import NextAuth from "next-auth";\nimport { authOptions } from "@acme/auth";\n\n${exported}`,
      });
      expect(read("/auth.ts")).toContain('import { authOptions } from "@acme/auth";');
      expect(read("/auth.ts")).toContain("export const { handlers, auth } = createAuth(authOptions);");
      expect(read("/app/api/auth/[...nextauth]/route.ts")).toContain("export const { GET, POST } = handlers;");
      expect(lines("left").map(({ what }) => what)).toEqual(["the bridge could not be added"]);
    },
  );
});

describe("nameInstallation()", () => {
  const files = {
    "/auth.ts": 'import NextAuth from "next-auth";\nexport const { auth } = NextAuth({ providers: [] });\n',
  };
  const dependencies = { next: "15.0.0", "next-auth": "5.0.0-beta.25" };

  it.each<[string, object]>([
    ["overrides", { overrides: { "next-auth": "5.0.0-beta.25" } }],
    ["overrides", { pnpm: { overrides: { "next-auth@4": "5.0.0-beta.25" } } }],
    ["overrides", { pnpm: { overrides: { "app>next-auth": "5.0.0-beta.25" } } }],
    ["overrides", { overrides: { "next-auth": { nodemailer: "7" } } }],
    ["overrides", { overrides: { other: "npm:next-auth@4" } }],
    ["resolutions", { resolutions: { "**/next-auth": "5.0.0-beta.25" } }],
    ["resolutions", { resolutions: { "next-auth@npm:4": "patch:next-auth@npm%3A4#./.yarn/patches/a.patch" } }],
    [
      "patchedDependencies",
      { pnpm: { patchedDependencies: { "next-auth@4.24.7": "patches/next-auth@4.24.7.patch" } } },
    ],
    ["peerDependencies", { peerDependencies: { "next-auth": "*" } }],
    ["peerDependencyRules", { pnpm: { peerDependencyRules: { allowedVersions: { "next-auth>next": "16" } } } }],
    ["optionalDependencies", { optionalDependencies: { "next-auth": "4" } }],
  ])("reports %s of package.json: %j", (section, more) => {
    const { lines } = move(files, { manifest: { dependencies, ...more } });
    expect(lines("left")).toEqual([
      expect.objectContaining({
        file: "package.json",
        what: `\`${section}\` names next-auth`,
        why: expect.stringMatching(/remove|name the new/),
      }),
    ]);
  });

  it.each([
    ["patchedDependencies", "patchedDependencies:\n  next-auth@4.24.7: patches/a.patch\n"],
    ["overrides", "overrides:\n  'react@18>next-auth': '5'\n"],
    ["catalog", "catalog:\n  next-auth: ^4.24.7\n"],
    ["packageExtensions", 'packageExtensions:\n  "next-auth@*":\n    peerDependencies:\n      next: "*"\n'],
  ])("reports %s of a settings file above", (section, text) => {
    const settings = new Map([["../../pnpm-workspace.yaml", text]]);
    const { lines } = move(files, { manifest: { dependencies }, workspace: { settings } });
    expect(lines("left")).toEqual([
      expect.objectContaining({ file: "../../pnpm-workspace.yaml", what: `\`${section}\` names next-auth` }),
    ]);
  });

  it("reports patch files and peers of other packages, and nothing that has a similar name", () => {
    const patches = [
      "patches/next-auth+5.0.0.patch",
      "../.yarn/patches/next-auth-npm-5-1.patch",
      "patches/next-auth-extra+1.patch",
    ];
    const none = { dependencies: {}, devDependencies: {}, scripts: {} };
    const packages = [{ name: "ui", folder: "../ui", manifest: { ...none, peerDependencies: { "next-auth": "*" } } }];
    const settings = new Map([["package.json", '{ "overrides": { "next-auth-extra": "1", "my/next-auth2": "1" } }']]);
    const { lines } = move(files, { manifest: { dependencies }, workspace: { settings, patches, packages } });
    expect(lines("left").map(({ file }) => file)).toEqual([
      "../.yarn/patches/next-auth-npm-5-1.patch",
      "../ui/package.json",
      "patches/next-auth+5.0.0.patch",
    ]);
  });

  it("is silent where the former package stays, or nothing names it", () => {
    expect(move(files, { manifest: { dependencies, overrides: { react: "19" } } }).lines("left")).toEqual([]);
  });
});
