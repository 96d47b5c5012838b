import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const MIDDLEWARE = 'import { withAuth } from "next-auth/middleware";\n\nexport default withAuth({});\n';

function move(session: string) {
  const route = `import NextAuth from "next-auth";\nimport GitHub from "next-auth/providers/github";\n\nconst authOptions = { providers: [GitHub({})], session: ${session} };\nexport default NextAuth(authOptions);\n`;
  const manifest = JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": "4.24.11" } });
  const files = { "/package.json": manifest, "/middleware.ts": MIDDLEWARE, "/pages/api/auth/[...nextauth].ts": route };
  const result = adopt({ files: new Map(Object.entries(files)) });
  if ("refused" in result) throw new Error(result.refused);
  const hints = result.report.map(({ why }) => why);
  return { middleware: result.files.get("/middleware.ts"), hints };
}

describe("shareSessionLifetime()", () => {
  it("repeats the lifetime of sessions in the instance that middleware renews them with", () => {
    const { middleware } = move('{ strategy: "jwt", maxAge: 7 * 24 * 60 * 60, updateAge: 3600 }');
    expect(middleware).toContain('session: { strategy: "jwt", maxAge: 7 * 24 * 60 * 60, updateAge: 3600 },');
  });

  it("reports a lifetime that is not written as a number", () => {
    const { middleware, hints } = move("{ maxAge: WEEK }");
    expect(middleware).toContain('session: { strategy: "jwt" },');
    expect(hints).toContain("repeat `session.maxAge` of the application here");
  });

  it("adds nothing where the application has the default", () => {
    const { middleware, hints } = move('{ strategy: "jwt" }');
    expect(middleware).toContain('session: { strategy: "jwt" },');
    expect(hints).not.toContainEqual(expect.stringContaining("repeat"));
  });
});
