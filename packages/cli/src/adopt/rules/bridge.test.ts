import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

interface Moved {
  readonly text: string;
  readonly left: readonly (readonly [number | undefined, string])[];
  readonly isPromised: boolean;
  readonly lines: readonly string[];
}

function move(members: string, before = ""): Moved {
  const source = `import NextAuth from "next-auth";\n${before}const options = { providers: [], ${members} };\nexport const GET = NextAuth(options);\n`;
  const manifest = JSON.stringify({ dependencies: { next: "14.2.5", "next-auth": "^4.24.7" } });
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      ["/lib/auth.ts", source],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  return {
    text: result.files.get("/lib/auth.ts") ?? "",
    left: result.report.filter(({ kind }) => kind === "left").map(({ line, what }) => [line, what] as const),
    isPromised: result.report.some(({ what }) => what.includes("users stay signed in")),
    lines: result.report.map((line) => JSON.stringify(line)),
  };
}

describe("addBridge()", () => {
  it.each([
    ["cookies: { sessionToken: { name } }", 'const name = "sid";\n'],
    ["cookies: { sessionToken: { name, options: {} } }", 'const name = "sid";\n'],
    ["cookies: { sessionToken }", 'const sessionToken = { name: "sid" };\n'],
    ["cookies", 'const cookies = { sessionToken: { name: "sid" } };\n'],
    ["cookies: cookiesOf()", "declare const cookiesOf: () => object;\n"],
    ["cookies: { ...cookies }", 'const cookies = { sessionToken: { name: "sid" } };\n'],
    ["cookies: { sessionToken: { ...token } }", 'const token = { name: "sid" };\n'],
  ])("reports a cookie name that it cannot move, and promises nothing: %s", (members, before) => {
    const { left, isPromised } = move(members, before);
    expect(left).toEqual([[4, expect.stringContaining("custom name")]]);
    expect(isPromised).toBe(false);
  });

  it.each(['cookies: { csrfToken: { name: "x" } }', "cookies: { sessionToken: { options: {} } }"])(
    "says that users stay signed in with the default name: %s",
    (members) => expect(move(members)).toMatchObject({ left: [], isPromised: true }),
  );

  it.each(["secret: process.env.JWT", "encode", "async decode() { return null; }", "encode: (x) => x"])(
    "reports `jwt: { %s }` of NextAuth v4",
    (member) => {
      const { left } = move(`jwt: { maxAge: 60, ${member} }`);
      expect(left).toEqual([[3, expect.stringContaining("sessions of NextAuth v4 may not be readable")]]);
    },
  );

  it("reports `jwt` that is written elsewhere, and no other members of it", () => {
    expect(move("jwt", "const jwt = {};\n").left).toHaveLength(1);
    expect(move("jwt: { maxAge: 60 }").left).toEqual([]);
  });

  it("keeps the cookies of several configurations apart", () => {
    const admins =
      'const admins = { providers: [], cookies: { sessionToken: { name: "__Secure-next-auth.admin" } } };\n';
    const { text, left } = move("", `${admins}export const POST = NextAuth(admins);\n`);
    expect(text).toContain('cookies: { sessionToken: { name: "__Secure-cardea.admin" } }');
    expect(text).toContain('accept: [{ format: "nextauth-v4", cookie: "__Secure-next-auth.admin" }]');
    expect(text).toContain('accept: ["nextauth-v4"]');
    expect(left.filter(([, what]) => what.includes("cookie"))).toEqual([]);
    const named = admins.replace('"__Secure-next-auth.admin"', "NAME");
    const unread = move("", `${named}export const POST = NextAuth(admins);\n`).left;
    expect(unread).toContainEqual([3, expect.stringContaining("by the name of their cookie alone")]);
  });
});

/** Moves `server.ts` of an application on `@auth/core` alone. */
function moveServer(source: string, others: Readonly<Record<string, string>> = {}) {
  const manifest = JSON.stringify({ dependencies: { "@auth/core": "0.41.3" } });
  const files = new Map(Object.entries({ "/package.json": manifest, "/server.ts": source, ...others }));
  const result = adopt({ files });
  if ("refused" in result) throw new Error(result.refused);
  const left = result.report.filter(({ kind }) => kind === "left").map(({ file, what }) => [file, what] as const);
  return { text: result.files.get("/server.ts") ?? source, left, read: (path: string) => result.files.get(path) };
}

describe("addBridge() for `Auth(request, config)`", () => {
  const CONFIG = "const config = { providers: [], trustHost: true };\n";
  const FETCH = "export const fetch = (request: Request) =>";

  it.each([
    ['import { Auth } from "@auth/core";\n', "Auth(request, config)"],
    ['import { Auth as answer } from "@auth/core";\n', "(answer as any)(request, config as any)"],
    ['import * as core from "@auth/core";\n', "core.Auth(request, { ...config })"],
    ["", '(await import("@auth/core")).Auth(request, config)'],
    [
      'import type { AuthConfig } from "@auth/core";\nconst { Auth } = require("@auth/core");\n',
      "Auth(request, config)",
    ],
    ['import { Auth } from "@auth/core";\nconst configFor = () => config;\n', "Auth(request, configFor())"],
  ])("adds the bridge: %s%s", (imports, call) => {
    const { text, left } = moveServer(`${imports}${CONFIG}${FETCH.replace("(", "async (")} ${call};\n`);
    expect(text).toContain('trustHost: true, extensions: [bridge({ accept: ["authjs-v5"] })] }');
    expect(text).toMatch(/\{ bridge \} (?:from|= require\()/);
    expect(left).toEqual([]);
  });

  it("adds the bridge to a configuration of another file, once, and follows `Auth` through a file that exports it", () => {
    const source = `import { Auth } from "./core";\nimport { config } from "./config";\n${FETCH} Auth(request, config);\nexport const other = (request: Request) => Auth(request, config);\n`;
    const core = 'export { Auth } from "@auth/core";\nimport type { AuthConfig } from "@auth/core";\n';
    const { read, left } = moveServer(source, { "/core.ts": core, "/config.ts": `export ${CONFIG}` });
    expect(read("/config.ts")?.match(/bridge\(/g)).toHaveLength(1);
    expect(left).toEqual([]);
  });

  it.each([
    "export const handle = (request: Request, config: AuthConfig) => Auth(request, config);",
    "export const handle = (...given: Parameters<typeof Auth>) => Auth(...given);",
    "export const handle = (request: Request) => Auth(request, JSON.parse(text));",
    "export const handle = Auth;",
    "export const handle = (request: Request) => Auth.call(null, request, config);",
  ])("names a configuration that it does not find: %s", (line) => {
    const { left } = moveServer(`import { Auth, type AuthConfig } from "@auth/core";\n${line}\n`);
    expect(left).toEqual([["server.ts", expect.stringContaining("the bridge")]]);
  });

  it("reads a configuration that code changes later with each request", () => {
    const source = `import { Auth } from "@auth/core";\n${CONFIG}${FETCH} {\n  config.trustHost = false;\n  return Auth(request, config);\n};\n`;
    expect(moveServer(source).text).toContain("return Auth(request, formerSession({ ...config }));");
  });
});
