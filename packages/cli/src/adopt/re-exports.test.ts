import { describe, expect, it } from "vitest";
import { adopt } from "./adopt.ts";

const OPTIONS =
  'import { NextAuthOptions } from "next-auth";\nexport const authOptions: NextAuthOptions = { providers: [] };\n';
const ROUTE =
  'import { authOptions } from "@/lib/auth";\nimport NextAuth from "next-auth";\nconst handler = NextAuth(authOptions);\nexport { handler as GET, handler as POST };\n';
const PAGE =
  'import { authOptions } from "@/lib/auth";\nimport { getServerSession } from "next-auth";\nexport const read = () => getServerSession(authOptions);\n';

function move(files: Readonly<Record<string, string>>) {
  const all = {
    "/package.json": JSON.stringify({ dependencies: { next: "15.1.0", "next-auth": "4.24.11" } }),
    "/tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "@/*": ["./*"] } } }),
    "/app/api/auth/[...nextauth]/route.ts": ROUTE,
    "/lib/page.ts": PAGE,
    ...files,
  };
  const result = adopt({ files: new Map(Object.entries(all)) });
  if ("refused" in result) throw new Error(result.refused);
  const left = result.report.filter(({ kind }) => kind === "left");
  return { read: (path: string) => result.files.get(path) ?? "", left };
}

describe("declarationOf()", () => {
  it.each([
    ["export *", 'export * from "./options";\nexport * from "./other";\n', "authOptions"],
    ["a clause", 'export { authOptions } from "./options";\n', "authOptions"],
    ["another name", 'export { mine as authOptions } from "./options";\n', "mine"],
    ["an import", 'import { authOptions } from "./options";\nexport { authOptions };\n', "authOptions"],
  ])("finds options behind %s", (_, barrel, name) => {
    const { read, left } = move({
      "/lib/auth/index.ts": barrel,
      "/lib/auth/options.ts": OPTIONS.replace("const authOptions", `const ${name}`),
      "/lib/auth/other.ts": "export const other = 1;\n",
    });
    expect(left).toEqual([]);
    expect(read("/lib/auth/options.ts")).toContain(`export const { handlers, auth } = createAuth(${name});`);
    expect(read("/lib/auth/options.ts")).toContain('bridge({ accept: ["nextauth-v4"] })');
    expect(read("/app/api/auth/[...nextauth]/route.ts")).toBe(
      'import { handlers } from "@/lib/auth/options";\nexport const { GET, POST } = handlers;\n',
    );
    expect(read("/lib/page.ts")).toBe(
      'import { auth } from "@/lib/auth/options";\nexport const read = () => auth();\n',
    );
  });

  it("finds options that are exported under another name", () => {
    const { read, left } = move({
      "/lib/auth.ts": "const options = { providers: [] };\nexport { options as authOptions };\n",
    });
    expect(read("/lib/auth.ts")).toContain("createAuth(options);");
    expect(left).toEqual([]);
  });

  it("ends at files that re-export each other, and reports the options", () => {
    const { left } = move({ "/lib/auth.ts": 'export * from "./b";\n', "/lib/b.ts": 'export * from "./auth";\n' });
    expect(left.map(({ what }) => what)).toContain("the options `authOptions` were not found");
  });
});
