import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

/** The middleware after a move, and what is left to do by hand in it. */
function move(middleware: string): { readonly text: string; readonly left: readonly string[] } {
  const manifest = JSON.stringify({ dependencies: { next: "14.2.5", "next-auth": "^4.24.7" } });
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      ["/middleware.ts", middleware],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  const left = result.report.filter(({ kind, file }) => kind === "left" && file === "middleware.ts");
  return { text: result.files.get("/middleware.ts") ?? "", left: left.map(({ what }) => what) };
}

const IMPORT = 'import { withAuth } from "next-auth/middleware";\n';
const ADMIN = '({ token }) => token?.role === "admin"';

describe("moveWithAuth()", () => {
  it("gives the request its type with the token", () => {
    const { text } = move(
      'import { type NextRequestWithAuth, withAuth } from "next-auth/middleware";\nexport default withAuth((req: NextRequestWithAuth) => log(req.nextauth.token));\n',
    );
    expect(text).not.toContain("NextRequestWithAuth");
    expect(text).toContain(
      '(req: import("@cardea/next").NextAuthRequest<import("@cardea/next").Session & { token: import("@cardea/next/jwt").JWT }>) => log(req.auth?.token)',
    );
  });

  it.each([
    `const options = { callbacks: { authorized: ${ADMIN} } };\nexport default withAuth((req) => {}, options);\n`,
    `const options = { callbacks: { authorized: ${ADMIN} } };\nexport default withAuth(options);\n`,
    `const callbacks = { authorized: ${ADMIN} };\nexport default withAuth({ callbacks });\n`,
    `const rest = { callbacks: { authorized: ${ADMIN} } };\nexport default withAuth({ ...rest });\n`,
    `const rest = { authorized: ${ADMIN} };\nexport default withAuth({ callbacks: { ...rest } });\n`,
    `const authorized = ${ADMIN};\nexport default withAuth({ callbacks: { authorized } });\n`,
    `const isAdmin = ${ADMIN};\nexport default withAuth({ callbacks: { authorized: isAdmin } });\n`,
    "export default (req) => { const signIn = req.url; return withAuth({ pages: { signIn } })(req); };\n",
    "const own = withAuth as never;\nexport default own;\n",
  ])("leaves a guard that it cannot read, and says so: %s", (rest) => {
    const { text, left } = move(IMPORT + rest);
    expect(text).not.toContain("auth !== null");
    expect(text).toContain(rest);
    expect(left).toContain("`withAuth` was not moved");
  });

  it("does not take another function for the default import", () => {
    const { text, left } = move('import guard from "next-auth/middleware";\nexport const own = [guard];\n');
    expect(text).toContain("import { withAuth as guard }");
    expect(left).toContain("`withAuth` was not moved");
  });

  it("moves the default import that is exported as it is", () => {
    const { text, left } = move('import guard from "next-auth/middleware";\nexport default guard;\n');
    expect(text).toContain("authorized: ({ auth }) => auth !== null");
    expect(text).toContain("export default auth;");
    expect(left).toEqual([]);
  });

  it("keeps `async`, and a handler that is declared elsewhere in the file", () => {
    const { text } = move(
      `${IMPORT}export default withAuth({ callbacks: { authorized: async function ({ token }) { return await f(token); } } });\n`,
    );
    expect(text).toContain("authorized: async ({ auth }) =>");
    const named = move(`${IMPORT}function handler(req) {}\nexport default withAuth(handler);\n`);
    expect(named.text).toContain("export default auth(handler);");
    expect(named.left).toEqual([]);
  });
});
