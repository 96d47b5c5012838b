import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { adopt } from "../../packages/cli/src/adopt/adopt.ts";
import { PROVIDER_PACKAGES } from "../../packages/cli/src/adopt/provider-packages.ts";
import { compile } from "../../tools/compile.mjs";
import { sourcePaths } from "../../tools/source-files.mjs";

// Code that compiles with the types of Auth.js, and compiles with ours once the command has moved it.

const ROOT = join(import.meta.dirname, "../..");
const MADE = join(import.meta.dirname, "dist/moved-types");

const V4 = {
  "a claim of the application": `import NextAuth, { type NextAuthOptions } from "next-auth";
import Google from "next-auth/providers/google";
import GitHub from "next-auth/providers/github";
import Keycloak from "next-auth/providers/keycloak";
declare module "next-auth" { interface User { role?: string } }
export const authOptions: NextAuthOptions = { providers: [
  Google({ clientId: "a", clientSecret: "b", profile(profile) { return { id: profile.sub, email: profile.email, role: profile.role ?? "user" } } }),
  GitHub({ clientId: "a", clientSecret: "b", profile: profile => ({ id: String(profile.id), role: profile.role, name: profile.name || profile.login }) }),
  Keycloak({ clientId: "a", clientSecret: "b", issuer: "c", profile: async (profile) => { const { realm_access, email } = profile; return { id: profile.sub, role: realm_access.roles[0], email, name: email.split("@")[0] } } }),
] };
export default NextAuth(authOptions);
`,
  "a spread into a user with required members": `import NextAuth from "next-auth";
import GitHub from "next-auth/providers/github";
declare module "next-auth" { interface User { role: string; username: string } }
export default NextAuth({ providers: [
  GitHub({ clientId: "a", clientSecret: "b", profile(profile) { return { ...profile, role: "user" } } }),
] });
`,
  "a type argument": `import NextAuth from "next-auth";
import Google, { GoogleProfile } from "next-auth/providers/google";
import AzureAD, { type AzureADProfile } from "next-auth/providers/azure-ad";
interface Mine extends GoogleProfile { department: string }
export default NextAuth({ providers: [
  Google<GoogleProfile>({ clientId: "a", clientSecret: "b" }),
  Google<Mine>({ clientId: "a", clientSecret: "b", profile(profile) { return { id: profile.sub, name: profile.department.trim(), email: profile.email.toLowerCase() } } }),
  AzureAD({ clientId: "a", clientSecret: "b", tenantId: "c", profile(profile: AzureADProfile) { return { id: profile.oid.trim(), name: profile.roles[0], email: profile.email } } }),
] });
`,
  "renamed types": `import type { GithubProfile } from "next-auth/providers/github";
import type { LineProfile } from "next-auth/providers/line";
import type { ZitadelProfile as Zitadel } from "next-auth/providers/zitadel";
import type { TwitterProfile } from "next-auth/providers/twitter";
export type { GithubProfile as Profile } from "next-auth/providers/github";
export type Line = import("next-auth/providers/line").LineProfile;
export const names = (a: GithubProfile, b: LineProfile, c: Zitadel, d: TwitterProfile, e: Line): string[] =>
  [a.login, a.html_url, b.name.trim(), c.given_name, d.data.username, e.sub];
`,
};

const V5 = {
  "claims of the application": `import NextAuth from "next-auth";
import Google from "next-auth/providers/google";
import GitHub from "next-auth/providers/github";
import Keycloak from "next-auth/providers/keycloak";
import Discord from "next-auth/providers/discord";
import Spotify from "next-auth/providers/spotify";
import WorkOS from "next-auth/providers/workos";
declare module "next-auth" { interface User { role?: string } }
declare module "@auth/core/types" { interface User { role?: string } }
const roleOf = (address: string): string => address;
const options = { clientId: "a" };
export const { handlers, auth } = NextAuth({ providers: [
  Google({ profile(profile) { return { role: profile.role ?? "user", id: profile.sub, name: profile.name, email: profile.email, image: profile.picture } } }),
  Google({ ...options, profile: ({ sub, email, role, ...others }) => ({ id: sub, role: role ? role : roleOf(email), name: others.first.last }) }),
  Google({ async profile(profile) { const address = profile.email; return { id: profile.sub, role: roleOf(address) } } }),
  GitHub({ profile: function (profile) { return { id: String(profile.id), role: profile.html_url as string, name: profile.bio } } }),
  Keycloak({ profile(profile) { return { role: profile.realm_access?.roles?.includes("admin") ? "admin" : "user", id: profile.sub, name: profile.name, email: profile.email } } }),
  Discord({ profile(profile) { return { ...profile, id: profile.id, image: profile.image_url } } }),
  Spotify({ profile(profile) { return { id: profile.id, name: profile.display_name.trim(), image: profile.images[0]?.url } } }),
  WorkOS({ profile(profile) { return { id: profile.id, name: [profile.first_name, profile.last_name].join(" "), role: profile.first_name.toUpperCase() } } }),
] });
`,
  "annotations and casts": `import NextAuth from "next-auth";
import Google, { type GoogleProfile } from "next-auth/providers/google";
import type { OIDCUserConfig } from "next-auth/providers";
const options: OIDCUserConfig<GoogleProfile> = { profile(profile) { return { id: profile.sub, name: profile.nickname.trim(), email: profile.email } } };
const toUser = (profile: GoogleProfile) => ({ id: profile.sub, name: profile.given_name.trim(), email: profile.email });
type Known = GoogleProfile & { department: string };
export const known = (profile: Known | undefined): string | undefined => profile?.email.concat(profile.department);
export const { handlers, auth } = NextAuth({
  providers: [Google(options), Google({ profile: toUser })],
  callbacks: {
    signIn({ account, profile }) {
      if (account?.provider === "google") { const claims = profile as GoogleProfile; return claims.email_verified && claims.email.endsWith("@example.com") }
      return true;
    },
    jwt({ token, profile }) { if (profile) token.locale = (profile as GoogleProfile).azp.slice(0, 2); return token },
  },
});
`,
};

/** Compiles files, and returns what is wrong in them. */
async function problemsIn(name, files, paths) {
  const folder = join(MADE, name);
  mkdirSync(folder, { recursive: true });
  const written = Object.entries(files).map(([title, text]) => {
    const path = join(folder, `${title.replaceAll(" ", "-")}.ts`);
    writeFileSync(path, text);
    return path;
  });
  const asApplication = {
    ...{ types: ["node"], skipLibCheck: true, noImplicitOverride: false, exactOptionalPropertyTypes: false },
    ...{ noUncheckedIndexedAccess: false, verbatimModuleSyntax: false, noPropertyAccessFromIndexSignature: false },
  };
  const problems = await compile({ compilerOptions: { ...asApplication, paths }, files: written });
  return problems
    .filter(({ file }) => written.includes(file))
    .map(({ file, line, text }) => `${basename(file, ".ts")}:${line} ${text}`);
}

function move(text, version) {
  const manifest = JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": version } });
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      ["/auth.ts", text],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  return result;
}

const ours = Object.fromEntries(Object.entries(sourcePaths(ROOT)).map(([name, path]) => [name, [join(ROOT, path)]]));
const former = (name) => {
  const folder = join(import.meta.dirname, "node_modules", name);
  return { "next-auth": [folder], "next-auth/*": [`${folder}/*`] };
};

/** The names that modules of Auth.js export, each imported on one line, by module. */
function importsOf(library) {
  const folder = join(import.meta.dirname, "node_modules", library);
  const modules = ["index", "jwt", "react", "adapters", "middleware", "core/types", "core/errors", "providers/index"];
  const paths = [...modules, ...[...PROVIDER_PACKAGES.keys()].map((name) => `providers/${name}`)]
    .map((name) => [name, join(folder, name)])
    .flatMap(([name, path]) => [`${path}.d.ts`, `${path}/index.d.ts`].filter(existsSync).map((file) => [name, file]));
  const options = {
    skipLibCheck: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const program = ts.createProgram(
    paths.map(([, file]) => file),
    options,
  );
  const checker = program.getTypeChecker();
  return Object.fromEntries(
    paths.map(([name, file]) => {
      const source = program.getSourceFile(file);
      const symbol = source && checker.getSymbolAtLocation(source);
      const names = symbol === undefined ? [] : checker.getExportsOfModule(symbol).map((one) => one.name);
      const module = `next-auth/${name}`.replace(/^next-auth\/index$/, "next-auth");
      const lines = names.filter((one) => one !== "default" && !one.startsWith("__"));
      const text = lines.map((one, index) => `import type { ${one} as N${index} } from "${module}";\n`).join("");
      return [name.replaceAll("/", " "), text];
    }),
  );
}

describe("adopt()", () => {
  rmSync(MADE, { recursive: true, force: true });
  it.each([
    ["NextAuth v4", "next-auth-4", "4.24.15", V4],
    ["Auth.js v5", "next-auth-5", "5.0.0-beta.32", V5],
  ])(
    "moves profiles of %s to types with which they compile",
    async (_name, library, version, texts) => {
      // One by one: each augments the types.
      for (const [title, text] of Object.entries(texts)) {
        const after = move(text, version).files.get("/auth.ts") ?? text;
        expect(await problemsIn(`${library}-before`, { [title]: text }, former(library))).toEqual([]);
        expect(await problemsIn(`${library}-after`, { [title]: after }, ours)).toEqual([]);
      }
    },
    60_000,
  );

  it.each([
    ["NextAuth v4", "next-auth-4", "4.24.15"],
    ["Auth.js v5", "next-auth-5", "5.0.0-beta.32"],
  ])(
    "imports each name of %s from a module that exports it, or reports it",
    async (_name, library, version) => {
      const texts = importsOf(library);
      const kept = Object.entries(texts).map(([name, text]) => {
        const result = move(text, version);
        const reported = result.report.filter(({ kind, file }) => kind === "left" && file === "auth.ts");
        const lines = (result.files.get("/auth.ts") ?? text).split("\n");
        return [
          name,
          lines.map((line, index) => (reported.some((one) => one.line === index + 1) ? "" : line)).join("\n"),
        ];
      });
      expect(Object.keys(texts).length).toBeGreaterThan(30);
      expect(await problemsIn(`${library}-names`, Object.fromEntries(kept), ours)).toEqual([]);
    },
    60_000,
  );
});
