import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

/** The lines about a callback of an application on NextAuth v4, or on `@hono/auth-js`. */
function linesFor(callback: string, former: "v4" | "hono" = "v4"): readonly string[] {
  const v4 = `import NextAuth from "next-auth";\nconst options = { providers: [], callbacks: { ${callback} } };\nexport default NextAuth(options);\n`;
  const hono = `import { initAuthConfig } from "@hono/auth-js";\nexport const one = initAuthConfig(() => ({ providers: [], callbacks: { ${callback} } }));\n`;
  const dependencies =
    former === "v4" ? { next: "14.2.0", "next-auth": "4.24.15" } : { hono: "4.0.0", "@hono/auth-js": "1.1.1" };
  const files = { "/package.json": JSON.stringify({ dependencies }), "/auth.ts": former === "v4" ? v4 : hono };
  const result = adopt({ files: new Map(Object.entries(files)) });
  if ("refused" in result) throw new Error(result.refused);
  return result.report.map(({ what }) => what).filter((what) => /may return|throws/.test(what));
}

describe("keepCallbackResults()", () => {
  it.each([
    "({ token }) => (token.banned ? null : token)",
    "({ token }) => { if (!token.banned) return token; }",
    "({ token }) => { if (token.banned) return; return token; }",
    "async ({ token }) => { try { return await fresh(token); } catch { return null; } }",
    "({ token }) => undefined",
  ])("rule 1: names a callback of NextAuth v4 without a token: %s", (text) => {
    expect(linesFor(`jwt: ${text}`)).toEqual(["`callbacks.jwt` may return no token"]);
    expect(linesFor(`jwt: ${text}`, "hono")).toEqual([]);
  });

  it.each([
    "({ token }) => ({ ...token })",
    "({ token }) => { if (token.x) { return token; } else { throw new Error(); } }",
    "async ({ token }) => { try { return token; } catch { return await other(token); } }",
    "({ token }) => fresh(token)",
  ])("rule 1: names none with one: %s", (text) => {
    expect(linesFor(`jwt: ${text}`)).toEqual([]);
  });

  it("rule 3: names a text that `callbacks.signIn` of NextAuth v4 throws", () => {
    const text = 'signIn: ({ user }) => { if (user.banned) throw new Error("banned"); return true; }';
    expect(linesFor(text)).toEqual(["`callbacks.signIn` throws"]);
    expect(linesFor(text, "hono")).toEqual([]);
    expect(linesFor("signIn: () => true")).toEqual([]);
  });

  it("rule 2: names a callback without a session in Hono", () => {
    const text = "session: ({ session, token }) => (token.banned ? {} : session)";
    expect(linesFor(text, "hono")).toEqual(["`callbacks.session` may return no session"]);
    expect(linesFor(text)).toEqual([]);
    const deleted = "session: ({ session, token }) => { if (token.banned) delete session.user; return session; }";
    expect(linesFor(deleted, "hono")).toEqual(["`callbacks.session` may return no session"]);
    expect(linesFor("session: ({ session }) => session", "hono")).toEqual([]);
  });

  it.each([
    ["({ user }) => user", true],
    ["({ user }) => user.ok && { user }", true],
    ["() => 1", true],
    ["async ({ user }) => (user.ok ? [] : false)", true],
    ["(given) => { const { user } = given; return user; }", true],
    ["async (given) => { return await found(given); }", true],
    ["({ user }) => !!user", false],
    ["async ({ user }) => isAllowed(user)", false],
    ["() => '/denied'", false],
    ["({ user }) => user.ok", false],
  ])("rule 3: converts the result of a sign-in that may be an object: %s: %s", (callback, isConverted) => {
    const found = "const found = async ({ user }) => user;\n";
    const text = `import NextAuth from "next-auth";\n${found}const options = { providers: [], callbacks: { signIn: ${callback} } };\nexport default NextAuth(options);\n`;
    const files = {
      "/package.json": '{ "dependencies": { "next": "14.2.0", "next-auth": "4.24.15" } }',
      "/auth.ts": text,
    };
    const result = adopt({ files: new Map(Object.entries(files)) });
    if ("refused" in result) throw new Error(result.refused);
    const after = 'return typeof result === "string" ? result : Boolean(result);';
    expect(result.files.get("/auth.ts")?.includes(after)).toBe(isConverted);
  });
});
