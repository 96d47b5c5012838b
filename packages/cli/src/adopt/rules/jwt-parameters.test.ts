import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const HEAD = 'import NextAuth, { type User } from "next-auth";\nimport type { JWT } from "next-auth/jwt";\n';

function move(files: Readonly<Record<string, string>>) {
  const manifest = JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": "5.0.0-beta.25" } });
  const result = adopt({ files: new Map(Object.entries({ "/package.json": manifest, ...files })) });
  if ("refused" in result) throw new Error(result.refused);
  return (path: string) => result.files.get(path) ?? files[path] ?? "";
}

const configured = (jwt: string) =>
  `${HEAD}export const { auth } = NextAuth({ providers: [], callbacks: { ${jwt} } });\n`;

describe("typeJwtParameters()", () => {
  it.each([
    ["a method", "async jwt({ token, user }: { token: JWT; user: User }) { return token; }"],
    ["an arrow function", "jwt: async ({ token, user }: { token: JWT; user: User }) => token"],
    ["a parameter with a name", "jwt: (params: { token: JWT; user: User }) => params.token"],
  ])("makes what is there at sign-in only optional: %s", (_name, jwt) => {
    expect(move({ "/auth.ts": configured(jwt) })("/auth.ts")).toContain("{ token: JWT; user?: User }");
  });

  it("follows a function to its file, and leaves what is optional", () => {
    const callback =
      "export async function fill({ token, user, account }: {\n  token: JWT;\n  user: User | undefined;\n  account?: unknown;\n}) {\n  return token;\n}\n";
    const read = move({
      "/auth.ts": `import { fill } from "./fill";\n${configured("jwt: fill")}`,
      "/fill.ts": `${HEAD}${callback}`,
    });
    expect(read("/fill.ts")).toContain("  user?: User | undefined;\n  account?: unknown;\n");
  });

  it("leaves other callbacks and functions alone", () => {
    const text = configured("session: ({ session, user }: { session: any; user: User }) => session");
    expect(move({ "/auth.ts": text })("/auth.ts")).toContain("{ session: any; user: User }");
  });
});
