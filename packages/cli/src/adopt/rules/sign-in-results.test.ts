import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const AUTH = 'import NextAuth from "next-auth";\nexport const { auth, signIn } = NextAuth({ providers: [] });\n';

function move(body: string, from = "./auth") {
  const files = {
    "/package.json": JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": "5.0.0-beta.25" } }),
    "/auth.ts": AUTH,
    "/action.ts": `import { signIn } from "${from}";\nexport async function enter(fields) {\n  ${body}\n}\n`,
  };
  const result = adopt({ files: new Map(Object.entries(files)) });
  if ("refused" in result) throw new Error(result.refused);
  return {
    text: result.files.get("/action.ts") ?? files["/action.ts"],
    looks: result.report.filter(({ kind, file }) => kind === "look" && file === "action.ts").map(({ what }) => what),
  };
}

describe("typeSignInResults()", () => {
  it.each([
    ["if (result?.error || !result.ok) return 1;", "{ error?: string; ok?: boolean }"],
    ['if (typeof result === "object" && "error" in result) return 1;', "{ error?: string }"],
  ])("casts a result whose members are read: %s", (reader, type) => {
    const { text, looks } = move(
      `const result = await signIn("credentials", { ...fields, redirect: false });\n  ${reader}`,
    );
    expect(text).toContain(`redirect: false }) as unknown as ${type};`);
    expect(looks).toEqual([
      expect.stringContaining("members of the result of `signIn()` on a server are read: `error`"),
    ]);
  });

  it("casts a result that is destructured", () => {
    const { text } = move(
      'const { error: failure } = await signIn("credentials", { redirect: false });\n  return failure;',
    );
    expect(text).toContain("redirect: false }) as unknown as { error?: string };");
  });

  it.each([
    ["a result that is a text", 'const url = await signIn("a", { redirect: false });\n  return url.length;', "./auth"],
    ["one with a type", 'const url: any = await signIn("a", { redirect: false });\n  return url.error;', "./auth"],
    ["a sign-in that redirects", 'const a = await signIn("a", fields);\n  return a.error;', "./auth"],
    ["the browser's", 'const a = await signIn("a", { redirect: false });\n  return a.error;', "next-auth/react"],
  ])("leaves %s", (_name, body, from) => {
    expect(move(body, from).text).not.toContain("as unknown");
  });
});
