import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const PACKAGES = {
  v5: { next: "15.0.0", "next-auth": "5.0.0-beta.19" },
  v4: { next: "14.2.0", "next-auth": "4.24.7" },
};

function move(text: string, version: keyof typeof PACKAGES = "v5"): string {
  const manifest = JSON.stringify({ dependencies: PACKAGES[version] });
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      ["/mail.ts", text],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  return result.files.get("/mail.ts") ?? text;
}

describe("keepFormerTypes()", () => {
  it.each([
    ["a member", "send({ from: provider.from });", 'send({ from: provider.from ?? "" });'],
    ["an argument", "send(params.provider.from);", 'send(params.provider.from ?? "");'],
    ["a value", "sender = provider.from;", 'sender = provider.from ?? "";'],
    ["nothing of a condition", "if (provider.from) send();", "if (provider.from) send();"],
    ["nothing that has a default", 'send(provider.from ?? "a@b.c");', 'send(provider.from ?? "a@b.c");'],
  ])("makes the sender of a verification request text: %s", (_name, before, after) => {
    const text = `import { type EmailConfig } from "next-auth/providers/email";\n${before}\n`;
    expect(move(text)).toContain(`\n${after}\n`);
  });

  it("leaves a `provider.from` that is not of a mail", () => {
    const text = 'import { auth } from "./auth";\nimport "next-auth";\nsend(provider.from);\n';
    expect(move(text)).toContain("send(provider.from);");
  });

  const SIGN_IN = `import { signIn } from "next-auth/react";
async function submit() {
  const result = await signIn("credentials", { redirect: false });
  if (result?.error) setError(result.error);
  show({ error: result.error }, result?.error || "none", result.status);
}
setError(result.error);
`;

  it("makes the error of a sign-in null in the browser, where NextAuth v4 did", () => {
    const moved = move(SIGN_IN, "v4");
    expect(moved).toContain("if (result?.error) setError(result.error ?? null);");
    expect(moved).toContain('show({ error: result.error ?? null }, result?.error || "none", result.status);');
    expect(moved).toContain("\nsetError(result.error);");
    expect(move(SIGN_IN)).not.toContain("?? null");
  });

  it("casts the user of a session by way of unknown where their id is a number, in NextAuth v4, once", () => {
    const text = `import { getServerSession } from "next-auth";
const one = session.user as { id: number; email: string };
const two = (await getServerSession(options))?.user as { id: number };
const three = mySession?.user as { id: number | bigint };
const four = session.user as { id: string };
const five = session.user as { name: string };
const six = answer.user as { id: number };
`;
    const moved = move(text, "v4");
    expect(moved).toContain("const one = session.user as unknown as { id: number; email: string };");
    expect(moved).toContain("const three = mySession?.user as unknown as { id: number | bigint };");
    expect(moved.match(/as unknown/g)).toHaveLength(3);
    expect(move(moved, "v4")).toBe(moved);
    expect(move(text)).not.toContain("as unknown");
  });

  it("casts the result of a handler by way of unknown, once", () => {
    const text = `import NextAuth from "next-auth";
const config = { providers: [] };
const one = NextAuth(config).auth(handler)(request, event) as NextResponse;
const two = auth(handler)(request, event) as unknown as NextResponse;
const three = other(handler)(request, event) as NextResponse;
`;
    const moved = move(text);
    expect(moved).toContain("createAuth(config).auth(handler)(request, event) as unknown as NextResponse;");
    expect(moved).toContain("const two = auth(handler)(request, event) as unknown as NextResponse;");
    expect(moved).toContain("other(handler)(request, event) as NextResponse;");
  });
});
