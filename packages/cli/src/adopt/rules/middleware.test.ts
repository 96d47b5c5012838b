import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const APPLICATION = {
  "/package.json": JSON.stringify({ dependencies: { next: "16.4.6", "next-auth": "5.0.0-beta.32" } }),
  "/auth.config.ts": "export const authConfig = { providers: [] };\n",
  "/auth.ts":
    'import NextAuth from "next-auth";\nimport { authConfig } from "./auth.config";\nexport const { handlers, auth, signIn } = NextAuth(authConfig);\n',
};

function move(path: string, text: string, others: Readonly<Record<string, string>> = {}): string {
  const result = adopt({ files: new Map(Object.entries({ ...APPLICATION, [path]: text, ...others })) });
  if ("refused" in result) throw new Error(result.refused);
  return result.files.get(path) ?? text;
}

const CONFIG = 'import { authConfig } from "./auth.config";\n';
const DOOR = "@cardea/next/middleware";

describe("moveMiddleware()", () => {
  it.each([
    [
      "/middleware.ts",
      `import NextAuth from "next-auth";\n${CONFIG}export const { auth: middleware } = NextAuth(authConfig);\n`,
    ],
    ["/src/middleware.js", `import NextAuth from 'next-auth';\n${CONFIG}export default NextAuth(authConfig).auth;\n`],
    [
      "/proxy.ts",
      `import NextAuth from "next-auth";\n${CONFIG}export const proxy = NextAuth(authConfig).auth((req) => undefined);\n`,
    ],
    [
      "/middleware.ts",
      `import NextAuth, { type NextAuthRequest } from "next-auth";\n${CONFIG}const { auth } = NextAuth(authConfig);\nexport default auth((req: NextAuthRequest) => undefined);\n`,
    ],
  ])("imports from the entry that only reads where `auth` alone is used: %s %s", (path, text) => {
    const moved = move(path, text);
    expect(moved).toMatch(new RegExp(`from ["']${DOOR}["']`));
    expect(moved).not.toContain("next-auth");
  });

  it.each([
    [
      "another member",
      "/middleware.ts",
      `import NextAuth from "next-auth";\n${CONFIG}export const { auth, signIn } = NextAuth(authConfig);\n`,
    ],
    [
      "the whole instance",
      "/middleware.ts",
      `import NextAuth from "next-auth";\n${CONFIG}export const own = NextAuth(authConfig);\n`,
    ],
    [
      "the rest of it",
      "/middleware.ts",
      `import NextAuth from "next-auth";\n${CONFIG}export const { auth, ...rest } = NextAuth(authConfig);\n`,
    ],
    [
      "the function itself",
      "/middleware.ts",
      `import NextAuth from "next-auth";\n${CONFIG}export const make = NextAuth;\nexport const { auth } = NextAuth(authConfig);\n`,
    ],
    [
      "an error of the main entry",
      "/middleware.ts",
      `import NextAuth, { AuthError } from "next-auth";\n${CONFIG}export const { auth } = NextAuth(authConfig);\nexport const is = (error) => error instanceof AuthError;\n`,
    ],
    ["the application's instance", "/middleware.ts", 'export { auth as middleware } from "./auth";\n'],
    [
      "another file",
      "/lib/middleware.ts",
      `import NextAuth from "next-auth";\n${CONFIG}export const { auth } = NextAuth(authConfig);\n`,
    ],
  ])("leaves a file that uses %s", (_what, path, text) => {
    expect(move(path, text)).not.toContain(DOOR);
  });

  it("leaves a file whose module a test mocks", () => {
    const text = `import NextAuth from "next-auth";\n${CONFIG}export const { auth } = NextAuth(authConfig);\n`;
    const test = 'jest.mock("next-auth", () => ({ __esModule: true, default: () => ({}) }));\n';
    expect(move("/middleware.ts", text, { "/middleware.test.ts": test })).not.toContain(DOOR);
  });

  it("leaves the application's own instance", () => {
    expect(move("/auth.ts", APPLICATION["/auth.ts"])).not.toContain(DOOR);
  });
});
