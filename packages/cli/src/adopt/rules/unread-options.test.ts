import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";
import { PROVIDER_PACKAGES } from "../provider-packages.ts";

const V4 = { next: "14.2.5", "next-auth": "4.24.15" };
const V5 = { next: "15.3.2", "next-auth": "5.0.0-beta.32" };

/** How options are written: the expression, and what is in front of it. */
const SPELLINGS: Readonly<Record<string, (name: string) => readonly [options: string, before: string]>> = {
  member: (name) => [`{ clientId, ${name}: value }`, ""],
  shorthand: (name) => [`{ ${name} }`, `const ${name} = value;`],
  method: (name) => [`{ ${name}() { return value; } }`, ""],
  quoted: (name) => [`{ "${name}": value }`, ""],
  computed: (name) => [`{ ["${name}"]: value }`, ""],
  spread: (name) => ["{ ...base, clientId }", `const base = { ${name}: value };`],
  constant: (name) => ["base", `const base = { ${name}: value };`],
  cast: (name) => [`({ ${name}: value } as any)`, ""],
  function: (name) => ["base()", `function base() { return { ${name}: value }; }`],
  choice: (name) => [`x ? { ${name}: value } : {}`, ""],
};

function move(auth: string, dependencies: Readonly<Record<string, string>>) {
  const files = new Map([
    ["/package.json", JSON.stringify({ dependencies })],
    ["/auth.ts", auth],
  ]);
  const result = adopt({ files });
  if ("refused" in result) throw new Error(result.refused);
  return { text: result.files.get("/auth.ts") ?? auth, lines: result.report.map(({ what }) => what) };
}

const provider = (name: string, options: string, before: string) =>
  `import NextAuth from "next-auth";\nimport Provider from "next-auth/providers/${name}";\n${before}\nexport const options = { providers: [Provider(${options})] };\nexport default NextAuth(options);\n`;

/** Names that no provider has. */
const unknown = fc.stringMatching(/^x[A-Z][a-z]{3,8}$/);

describe("nameUnread()", () => {
  it("names an option of a provider that its package does not read, in every spelling, and leaves it in the text", () => {
    const rows = fc.record({
      name: fc.constantFrom(...PROVIDER_PACKAGES.keys()),
      spelling: fc.constantFrom(...Object.keys(SPELLINGS)),
      option: fc.oneof(unknown, fc.constantFrom("httpOptions", "encoding", "version", "tenantId", "hd")),
      dependencies: fc.constantFrom(V4, V5),
    });
    fc.assert(
      fc.property(rows, ({ name, spelling, option, dependencies }) => {
        const [options, before] = SPELLINGS[spelling]?.(option) ?? ["", ""];
        const { text, lines } = move(provider(name, options, before), dependencies);
        expect(lines.join()).toContain(`\`${option}\``);
        if (option !== "tenantId") expect(text).toContain(option);
      }),
      { numRuns: 40 },
    );
  });

  it.each(["clientId", "authorization", "checks", "profile", "style", "idToken"])("says nothing of %s", (option) => {
    for (const name of ["google", "azure-ad", "github"])
      expect(move(provider(name, `{ ${option}: value }`, ""), V4).lines.join()).not.toContain(`\`${option}\``);
  });

  it("names `httpOptions` of a provider that is kept, and nothing else of it", () => {
    const { lines } = move(
      provider("hubspot", "{ ...base, region: value }", "const base = { httpOptions: value };"),
      V4,
    );
    expect(lines).toContain("`httpOptions` is not supported");
    expect(lines.join()).not.toContain("region");
  });
});

describe("nameUnreadOptions()", () => {
  it("names options of a configuration and of its provider objects that nothing reads", () => {
    fc.assert(
      fc.property(unknown, unknown, (one, two) => {
        const text = `import NextAuth from "next-auth";\nconst base = { ${one}: true };\nexport const { auth } = NextAuth({ ...base, trustHost: true, providers: [{ id: "a", type: "oauth", ${two}: true }] });\n`;
        const { lines } = move(text, V5);
        expect(lines).toContain(`the option \`${one}\` has no effect`);
        expect(lines).toContain(`the provider does not read \`${two}\``);
        expect(lines.join()).not.toContain("trustHost");
        const pushed = `const list = [];\nif (x) list.push({ id: "a", "type": "oidc", httpOptions: { timeout: 1 }, ${two}: true });\n`;
        const own = move(
          `import NextAuth from "next-auth";\n${pushed}export const { auth } = NextAuth({ providers: list });\n`,
          V5,
        );
        expect(own.lines).toContain("`httpOptions` is not supported");
        expect(own.lines).toContain(`the provider does not read \`${two}\``);
      }),
      { numRuns: 10 },
    );
  });
});
