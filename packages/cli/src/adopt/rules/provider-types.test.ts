import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

function move(text: string, path = "/auth.ts"): string {
  const manifest = JSON.stringify({ dependencies: { next: "14.2.5", "next-auth": "4.24.7" } });
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      [path, text],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  return result.files.get(path) ?? text;
}

const google = (options: string) =>
  `import Google from "next-auth/providers/google";\nexport const google = Google({ ${options} });\n`;

describe("typeProviders()", () => {
  it.each([
    [
      "a member",
      "profile(profile) { return { id: profile.sub, role: profile.email.endsWith(at) }; }",
      "profile(profile: Required<GoogleProfile>) {",
    ],
    [
      "an argument",
      "async profile(p) { return { id: p.sub, role: roleOf(p.email) }; }",
      "async profile(p: Required<GoogleProfile>) {",
    ],
    [
      "a further member of the user",
      "profile: (profile) => ({ id: profile.sub, first: profile.given_name })",
      "(profile: Required<GoogleProfile>) => ({",
    ],
    [
      "a name of its own",
      "profile: ({ sub, email }) => ({ id: sub, login: email.split(at)[0] })",
      "({ sub, email }: Required<GoogleProfile>) => ({",
    ],
    [
      "no parentheses",
      "profile: profile => ({ id: profile.sub, role: profile.email.length })",
      "(profile: Required<GoogleProfile>) => ({",
    ],
  ])("types the claims of a profile as present: %s", (_name, options, expected) => {
    const moved = move(google(options));
    expect(moved).toContain(expected);
    expect(moved).toContain('import Google, { type GoogleProfile } from "@cardea/providers-google";');
  });

  it.each([
    [
      "members of a user",
      "profile: (profile) => ({ id: profile.sub, name: profile.name, email: profile.email, image: profile.picture })",
    ],
    ["a condition", "profile: (profile) => ({ id: profile.sub, role: profile.email?.endsWith(at) ? one : two })"],
    ["a type", "profile: (profile: GoogleProfile) => ({ id: profile.sub, role: profile.email.length })"],
  ])("leaves %s", (_name, options) => {
    expect(move(google(options))).not.toContain("Required<");
  });

  it("leaves JavaScript", () => {
    expect(move(google("profile: (profile) => ({ role: profile.email.length })"), "/auth.js")).not.toContain(
      "Required<",
    );
  });

  it("makes a list of one check", () => {
    expect(move(google("checks: 'nonce'"))).toContain('Google({ checks: ["nonce"] })');
    expect(move(google('checks: ["pkce"]'))).toContain('Google({ checks: ["pkce"] })');
    expect(move('import "next-auth";\nexport const lint = { checks: "all" };\n')).toContain('{ checks: "all" }');
  });
});
