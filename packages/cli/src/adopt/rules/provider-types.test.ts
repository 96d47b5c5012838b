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
    ["a further claim", "profile: (p) => ({ id: p.sub, role: p.role })", "(p: GoogleProfile & Record<string, any>) =>"],
    [
      "a claim with another name",
      "profile({ sub, role: group = one, email }) { return { id: sub, group, first: email.trim() }; }",
      "}: Required<GoogleProfile> & Record<string, any>) {",
    ],
    [
      "all other claims",
      "profile: ({ sub, ...rest }) => ({ id: sub, x: rest.x.y })",
      "}: GoogleProfile & Record<string, any>) =>",
    ],
    [
      "a variable",
      "profile(profile) { const { email } = profile; return { id: profile.sub, first: email.trim() }; }",
      "profile(profile: Required<GoogleProfile>) {",
    ],
    ["an annotation", "profile: (p: GoogleProfile) => ({ id: p.email.trim() })", "(p: Required<GoogleProfile>) =>"],
  ])("types further claims and other spellings: %s", (_name, options, expected) => {
    const from = options.includes(": GoogleProfile") ? "Google, { type GoogleProfile }" : "Google";
    expect(move(google(options).replace("import Google", `import ${from}`))).toContain(expected);
  });

  it("types a claim that may be null here", () => {
    const moved = move(
      google("profile: (p) => ({ id: p.id, x: p.display_name.trim() })").replaceAll(/google/gi, (name) =>
        name === "google" ? "spotify" : "Spotify",
      ),
    );
    expect(moved).toContain('(p: SpotifyProfile & Record<"display_name", any>) =>');
  });

  it("takes a spread profile as `any`, if the user has required members", () => {
    const user = 'declare module "next-auth" { interface User { username: string } }\n';
    const spread = google("profile(p) { return { ...p, id: p.sub }; }");
    expect(move(user + spread)).toContain("profile(p: any) {");
    expect(move(spread)).toContain("profile(p) {");
  });

  it("removes the type argument of a provider's function", () => {
    const own = "interface Mine extends GoogleProfile { team: string }\n";
    const moved = move(
      google("profile: (p) => ({ id: p.sub, x: p.team.trim() })")
        .replace("import Google", "import Google, { GoogleProfile }")
        .replace("export", `${own}export`)
        .replace("Google({", "Google<Mine>({"),
    );
    expect(moved).toContain("interface Mine extends Record<string, any>, Required<GoogleProfile> {");
    expect(moved).toContain("Google({ profile: (p: Mine) =>");
  });

  it("types options once, also if they are given to several calls", () => {
    const text = `import Google, { type GoogleProfile } from "next-auth/providers/google";
import type { OAuthUserConfig } from "next-auth/providers";
const options: OAuthUserConfig<GoogleProfile> = { profile(p) { return { id: p.sub, role: p.role }; } };
export const all = [Google(options), Google({ ...options, id: "other" })];
`;
    expect(move(text)).toContain("{ profile(p: GoogleProfile & Record<string, any>) {");
  });

  it.each([
    [
      "members of a user",
      "profile: (profile) => ({ id: profile.sub, name: profile.name, email: profile.email, image: profile.picture })",
    ],
    ["a condition", "profile: (profile) => ({ id: profile.sub, role: profile.email?.endsWith(at) ? one : two })"],
    [
      "texts, casts and conditions",
      "profile: (p) => ({ id: p.sub, name: `".concat("$", "{p.email}`, y: p.x as string, z: p.x ? 1 : 2 })"),
    ],
  ])("leaves %s", (_name, options) => {
    expect(move(google(options))).toContain(options);
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
