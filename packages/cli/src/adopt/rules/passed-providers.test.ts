import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

function move(files: Readonly<Record<string, string>>, version = "^4.24.7") {
  const manifest = JSON.stringify({ dependencies: { next: "15.1.0", "next-auth": version } });
  const result = adopt({ files: new Map(Object.entries({ "/package.json": manifest, ...files })) });
  if ("refused" in result) throw new Error(result.refused);
  const left = result.report.filter(({ kind }) => kind === "left").map(({ file }) => file);
  return { read: (path: string) => result.files.get(path) ?? files[path], left };
}

const CALL =
  'import { Provider } from "./providers";\nexport const list = [Provider({ clientId: "a", clientSecret: "b" })];\n';

describe("moveProviders() where a function is passed on", () => {
  it.each([
    ["azure-ad", 'export { default as Provider } from "MODULE";\n'],
    ["azure-ad", 'import Provider from "MODULE";\nexport { Provider };\n'],
    ["azure-ad", 'import Provider from "MODULE";\nexport default Provider;\n'],
    ["azure-ad", 'export const load = async () => (await import("MODULE")).default;\n'],
    ["azure-ad", 'import P from "MODULE";\nexport const list = [P].map((one) => one({ clientId: "a" }));\n'],
    ["email", 'export { default as Provider } from "MODULE";\n'],
  ])("leaves %s, whose options it cannot change: %s", (name, text) => {
    const module = `next-auth/providers/${name}`;
    const { read, left } = move({ "/providers.ts": text.replace("MODULE", module), "/auth.ts": CALL });
    expect(read("/providers.ts")).toContain(module);
    expect(left).toContain("providers.ts");
  });

  it("leaves Microsoft Entra ID of Auth.js v5, and moves a provider whose options stay", () => {
    const of = (name: string) => `export { default as Provider } from "next-auth/providers/${name}";\n`;
    const entra = move({ "/providers.ts": of("microsoft-entra-id"), "/auth.ts": CALL }, "5.0.0-beta.32");
    expect(entra.read("/providers.ts")).toBe(of("microsoft-entra-id"));
    const github = move({ "/providers.ts": of("github"), "/auth.ts": CALL });
    expect(github.read("/providers.ts")).toContain("@cardea/providers-github");
    expect(github.left).not.toContain("providers.ts");
  });

  it.each(["ts", "js"])("names members of the former request in `authorize`, in .%s", (ending) => {
    const of = (read: string) =>
      `import Credentials from "next-auth/providers/credentials";\nexport const list = [Credentials({ credentials: {}, authorize: async (given, req) => { if (${read}) return null; return { id: "1" }; } })];\n`;
    const path = `auth.${ending}`;
    for (const read of ['req.headers["x-blocked"]', "req.headers.origin", "req.body.code", "req.query.code"])
      expect(move({ [`/${path}`]: of(read) }).left).toContain(path);
    expect(move({ [`/${path}`]: of('req.headers.get("origin")') }).left).not.toContain(path);
  });
});
