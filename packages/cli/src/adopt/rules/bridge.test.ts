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
