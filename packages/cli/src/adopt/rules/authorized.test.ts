import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

/** The configuration after a move, and the lines of the report about `authorized`. */
function move(configuration: string, path = "/auth.ts") {
  const manifest = JSON.stringify({ dependencies: { next: "15.3.2", "next-auth": "5.0.0-beta.32" } });
  const text = `import NextAuth from "next-auth";\n${configuration}`;
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      [path, text],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  const lines = result.report.filter(({ what }) => what.includes("authorized"));
  return { text: result.files.get(path) ?? "", lines: lines.map(({ kind, line }) => `${kind} ${line}`) };
}

const withCallback = (member: string) =>
  `export const { auth } = NextAuth({\n  providers: [],\n  callbacks: {\n    ${member},\n  },\n});\n`;

describe("keepAuthorized()", () => {
  it.each([
    "authorized: ({ auth }) => auth !== null",
    "authorized: ({ auth }) => !!auth?.user",
    "authorized: ({ auth }) => auth && isAdmin(auth) === true",
    "authorized({ auth }) { if (!auth) return false; }",
    'authorized({ auth, request }) { const isIn = !!auth; if (isIn) return Response.redirect(new URL("/", request.url)); return isIn ? true : undefined; }',
    "async authorized({ auth }) { return Boolean(await check(auth)) || new Response(null, { status: 403 }); }",
  ])("leaves a callback whose result has one meaning: %s", (member) => {
    const { text, lines } = move(withCallback(member));
    expect(text).toContain(`    ${member},\n`);
    expect(lines).toEqual([]);
  });

  it.each([
    ["authorized: ({ auth }) => auth?.user", "(({ auth }) => auth?.user)"],
    ["authorized: async ({ auth }) => check(auth)", "(async ({ auth }) => check(auth))"],
    ["authorized({ auth }) { return auth as never; }", "(({ auth }) => { return auth as never; })"],
    [
      "async authorized(given): Promise<any> { return given.auth; }",
      "(async (given): Promise<any> => { return given.auth; })",
    ],
    [
      "authorized: function ({ auth }) { let a = true; a = auth; return a; }",
      "(function ({ auth }) { let a = true; a = auth; return a; })",
    ],
    ['"authorized": ({ auth }) => auth.ok', "(({ auth }) => auth.ok)"],
    ['["authorized"]: ({ auth }) => auth.ok', "(({ auth }) => auth.ok)"],
  ])("calls any other one by a callback that counts its result as Auth.js did: %s", (member, callback) => {
    const { text, lines } = move(withCallback(member));
    expect(text).toContain(
      `    authorized: async (given) => {\n      const result: unknown = await ${callback}(given);\n      return result instanceof Response ? result : Boolean(result);\n    },\n`,
    );
    expect(lines).toEqual(["changed 6"]);
  });

  it("finds a callback that is declared elsewhere, and has no types in JavaScript", () => {
    const { text } = move(
      `const authorized = ({ auth }) => auth.ok;\nconst callbacks = { authorized };\n${withCallback("...callbacks")}`,
      "/auth.js",
    );
    expect(text).toContain("const result = await authorized(given);");
  });

  it.each(["authorized: choose()", "authorized() { return this.ok; }", "...more()"])(
    "does not change what it cannot read, and says so: %s",
    (member) => {
      const { text, lines } = move(withCallback(member));
      expect(text).toContain(`    ${member},\n`);
      expect(lines).toEqual(["look 6"]);
    },
  );

  it("says that a denied request no longer reaches `auth(handler)`", () => {
    const { lines } = move(`${withCallback("authorized: () => false")}export default auth((req) => undefined);\n`);
    expect(lines).toEqual(["look 6"]);
  });
});
