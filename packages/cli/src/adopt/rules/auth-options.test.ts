import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const OPTIONS = "export const authOptions = { providers: [] };\n";
const IMPORTS = 'import NextAuth from "next-auth";\nimport { authOptions } from "../../../../lib/auth";\n';
const APP = "/app/api/auth/[...nextauth]/route.ts";
const PAGES = "/pages/api/auth/[...nextauth].ts";

interface Moved {
  readonly read: (path: string) => string | null | undefined;
  readonly left: readonly (readonly [string, number | undefined, string])[];
}

function move(files: Readonly<Record<string, string>>): Moved {
  const manifest = JSON.stringify({ dependencies: { next: "14.2.5", "next-auth": "^4.24.7" } });
  const result = adopt({ files: new Map(Object.entries({ "/package.json": manifest, ...files })) });
  if ("refused" in result) throw new Error(result.refused);
  const left = result.report.filter(({ kind }) => kind === "left");
  const read = (path: string) => result.files.get(path);
  return { read, left: left.map(({ file, line, what }) => [file, line, what] as const) };
}

const moveImported = (route: string, path = APP) => move({ "/lib/auth.ts": OPTIONS, [path]: IMPORTS + route });
const moveLocal = (route: string, path = APP) =>
  move({ [path]: `import NextAuth from "next-auth";\nconst authOptions = { providers: [] };\n${route}` });

const PASSED_ON = [
  "const handler = NextAuth(authOptions);\nexport const GET = handler;\nexport const POST = handler;\n",
  "const handler = NextAuth(authOptions);\nexport async function GET(req, ctx) {\n  return handler(req, ctx);\n}\nexport async function POST(req, ctx) {\n  return await handler(req, ctx);\n}\n",
  "const handler = NextAuth(authOptions);\nexport const GET = (...given) => handler(...given);\nexport const POST = async (req, ctx) => handler(req, ctx);\n",
  "const handler = NextAuth(authOptions) as never;\nexport { handler as GET };\nexport { handler as POST };\n",
  "export const GET = NextAuth(authOptions);\nexport const POST = GET;\n",
  "export async function GET(req, ctx) { return NextAuth(req, ctx, authOptions); }\nexport async function POST(req, ctx) { return await NextAuth(req, ctx, authOptions); }\n",
  "export const GET = (req, ctx) => NextAuth(authOptions)(req, ctx);\nexport { GET as POST };\n",
];

describe("moveAuthOptions()", () => {
  it.each([
    [PAGES, "export default NextAuth({\n"],
    [APP, "const handler = NextAuth({\n"],
  ])("says where a place of the moved configuration is now, %s", (path, start) => {
    const end = path === APP ? "export { handler as GET, handler as POST };\n" : "";
    const { read, left } = move({
      [path]: `import NextAuth from "next-auth";\nimport GitHub from "next-auth/providers/github";\n${start}  providers: [\n    GitHub({ httpOptions: { timeout: 30000 } }),\n  ],\n});\n${end}`,
    });
    const place = left.find(([, , what]) => what === "`httpOptions` is not supported");
    expect(place?.[0]).toBe("auth.ts");
    expect(read("/auth.ts")?.split("\n")[(place?.[1] ?? 0) - 1]).toContain("httpOptions");
  });

  it("adds the handlers to an instance once, however often its options are used", () => {
    const { read } = move({
      "/lib/auth.ts": `import NextAuth from "next-auth";\n${OPTIONS}export const { auth, signIn } = NextAuth(authOptions);\n`,
      [APP]: `${IMPORTS}const handler = NextAuth(authOptions);\nexport { handler as GET, handler as POST };\n`,
      ...Object.fromEntries(
        ["a", "b", "c"].map((name) => [
          `/app/${name}.ts`,
          'import { getServerSession } from "next-auth";\nimport { authOptions } from "../lib/auth";\nexport const read = () => getServerSession(authOptions);\n',
        ]),
      ),
    });
    expect(read("/lib/auth.ts")).toContain("export const { handlers, auth, signIn } = createAuth(authOptions);");
  });

  it.each(PASSED_ON)("moves every name that the handler is passed on to: %s", (route) => {
    const imported = moveImported(route);
    expect(imported.read(APP)).toBe(
      'import { handlers } from "../../../../lib/auth";\nexport const { GET, POST } = handlers;\n',
    );
    const local = moveLocal(route);
    expect(local.read(APP)).toBe(
      'import { handlers } from "../../../../auth";\n\nexport const { GET, POST } = handlers;\n',
    );
    expect(local.read("/auth.ts")).not.toMatch(/handler\b|GET|POST|NextAuth/);
    const elsewhere = move({ "/lib/routes.ts": `import NextAuth from "next-auth";\n${OPTIONS}${route}` });
    expect(elsewhere.read("/lib/routes.ts")).toMatch(/export const \{ GET, POST \} = handlers;\s*$/);
    expect([imported.left, local.left, elsewhere.left]).toEqual([[], [], []]);
  });

  it("keeps other names of an export clause, with their import", () => {
    const route = "const handler = NextAuth(authOptions);\nexport { handler as GET, handler as POST, authOptions };\n";
    expect(moveImported(route).read(APP)).toBe(
      'import { authOptions, handlers } from "../../../../lib/auth";\nexport const { GET, POST } = handlers;\nexport { authOptions };\n',
    );
    expect(moveLocal(route).read("/auth.ts")).toContain("export { authOptions };");
  });

  it.each([
    ["const handler = NextAuth(authOptions);\nexport const GET = log(handler);\n", 4],
    ["const handler = NextAuth(authOptions);\nexport { handler as GET, handler as HEAD };\n", 4],
    ["const handler = NextAuth(authOptions);\nexport const GET = (req) => handler(fix(req));\n", 4],
    ["export const GET = log(NextAuth(authOptions));\n", 3],
    ["const handler = NextAuth(authOptions), other = 1;\nexport { handler as GET };\n", 3],
    ["const handler = NextAuth(authOptions);\nexport { handler as GET };\nexport function POST() {}\n", 5],
    ["export async function GET(req, ctx) {\n  log(req);\n  return NextAuth(req, ctx, authOptions);\n}\n", 4],
    ["export async function GET(req, ctx) {\n  return fix(await NextAuth(req, ctx, authOptions));\n}\n", 4],
  ])("leaves a route whose code would be lost, and names the line: %s", (route, line) => {
    const imported = moveImported(route);
    expect(imported.read(APP)).toBe(
      (IMPORTS + route)
        .replaceAll("NextAuth", "createAuth")
        .replace('createAuth from "next-auth"', '{ createAuth } from "@cardea/next"'),
    );
    expect(imported.read("/lib/auth.ts")).toContain("export const { handlers, auth } = createAuth(authOptions);");
    const named = (text: string) => text.startsWith("the handler of NextAuth was not moved");
    expect(imported.left.filter(([, , what]) => named(what)).map(([, at]) => at)).toEqual([line]);
    expect(moveLocal(route).left.filter(([, , what]) => named(what))).toHaveLength(1);
  });
});

const HEAD = 'if (req.method === "HEAD") return res.status(200).end();';

describe("moveAuthOptions() of the Pages Router", () => {
  it.each([
    `export default async function auth(req, res) {\n  ${HEAD}\n  return await NextAuth(req, res, authOptions);\n}\n`,
    `export default (req, res) => {\n  res.setHeader("x-a", "b");\n  return NextAuth(req, res, authOptions);\n};\n`,
    `const handler = NextAuth(authOptions);\nexport default function auth(req, res) {\n  ${HEAD}\n  return handler(req, res);\n}\n`,
    "export default limit(NextAuth(authOptions));\n",
  ])("leaves a handler that does more, and says so: %s", (route) => {
    for (const moved of [moveImported(route, PAGES), moveLocal(route, PAGES)]) {
      expect(moved.read(PAGES)).toContain(route.replaceAll("NextAuth", "createAuth"));
      expect(moved.read("/app/api/auth/[...nextauth]/route.ts")).toBeUndefined();
      expect(moved.left.map(([, , what]) => what)).toContainEqual(expect.stringContaining("was not moved"));
    }
  });

  it.each([
    "export default async function auth(req, res) {\n  return await NextAuth(req, res, authOptions);\n}\n",
    "export default (req, res) => NextAuth(req, res, authOptions);\n",
    "export default NextAuth((authOptions as any)!);\n",
    "const handler = NextAuth(authOptions);\nexport default handler;\n",
    "const handler = NextAuth(authOptions);\nexport default (req, res) => handler(req, res);\n",
  ])("moves a handler that only calls it: %s", (route) => {
    for (const moved of [moveImported(route, PAGES), moveLocal(route, PAGES)]) {
      expect(moved.read(PAGES)).toBeNull();
      expect(moved.read("/app/api/auth/[...nextauth]/route.ts")).toContain("export const { GET, POST } = handlers;");
      expect(moved.left).toEqual([]);
    }
  });

  it("leaves a route with more than the handler, and names its settings", () => {
    const handler = "export default NextAuth(authOptions);\n";
    const more = moveImported(`export { authOptions };\n${handler}`, PAGES);
    expect(more.left[0]?.slice(0, 2)).toEqual(["pages/api/auth/[...nextauth].ts", 3]);
    const started = moveImported(`start();\n${handler}`, PAGES);
    expect(started.read(PAGES)).toContain("start();");
    expect(started.left).not.toEqual([]);
    const settings = move({
      "/lib/auth.ts": OPTIONS,
      [PAGES]: `${IMPORTS}export const config = { api: { bodyParser: false } };\n${handler}`,
    });
    expect(settings.read(PAGES)).toBeNull();
    expect(settings.left).toEqual([]);
  });

  const PER_REQUEST =
    'import NextAuth from "next-auth";\nimport { authOptions } from "../../../lib/auth";\nconst forRequest = (req) => ({ ...authOptions, debug: req.debug });\nexport default (req, res) => NextAuth(req, res, forRequest(req));\n';
  const SESSION =
    'import { getServerSession } from "next-auth";\nimport { authOptions } from "../lib/auth";\nexport const read = () => getServerSession(authOptions);\n';

  it("reads sessions by the constant from which options are built per request", () => {
    const files = { "/lib/auth.ts": OPTIONS, "/server/read.ts": SESSION, [PAGES]: PER_REQUEST };
    const { read, left } = move(files);
    expect(read("/lib/auth.ts")).toContain("export const { handlers, auth } = createAuth(authOptions);");
    expect(read("/server/read.ts")).toContain("export const read = () => auth();");
    expect(left.map(([file, , what]) => [file, what])).toEqual([
      [PAGES.slice(1), "options are built per request"],
      [PAGES.slice(1), "the bridge could not be added"],
    ]);
  });

  it("does the same where the route of the Pages Router has the constant", () => {
    const route = PER_REQUEST.replace(/import \{ authOptions.*\n/, OPTIONS);
    const session = SESSION.replace("../lib/auth", "../pages/api/auth/[...nextauth]");
    const { read } = move({ "/server/read.ts": session, [PAGES]: route });
    expect(read(PAGES)).toContain("export const { handlers, auth } = createAuth(authOptions);");
    expect(read("/server/read.ts")).toContain("export const read = () => auth();");
  });

  it("reads each session by its own options, and leaves those of an App Router route", () => {
    const other = SESSION.replaceAll("authOptions", "others").replace("lib/auth", "lib/other");
    const several = move({
      "/lib/auth.ts": OPTIONS,
      "/lib/other.ts": OPTIONS.replace("authOptions", "others"),
      "/server/read.ts": SESSION,
      "/server/other.ts": other,
      [PAGES]: PER_REQUEST,
    });
    expect(several.read("/lib/auth.ts")).toContain("export const { handlers, auth } = createAuth(authOptions);");
    expect(several.read("/lib/other.ts")).toContain("export const { handlers, auth } = createAuth(others);");
    expect(several.read("/server/read.ts")).toContain('import { auth } from "../lib/auth";');
    expect(several.read("/server/other.ts")).toContain('import { auth } from "../lib/other";');
    expect(several.left.filter(([, , what]) => what.includes("getServerSession"))).toHaveLength(0);
    const route = `${PER_REQUEST.replace(/import \{ authOptions.*\n/, OPTIONS).replace(/export default.*/, "export const GET = (req, res) => NextAuth(req, res, forRequest(req));")}`;
    const inRoute = move({ "/server/read.ts": SESSION.replace("lib/auth", `app${APP.slice(4, -3)}`), [APP]: route });
    expect(inRoute.read(APP)).not.toContain("export const { handlers");
  });
});
