import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

function moveAll(files: Readonly<Record<string, string>>) {
  const manifest = JSON.stringify({ dependencies: { next: "15.3.2", "next-auth": "5.0.0-beta.32" } });
  const result = adopt({ files: new Map(Object.entries({ "/package.json": manifest, ...files })) });
  if ("refused" in result) throw new Error(result.refused);
  return result;
}

/** The configuration after a move, and the lines of the report about `authorized`. */
function move(configuration: string, path = "/auth.ts") {
  const text = `import NextAuth from "next-auth";\n${configuration}`;
  const result = moveAll({ [path]: text });
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

  const CALLBACK = withCallback("authorized: () => false");
  const HANDLER = "export default auth((req) => undefined);\n";

  it("lets a handler decide where `auth` wraps handlers alone, unless the callback returns a `Response`", () => {
    for (const more of [HANDLER, `const handler = () => undefined;\nauth(handler);\nawait auth();\n`]) {
      const { text, lines } = move(CALLBACK + more);
      expect(text).toContain("return result instanceof Response ? result : true;");
      expect(lines).toEqual(["changed 6"]);
    }
  });

  it.each([
    "export { auth as middleware };\n",
    "export { auth as default };\n",
    "module.exports = { auth };\n",
    "export const all = { auth };\n",
    "const { auth: again } = { auth };\n",
    "export const proxy = auth;\n",
    "use(auth);\n",
    "auth(wrapped());\n",
    "export const read = (req, event) => auth(req, event);\n",
  ])("denies, and says so, where `auth` is anything else as well: %s", (more) => {
    const { text, lines } = move(CALLBACK + HANDLER + more);
    expect(text).toContain("authorized: () => false,");
    expect(lines).toEqual(["look 6"]);
  });

  it("does not take a parameter of that name for `auth`", () => {
    const { text } = move(
      `${withCallback("authorized: ({ auth }) => !!auth")}const f = (auth) => g(auth);\n${HANDLER}`,
    );
    expect(text).toContain(": true;");
    const standard = `${CALLBACK.replace("export const", "const")}auth((req) => undefined);\nexport default auth;\n`;
    expect(move(standard).text).toContain("authorized: () => false,");
  });

  it("finds the uses in other files", () => {
    const files = (use: string) => ({ "/auth.ts": `import NextAuth from "next-auth";\n${CALLBACK}`, "/use.ts": use });
    const read = (use: string) => moveAll(files(use)).files.get("/auth.ts");
    expect(read('import { auth as guard } from "./auth";\nexport default guard((req) => undefined);\n')).toContain(
      ": true;",
    );
    for (const use of [
      'export { auth as middleware } from "./auth";\n',
      'export * from "./auth";\n',
      'import * as all from "./auth";\nexport default all.auth((req) => undefined);\n',
      'import { auth } from "./auth";\nexport { auth as proxy };\nauth((req) => undefined);\n',
      'const { auth } = await import("./auth");\nexport default auth;\n',
      'module.exports = require("./auth").auth;\n',
    ])
      expect(read(use)).not.toContain(": true;");
  });
});
