import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const NEXT = { next: "15.0.0", "next-auth": "5.0.0-beta.25" };

function move(
  auth: string,
  dependencies: Readonly<Record<string, string>> = NEXT,
  files: Readonly<Record<string, string>> = {},
) {
  const all = { "/package.json": JSON.stringify({ dependencies }), "/auth.ts": auth, ...files };
  const result = adopt({ files: new Map(Object.entries(all)) });
  if ("refused" in result) throw new Error(result.refused);
  return { text: result.files.get("/auth.ts") ?? "", report: result.report.map(({ what }) => what) };
}

const next = (config: string, head = "") =>
  `import NextAuth from "next-auth";\n${head}export const { auth } = NextAuth(${config});\n`;
const JWT = 'session: { strategy: "jwt" }';

describe("keepFormerSessions()", () => {
  it.each([
    ["an adapter", next("{ adapter, providers: [] }")],
    ["a spread", next("{ ...base }", 'import { base } from "@acme/base";\n')],
    ["a computed member", next("{ [name]: value, providers: [] }")],
    ["a strategy by a choice", next('{ adapter, providers: [], session: { strategy: x ? "jwt" : "database" } }')],
    ["a function", next("async () => ({ adapter, providers: [] })")],
    [
      "another name",
      'import NextAuth from "next-auth";\nconst make = NextAuth;\nexport const { auth } = make({ adapter, providers: [] });\n',
    ],
  ])("rule 1: wraps a configuration whose sessions may be in a database: %s", (_what, auth) => {
    expect(move(auth).text).toMatch(/formerServerSession\(/);
  });

  it("rule 1: wraps by the function for the framework", () => {
    const text =
      'import { ExpressAuth } from "@auth/express";\nexport const router = ExpressAuth({ adapter, providers: [] });\n';
    expect(move(text, { express: "5.0.0", "@auth/express": "0.12.0" }).text).toContain("createAuth(formerSession(");
    const raw =
      'import { Auth } from "@auth/core";\nexport const answer = (request) => Auth(request, { adapter, providers: [] });\n';
    expect(move(raw, { "@auth/core": "0.41.0" }).text).toContain("Auth(request, formerSession({");
  });

  it.each([
    ["no callback", ""],
    ["the session", "callbacks: { session({ session, token }) { session.user.role = token.role; return session; } },"],
    ["a copy", "callbacks: { session: ({ session, token }) => ({ ...session, role: token.role }) },"],
    ["the session of the parameter", "callbacks: { session: async (given) => { return given.session; } },"],
    ["a literal", "callbacks: { session: ({ token }) => ({ expires: '', user: { name: token.name } }) },"],
  ])("leaves cookie sessions as they are: %s", (_what, callbacks) => {
    expect(move(next(`{ adapter, providers: [], ${callbacks} ${JWT} }`)).text).not.toContain("former");
  });

  it.each([
    [
      "another object",
      "callbacks: { session: ({ session, token }) => ({ expires: session.expires, role: token.role }) },",
    ],
    ["what it does not show", "callbacks: { session: (given) => shape(given) },"],
    ["nothing in the end", "callbacks: { session({ session, token }) { if (!token.banned) return session; } },"],
    ["nothing", "callbacks: { session({ session }) { if (x) return; return session; } },"],
    ["a session without user", "callbacks: { session({ session }) { delete session.user; return session; } },"],
    ["a callback of another package", "callbacks,"],
  ])("rule 2: wraps a callback that may return an object without user: %s", (_what, callbacks) => {
    expect(move(next(`{ providers: [], ${callbacks} ${JWT} }`)).text).toContain("formerServerSession({");
    const express = `import { ExpressAuth } from "@auth/express";\nexport const router = ExpressAuth({ providers: [], ${callbacks} ${JWT} });\n`;
    if (callbacks !== "callbacks,")
      expect(move(express, { express: "5.0.0", "@auth/express": "0.12.0" }).text).not.toContain("former");
  });

  it.each([
    "const { banned } = session.user",
    "const { user: { banned } } = session",
    'const banned = session["user"]["banned"]',
  ])("rule 4: shows a declared column in every spelling: %s", (reads) => {
    const head = 'declare module "next-auth" {\n  interface Session { user: { banned: boolean; unread: string } }\n}\n';
    const page = `import { auth } from "./auth";\nexport const page = async () => { const session = await auth(); ${reads}; return banned; };\n`;
    const { text } = move(next("{ adapter, providers: [] }", head), NEXT, { "/page.ts": page });
    expect(text).toContain(
      'createAuth(formerServerSession({ adapter, providers: [], extensions: [bridge({ accept: ["authjs-v5"] })] }, ["banned"]))',
    );
  });

  it("does nothing for NextAuth v4, whose sessions had no more", () => {
    const text =
      'import NextAuth from "next-auth";\nconst options = { adapter, providers: [] };\nexport default NextAuth(options);\n';
    expect(move(text, { next: "14.2.0", "next-auth": "4.24.15" }).text).not.toContain("former");
  });
});
