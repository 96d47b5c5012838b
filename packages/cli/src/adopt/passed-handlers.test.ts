import { describe, expect, it } from "vitest";
import { adopt } from "./adopt.ts";

function move(files: Readonly<Record<string, string>>) {
  const manifest = JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": "4.24.7" } });
  const all = new Map(Object.entries({ "/package.json": manifest, ...files }));
  const result = adopt({ files: all });
  if ("refused" in result) throw new Error(result.refused);
  const left = result.report
    .filter(({ kind }) => kind === "left")
    .map(({ file, line, what }) => `${file}:${line} ${what}`);
  return {
    left,
    has: (path: string) => result.files.get(path) !== null,
    read: (path: string) => result.files.get(path) ?? "",
  };
}

const LOCAL =
  'import NextAuth from "next-auth";\nexport const authOptions = { providers: [] };\nexport const authHandler = NextAuth(authOptions);\n';
const SPLIT = {
  "/lib/options.ts": "export const authOptions = { providers: [] };\n",
  "/lib/auth.ts":
    'import NextAuth from "next-auth";\nimport { authOptions } from "./options";\nexport const authHandler = NextAuth(authOptions);\n',
};

const APP = "/app/api/auth/[...nextauth]/route.ts";
const PAGES = "/pages/api/auth/[...nextauth].ts";
const ROUTES = {
  [APP]: 'import { authHandler } from "../../../../lib/auth";\n\nexport { authHandler as GET, authHandler as POST };\n',
  [PAGES]: 'import { authHandler } from "../../../lib/auth";\n\nexport default authHandler;\n',
};

describe("followHandler()", () => {
  it.each(Object.entries(ROUTES))("moves a route that exports a handler of another file: %s", (path, text) => {
    for (const home of [{ "/lib/auth.ts": LOCAL }, SPLIT]) {
      const { read, has, left } = move({ ...home, [path]: text });
      expect(read(APP)).toMatch(
        /^import \{ handlers \} from "\.\.\/\.\.\/\.\.\/\.\.\/lib\/auth";\n\nexport const \{ GET, POST \} = handlers;\n$/,
      );
      expect(has(PAGES)).toBe(path === APP);
      expect(read("/lib/auth.ts")).not.toContain("authHandler");
      expect(read("/lib/auth.ts")).toMatch(/export (?:const )?\{ handlers/);
      expect(left).toEqual([]);
    }
  });

  it("names every other use of the handler", () => {
    const { left, read } = move({
      "/lib/auth.ts": LOCAL,
      [APP]:
        'import { authHandler } from "../../../../lib/auth";\nexport const GET = (req) => log(authHandler(req));\nexport const POST = authHandler;\n',
      "/server.ts": 'import { authHandler as handle } from "./lib/auth";\nserve(handle);\n',
    });
    expect(left).toEqual([
      "app/api/auth/[...nextauth]/route.ts:2 `authHandler` was the handler of NextAuth, and is gone",
      "app/api/auth/[...nextauth]/route.ts:3 `authHandler` was the handler of NextAuth, and is gone",
      "server.ts:2 `authHandler` was the handler of NextAuth, and is gone",
    ]);
    expect(read("/lib/auth.ts")).toContain("export const { handlers, auth } = createAuth(authOptions);");
  });
});
