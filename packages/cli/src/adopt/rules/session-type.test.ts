import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const AUGMENTED = 'declare module "next-auth" {\n  interface Session { user: { role: string } }\n}\n';
const TYPED_TOKEN = 'declare module "next-auth/jwt" {\n  interface JWT { role: string }\n}\n';
const RETURNED = "{ ...session, user: { ...session.user, role: token.role } }";

function move(callback: string, declarations = AUGMENTED): string {
  const text = `import NextAuth from "next-auth";
${declarations}
export const { auth } = NextAuth({ providers: [], callbacks: { ${callback} } });
`;
  const manifest = JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": "5.0.0-beta.25" } });
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      ["/auth.ts", text],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  return result.files.get("/auth.ts") ?? text;
}

describe("typeSessions()", () => {
  it.each([
    ["a method", `async session({ session, token }) { if (!token) return session; return ${RETURNED}; }`, "; }"],
    ["an arrow function", `session: ({ session, token }) => (${RETURNED})`, ")"],
  ])("casts what %s returns to the declared session", (_name, callback, end) => {
    expect(move(callback)).toContain(`${RETURNED} as typeof session${end}`);
  });

  it("uses the name that the callback gives the session", () => {
    const renamed = RETURNED.replaceAll("...session", "...given");
    expect(move(`session: ({ session: given, token }) => (${renamed})`)).toContain(`${renamed} as typeof given)`);
  });

  it.each([
    ["the token's type is declared as well", RETURNED, AUGMENTED + TYPED_TOKEN],
    ["no session is declared", RETURNED, ""],
    ["the claim has a type of its own", "{ ...session, user: { ...session.user, id: token.sub } }", AUGMENTED],
    ["the claim was cast", RETURNED.replace("token.role", "token.role as string"), AUGMENTED],
    ["the session is another object", RETURNED.replace("...session, ", ""), AUGMENTED],
  ])("changes nothing where %s", (_name, returned, declarations) => {
    expect(move(`session: ({ session, token }) => (${returned})`, declarations)).not.toContain("as typeof");
  });
});
