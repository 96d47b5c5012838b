import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

function move(files: Readonly<Record<string, string>>) {
  const manifest = JSON.stringify({ dependencies: { next: "14.2.5", "next-auth": "^4.24.7" } });
  const route =
    'import NextAuth from "next-auth";\nimport { config } from "../../../../auth";\nconst handler = NextAuth(config);\nexport { handler as GET, handler as POST };\n';
  const all = { "/package.json": manifest, "/app/api/auth/[...nextauth]/route.ts": route, ...files };
  const result = adopt({ files: new Map(Object.entries(all)) });
  if ("refused" in result) throw new Error(result.refused);
  return { read: (path: string) => result.files.get(path) ?? "", report: result.report, removed: result.removed };
}

const wrapper = (args: string) =>
  `import { getServerSession } from "next-auth";\nexport const config = { providers: [] };\nexport function auth(...args) {\n  return getServerSession(${args});\n}\n`;

describe("moveServerSession()", () => {
  it("moves the wrapper around `getServerSession(...args, options)`", () => {
    const { read, report } = move({ "/auth.ts": wrapper("...args, config") });
    expect(read("/auth.ts")).toContain("auth: readSession } = createAuth(config)");
    expect(read("/auth.ts")).toContain("return readSession(...args);");
    expect(read("/auth.ts")).not.toContain("getServerSession");
    expect(report.filter(({ kind }) => kind === "left")).toEqual([]);
  });

  it.each(["...args", "...args, ...more", "req, config", "{ providers: [] }"])(
    "keeps the import of a call that it leaves: getServerSession(%s)",
    (args) => {
      const { read, report, removed } = move({ "/auth.ts": wrapper(args) });
      expect(read("/auth.ts")).toContain('import { getServerSession } from "next-auth";');
      expect(removed).toContain("next-auth");
      const left = report.filter(({ kind }) => kind === "left").map(({ what }) => what);
      expect(left).toContain("`getServerSession` was not moved");
      expect(left).toContain("`getServerSession` of next-auth was not moved");
    },
  );

  it("says nothing twice", () => {
    const { report } = move({ "/auth.ts": wrapper("...args, config"), "/.env.example": "NEXTAUTH_SECRET=\n" });
    expect(new Set(report.map((line) => JSON.stringify(line))).size).toBe(report.length);
  });
});
