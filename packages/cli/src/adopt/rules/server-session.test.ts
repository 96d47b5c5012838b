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
      expect(report.filter(({ what }) => what.includes("×"))).toEqual([]);
    },
  );

  it("drops an import that nothing uses", () => {
    const { read, report } = move({
      "/auth.ts": wrapper("...args, config"),
      "/layout.ts": 'import { getServerSession } from "next-auth";\nexport const layout = 1;\n',
    });
    expect(read("/layout.ts")).toBe("export const layout = 1;\n");
    expect(report.filter(({ kind }) => kind === "left")).toEqual([]);
  });

  const PAGE = 'import { getServerSession } from "next-auth";\nexport const page = () => getServerSession();\n';

  it("reads a session without options by an instance that has none, which tests mock", () => {
    const { read, report } = move({
      "/auth.ts": "export const config = { providers: [] };\n",
      "/page.ts": PAGE,
      "/mocks/setup.ts": 'jest.mock("next-auth", () => ({ getServerSession: jest.fn() }));\n',
      "/page.test.ts":
        'import { getServerSession } from "next-auth";\n(getServerSession as jest.Mock).mockResolvedValue(null);\n',
    });
    expect(read("/page.ts")).toBe(
      'import { readPlainSession } from "./auth";\nexport const page = () => readPlainSession();\n',
    );
    expect(read("/auth.ts")).toContain("export const { auth: readPlainSession } = createAuth({ providers: [],");
    expect(read("/mocks/setup.ts")).toBe('jest.mock("../auth", () => ({ readPlainSession: jest.fn() }));\n');
    expect(read("/page.test.ts")).toContain("(readPlainSession as unknown as jest.Mock)");
    expect(report.filter(({ kind }) => kind === "left")).toEqual([]);
  });

  it("adds no member twice to a mock of the instance", () => {
    const mocks = (own: string) =>
      `vi.mock("next-auth", () => ({ getServerSession: vi.fn() }));\nvi.mock("../auth", () => ({ ${own} }));\n`;
    for (const own of ["readPlainSession: vi.fn(), other: 1", "other: 1"]) {
      const { read } = move({
        "/auth.ts": "export const config = { providers: [] };\n",
        "/page.ts": PAGE,
        "/mocks/setup.ts": mocks(own),
      });
      expect(read("/mocks/setup.ts")?.match(/readPlainSession/g)).toHaveLength(1);
    }
  });

  it("leaves the function where it is a value, outside of tests", () => {
    const { report } = move({
      "/auth.ts": wrapper("...args, config"),
      "/mocks/setup.ts": 'jest.mock("next-auth", () => ({ getServerSession: jest.fn() }));\n',
      "/wrap.ts": 'import { getServerSession } from "next-auth";\nexport const read = wrap(getServerSession);\n',
    });
    expect(report.filter(({ kind, file }) => kind === "left" && file === "wrap.ts")).toHaveLength(2);
  });

  it("says nothing twice", () => {
    const { report } = move({ "/auth.ts": wrapper("...args, config"), "/.env.example": "NEXTAUTH_SECRET=\n" });
    expect(new Set(report.map((line) => JSON.stringify(line))).size).toBe(report.length);
  });
});
