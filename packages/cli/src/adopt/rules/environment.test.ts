import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const AUTH = 'import NextAuth from "next-auth";\nexport const { handlers, auth } = NextAuth({ providers: [] });\n';

function move(code: string, auth = AUTH): { readonly code: string; readonly env: string } {
  const files = new Map([
    ["/package.json", JSON.stringify({ dependencies: { next: "15.3.2", "next-auth": "5.0.0-beta.32" } })],
    ["/auth.ts", auth],
    ["/code.ts", code],
    ["/.env.example", "NEXTAUTH_SECRET=\n"],
  ]);
  const result = adopt({ files });
  if ("refused" in result) throw new Error(result.refused);
  return {
    code: [result.files.get("/auth.ts"), result.files.get("/code.ts") ?? code].join(""),
    env: result.files.get("/.env.example") ?? "NEXTAUTH_SECRET=\n",
  };
}

describe("renameEnvironment()", () => {
  it.each([
    'import { encode } from "next-auth/jwt";\nexport const a = () => encode({ secret: process.env.NEXTAUTH_SECRET });\n',
    'import { decode } from "next-auth/jwt";\nexport const a = (token) => decode({ token, secret: process.env.NEXTAUTH_SECRET! });\n',
    'import { sign } from "other";\nexport const a = sign({ secret: process.env.NEXTAUTH_SECRET });\n',
    'import { getToken } from "other";\nexport const a = getToken({ secret: process.env.NEXTAUTH_SECRET });\n',
    "export const a = { secret: process.env.NEXTAUTH_SECRET };\n",
  ])("keeps the name where only that variable is read, and in the files that set it: %s", (code) => {
    const moved = move(code);
    expect(moved.code).toContain("process.env.NEXTAUTH_SECRET");
    expect(moved.env).toBe("NEXTAUTH_SECRET=\n");
  });

  it.each([
    'import { getToken } from "next-auth/jwt";\nexport const a = (req) => getToken({ req, secret: process.env.NEXTAUTH_SECRET! });\n',
    "export const config = { providers: [], secret: process.env.NEXTAUTH_SECRET };\n",
    "export const config = { providers: [], secret: process.env.NEXTAUTH_SECRET as string };\n",
  ])("renames it where both names are read: %s", (code) => {
    const auth = `import NextAuth from "next-auth";\nimport { config } from "./code";\nexport const { auth } = NextAuth({ ...config });\n`;
    const moved = move(code, code.includes("config") ? auth : AUTH);
    expect(moved.code).toContain("process.env.AUTH_SECRET");
    expect(moved.env).toBe("AUTH_SECRET=\n");
  });
});
