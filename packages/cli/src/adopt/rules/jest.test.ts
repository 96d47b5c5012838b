import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const V5 = { next: "15.3.2", "next-auth": "5.0.0-beta.32" };
const V4 = { next: "14.2.5", "next-auth": "4.24.7", jest: "29.7.0" };
const USE = 'import { signIn } from "next-auth/react";\nsignIn();\n';

function move(files: Readonly<Record<string, string>>, dependencies: Readonly<Record<string, string>> = V5) {
  const all = { "/package.json": JSON.stringify({ dependencies }), "/use.ts": USE, ...files };
  const result = adopt({ files: new Map(Object.entries(all)) });
  if ("refused" in result) throw new Error(result.refused);
  return {
    read: (path: string) => result.files.get(path) ?? files[path] ?? "",
    lines: result.report.filter(({ file }) => file !== "use.ts"),
  };
}

describe("configureJest()", () => {
  it.each([
    ["/node_modules/(?!(next-auth|@auth/core|jose)/)", "/node_modules/(?!(@cardea|oauth4webapi|@auth/core|jose)/)"],
    ["node_modules/(?!next-auth)", "node_modules/(?!@cardea|jose|oauth4webapi)"],
    ["/node_modules/(?!(jose|@auth)/)", "/node_modules/(?!(jose|@cardea|oauth4webapi|@auth)/)"],
    ["/node_modules/(?!(next|next-auth-other)/)", "/node_modules/(?!(next|next-auth-other)/)"],
  ])("excepts the new packages where the former ones are: %s", (before, after) => {
    const script = (pattern: string) => `module.exports = { transformIgnorePatterns: ['${pattern}'] };\n`;
    expect(move({ "/jest.config.js": script(before) }).read("/jest.config.js")).toBe(script(after));
    const json = (pattern: string) => JSON.stringify({ transformIgnorePatterns: [pattern] });
    expect(move({ "/jest.config.json": json(before) }).read("/jest.config.json")).toBe(json(after));
  });

  it("leaves texts about other things", () => {
    const text = "export const config = { matcher: ['/((?!api/next-auth|_next).*)'] };\n";
    expect(move({ "/middleware.ts": text }).read("/middleware.ts")).toBe(text);
  });

  it("maps the new module", () => {
    const text = `export default { moduleNameMapper: { "^next-auth/react$": "<rootDir>/mock.ts", "^next$": "x" } };\n`;
    expect(move({ "/jest.config.ts": text }).read("/jest.config.ts")).toBe(text.replace("next-auth", "@cardea/next"));
  });

  it("reports a mock that Jest finds by its path", () => {
    expect(move({ "/__mocks__/next-auth/react.ts": "export const useSession = () => null;\n" }).lines).toContainEqual(
      expect.objectContaining({
        kind: "left",
        file: "__mocks__/next-auth/react.ts",
        why: "move it to __mocks__/@cardea/next/react",
      }),
    );
  });

  it("reports a mock of an adapter, which must have the methods that are needed", () => {
    const text = 'jest.mock("@auth/prisma-adapter", () => ({ PrismaAdapter: () => ({}) }));\n';
    const what = "a test mocks the adapter";
    expect(move({ "/a.test.ts": text }).lines).toContainEqual(expect.objectContaining({ kind: "look", what, line: 1 }));
    expect(move({ "/a.test.ts": 'jest.mock("@auth/prisma-adapter");\n' }).lines).not.toContainEqual(
      expect.objectContaining({ what }),
    );
  });

  it("says how to transform the packages where NextAuth v4 needed nothing", () => {
    const what = "Jest does not transform the new packages, which are ES modules";
    expect(move({}, V4).lines).toContainEqual(expect.objectContaining({ kind: "look", what }));
    expect(move({}, { ...V5, jest: "29.7.0" }).lines).not.toContainEqual(expect.objectContaining({ what }));
  });
});
