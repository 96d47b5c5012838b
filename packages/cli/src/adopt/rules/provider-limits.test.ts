import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";
import { PROVIDER_PACKAGES } from "../provider-packages.ts";
import { READ } from "./provider-limits.ts";

const V4 = { next: "14.2.5", "next-auth": "^4.24.7" };
const V5 = { next: "15.3.2", "next-auth": "5.0.0-beta.32" };

function move(files: Readonly<Record<string, string>>, dependencies: Readonly<Record<string, string>> = V4) {
  const all = new Map(Object.entries({ "/package.json": JSON.stringify({ dependencies }), ...files }));
  const result = adopt({ files: all });
  if ("refused" in result) throw new Error(result.refused);
  const notes = (kind: string) => result.report.filter((line) => line.kind === kind).map(({ what }) => what);
  return { ...result, notes, read: (path: string) => result.files.get(path) ?? all.get(path) ?? "" };
}

/** An application with this expression as the options of its provider. */
const withOptions = (options: string, before = "", provider = "azure-ad") =>
  `import NextAuth from "next-auth";
import Provider from "next-auth/providers/${provider}";
${before}
export const authOptions = { providers: [Provider(${options})] };
`;

const ISSUER = /issuer: `https:\/\/login\.microsoftonline\.com\/\$\{(?:tenantId|process\.env\.TENANT)\}\/v2\.0`/;

describe("moveLimits()", () => {
  it.each([
    ["a member", "{ clientId, tenantId: process.env.TENANT }", ""],
    ["a shorthand", "{ clientId, tenantId }", "const tenantId = process.env.TENANT;"],
    ["a quoted name", '{ clientId, "tenantId": process.env.TENANT }', ""],
    ["a computed name", '{ clientId, ["tenantId"]: process.env.TENANT }', ""],
    ["a name in a constant", "{ clientId, [KEY]: process.env.TENANT }", 'const KEY = "tenantId";'],
    ["a constant", "options", "const options = { clientId, tenantId: process.env.TENANT };"],
    ["a constant with a type", "options", "const options = { clientId, tenantId: process.env.TENANT } as const;"],
    ["a spread", "{ ...options, clientId }", "const options = { tenantId: process.env.TENANT };"],
    ["a spread of a spread", "{ ...b }", "const a = { tenantId: process.env.TENANT };\nconst b = { ...a };"],
    ["a function", "options()", "function options() { return { tenantId: process.env.TENANT }; }"],
    ["a choice", "isLive ? { tenantId: process.env.TENANT } : { tenantId: process.env.TENANT }", ""],
    ["a cast", "({ tenantId: process.env.TENANT! } as Options)", ""],
  ])("moves the tenant of Microsoft: %s", (_, options, before) => {
    for (const [provider, versions] of [
      ["azure-ad", V4],
      ["microsoft-entra-id", V5],
      ["azure-ad", V5],
    ] as const) {
      const { read, notes } = move({ "/auth.ts": withOptions(options, before, provider) }, versions);
      const text = read("/auth.ts");
      expect(text.replace("!", "")).toMatch(ISSUER);
      expect(text).not.toMatch(/tenantId["'\]]*:|KEY\]/);
      expect(text.includes('id: "azure-ad"')).toBe(provider === "azure-ad");
      expect(notes("changed")).toContain("`tenantId` → `issuer`");
      expect(notes("left")).toEqual([]);
    }
  });

  it("moves options in another file, and writes text into the URL", () => {
    const auth = withOptions("options", 'import { options } from "./options";');
    const { read } = move({ "/auth.ts": auth, "/options.ts": "export const options = { tenantId: '1-2' };\n" });
    expect(read("/options.ts")).toBe(
      "export const options = { issuer: `https://login.microsoftonline.com/1-2/v2.0` };\n",
    );
    expect(read("/auth.ts")).toContain('Provider({ id: "azure-ad", ...options })');
  });

  it.each([
    ["another use", "options", "const options = { tenantId: 'a' };\nexport const graph = client(options);"],
    ["an assignment", "options", "const options = { clientId };\noptions.tenantId = 'a';"],
    ["a package", "options", 'import { options } from "elsewhere";'],
    ["an unknown call", "{ ...load() }", 'import { load } from "elsewhere";'],
    ["an unknown name", "{ [name()]: 'a' }", 'import { name } from "elsewhere";'],
    ["an issuer beside it", "{ tenantId: 'a', issuer: 'https://id.example.com' }", ""],
  ])("leaves and names what it cannot move: %s", (_, options, before) => {
    const { read, notes } = move({ "/auth.ts": withOptions(options, before) });
    expect(read("/auth.ts")).toContain(before);
    expect(read("/auth.ts")).not.toContain("login.microsoftonline.com");
    expect(notes("left").some((what) => /limits? who (?:may|can)/.test(what))).toBe(true);
  });

  it("moves the tenant of FusionAuth", () => {
    const { read } = move({ "/auth.ts": withOptions("{ tenantId }", "", "fusionauth") });
    expect(read("/auth.ts")).toContain("Provider({ authorization: { params: { tenantId: tenantId } } })");
  });

  it("names other options that limit who may sign in, with what takes their place", () => {
    const { read, report } = move({ "/auth.js": withOptions('{ clientId, hd: "example.com" }', "", "google") });
    expect(read("/auth.js")).toContain('hd: "example.com"');
    const [line] = report.filter(({ kind }) => kind === "left");
    expect(line).toMatchObject({ file: "auth.js", line: 4, what: "`hd` limits who may sign in" });
    expect(line?.why).toMatch(/does not start with it: .*callbacks\.signIn.*authorization: \{ params: \{ hd \} \}/);
  });

  it("keeps options that our provider reads, and those of providers that are kept", () => {
    const workos = withOptions("{ organization, connection }", "", "workos");
    const kept = withOptions("{ tenantId, domain }", "", "hubspot");
    expect(move({ "/a.ts": workos, "/b.ts": kept }).notes("left")).toEqual([]);
  });

  it("knows which options our packages read", async () => {
    const folder = join(import.meta.dirname, "../../../..");
    expect(Object.keys(READ).filter((name) => !PROVIDER_PACKAGES.has(name))).toEqual([]);
    for (const [name, options] of Object.entries(READ)) {
      const own = PROVIDER_PACKAGES.get(name)?.replace("@cardea/", "") ?? "";
      expect(readdirSync(folder)).toContain(own);
      const functions: Record<string, unknown> = await import(join(folder, own, "src/index.ts"));
      const make = functions.default ?? (name === "passkey" ? functions.Passkey : functions.WebAuthn);
      if (typeof make !== "function") throw new Error(`${own} has no provider`);
      for (const option of options) expect(() => Reflect.apply(make, undefined, [{ [option]: "" }])).not.toThrow();
    }
  });
});

describe("moveProviders()", () => {
  it("keeps the id and the variable of Auth.js v5, whichever way the provider is given", () => {
    const issuer = "issuer: process.env.AUTH_MICROSOFT_ENTRA_ID_ISSUER";
    const azure = move({ "/auth.ts": withOptions("{ clientId }") }, V5);
    expect(azure.read("/auth.ts")).toContain(`Provider({ id: "azure-ad", ${issuer}, clientId })`);
    const named = move({ "/auth.ts": withOptions('{ id: "staff" }', "", "microsoft-entra-id") }, V5);
    expect(named.read("/auth.ts")).toContain(`Provider({ ${issuer}, id: "staff" })`);
    const bare = withOptions("").replace("Provider()", "Provider");
    expect(move({ "/auth.ts": bare }, V5).read("/auth.ts")).toContain(`[Provider({ id: "azure-ad", ${issuer} })]`);
    const plain = move({ "/auth.ts": withOptions("{ clientId }", "", "microsoft-entra-id") }, V5);
    expect(plain.read("/auth.ts")).toContain("Provider({ clientId })");
  });

  it("keeps the id of NextAuth v4 in CommonJS", () => {
    const text = withOptions("{ tenantId }").replace(
      'import Provider from "next-auth/providers/azure-ad"',
      'const Provider = require("next-auth/providers/azure-ad").default',
    );
    const { read } = move({ "/auth.js": text.replace('import NextAuth from "next-auth";\n', "") });
    expect(read("/auth.js")).toContain('Provider({ id: "azure-ad", issuer:');
  });
});
