// A provider that admits one tenant admits no other after `adopt`, or does not load and is named.
import { createRequire } from "node:module";
import { MicrosoftEntraID } from "@cardea/providers-microsoft-entra-id";
import { describe, expect, it } from "vitest";
import { adopt } from "../../../packages/cli/src/adopt/adopt.ts";
import { pairs } from "../../../packages/testing/src/long-form.ts";
import { loadApplication } from "./load-application.ts";

const require = createRequire(import.meta.url);

const IMPORT = 'import Azure from "next-auth/providers/azure-ad";\n';

/** How the options are written, with what is in front of them. */
const OPTIONS: Readonly<Record<string, readonly [string, string, string?]>> = {
  member: ["{ tenantId: TENANT }", ""],
  shorthand: ["{ tenantId }", "const tenantId = TENANT;"],
  quoted: ['{ "tenantId": TENANT }', ""],
  computed: ['{ ["tenantId"]: TENANT }', ""],
  spread: ["{ ...base }", "const base = { tenantId: TENANT };"],
  constant: ["base", "const base = { tenantId: TENANT };"],
  cast: ["{ tenantId: TENANT } as any", ""],
  "a constant in a function": ["(() => { const base = { tenantId: TENANT }; return base; })()", ""],
  "another file": ["base", 'import { base } from "./base";', "export const base = { tenantId: 'contoso' };\n"],
  assigned: ["base", "const base: any = {};\nbase.tenantId = TENANT;"],
};

/** How the provider is called. */
const CALLS: Readonly<Record<string, readonly [string, string]>> = {
  plain: [IMPORT, "Azure"],
  renamed: ['import Own from "next-auth/providers/azure-ad";\n', "Own"],
  "default as": ['import { default as Own } from "next-auth/providers/azure-ad";\n', "Own"],
  namespace: ['import * as Own from "next-auth/providers/azure-ad";\n', "Own.default"],
  cast: [IMPORT, "(Azure as any)"],
  alias: [`${IMPORT}const Own = Azure;\n`, "Own"],
  wrapped: [`${IMPORT}const own = (options) => Azure(options);\n`, "own"],
};

const CASES = pairs(Object.entries(OPTIONS), Object.entries(CALLS)).map(
  ([[spelling, [options, before, other = ""]], [call, [head, callee]]]) => ({
    name: `${spelling}, ${call}`,
    files: new Map([
      ["/package.json", JSON.stringify({ dependencies: { next: "16.4.6", "next-auth": "4.24.15" } })],
      ["/base.ts", other],
      [
        "/auth.ts",
        `${head}const TENANT = "contoso";\n${before}\nexport const authOptions = { providers: [${callee}(${options})] };\n`,
      ],
    ]),
  }),
);

/** The address of the tenant that a provider asks. */
const addressOf = (loaded: object): string => {
  const [provider] = Object(loaded).authOptions.providers;
  return String(provider.options?.issuer ?? provider.wellKnown ?? provider.issuer);
};

describe("adopt() of a provider with a tenant", () => {
  it.each(CASES)("keeps it: $name", ({ files }) => {
    const former = require("next-auth-4/providers/azure-ad");
    const before = loadApplication(files, { "next-auth/providers/azure-ad": former }, "/auth.ts");
    expect(Object(before).authOptions.providers[0].wellKnown).toContain("/contoso/");
    const result = adopt({ files });
    if ("refused" in result) throw new Error(result.refused);
    const after = new Map([...files, ...result.files].filter((one): one is [string, string] => one[1] !== null));
    const ours = { __esModule: true, default: MicrosoftEntraID, MicrosoftEntraID };
    let loaded: object;
    try {
      loaded = loadApplication(after, { "@cardea/providers-microsoft-entra-id": ours }, "/auth.ts");
    } catch {
      expect(result.report.filter(({ kind }) => kind === "left")).not.toEqual([]);
      return;
    }
    expect(addressOf(loaded)).toContain("/contoso/");
  });
});
