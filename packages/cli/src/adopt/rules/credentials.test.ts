import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const DEPENDENCIES = { next: "14.2.5", "next-auth": "^4.24.7" };

function move(authorize: string, eol = "\n") {
  const text = `import Credentials from "next-auth/providers/credentials";
export const options = {
  providers: [
    Credentials({
      credentials: { name: {} },
      ${authorize},
    }),
  ],
};
`;
  const manifest = JSON.stringify({ dependencies: DEPENDENCIES });
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      ["/auth.ts", text.replaceAll("\n", eol)],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  return result.files.get("/auth.ts") ?? "";
}

const CAST = 'const credentials = fields as Record<"name", string> | undefined;';

describe("typeCredentials()", () => {
  it.each([
    ["a method", "async authorize(credentials) { return find(credentials); }"],
    ["a function", "authorize: async (credentials) => { return find(credentials) }"],
    ["a comment first", "async authorize(credentials) { /* one */ return find(credentials) }"],
    ["several statements", "async authorize(credentials) { const user = find(credentials); return user }"],
    ["an end without a line", "async authorize(credentials) { return find(credentials);\n      }"],
  ])("adds a cast to a body in one line: %s", (_, authorize) => {
    expect(move(authorize)).toContain(
      `${authorize.replace("credentials) {", `fields) { ${CAST}`).replace("(credentials) => {", `(fields) => { ${CAST}`)}`,
    );
  });

  it.each(["\n", "\r\n"])("adds a line to a body of several lines, with the line ends of the file: %j", (eol) => {
    const authorize = "async authorize(credentials) { // who\n\n        return find(credentials);\n      }";
    expect(move(authorize, eol)).toContain(
      `async authorize(fields) { ${CAST} // who\n\n        return find(credentials);\n`.replaceAll("\n", eol),
    );
    expect(move(authorize.replace(" // who", ""), eol)).toContain(
      `async authorize(fields) {\n        ${CAST}\n\n        return find(credentials);\n`.replaceAll("\n", eol),
    );
  });
});

describe("applyDraft()", () => {
  it("leaves a file that does not parse, and names it", () => {
    const text = 'import NextAuth from "next-auth";\nexport const { auth } = NextAuth({{ });\n';
    const manifest = JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": "5.0.0-beta.32" } });
    const result = adopt({
      files: new Map([
        ["/package.json", manifest],
        ["/auth.ts", text],
      ]),
    });
    if ("refused" in result) throw new Error(result.refused);
    expect(result.files.size).toBe(0);
    expect(result.removed).toEqual([]);
    expect(result.report.filter(({ kind }) => kind === "changed")).toEqual([]);
    expect(result.report.map(({ file, what }) => `${file} ${what}`)).toContain(
      "auth.ts was not changed, because the result would not parse",
    );
  });
});
