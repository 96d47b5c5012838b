import { describe, expect, it } from "vitest";
import { checkReadmes } from "./check-readmes.mjs";
import { plantTree } from "./plant-tree.mjs";

const fence = "```";
const whole = [
  "# @cardea/providers-x",
  "Sign in with X, a provider that stands for others.",
  `${fence}sh\nnpm install @cardea/core @cardea/providers-x\n${fence}`,
  `${fence}ts\nimport { X } from "@cardea/providers-x";\n${fence}`,
  "## Options\n\n| option | default |\n|---|---|\n| `tenant` | none |",
  "## Errors\n\nNone.",
  "## Recipes\n\n### One",
].join("\n\n");

const source =
  "export interface XOptions extends Base { tenant?: string }\ninterface InnerOptions { hidden?: string }\n";

function check({ readme = whole, list = "[x](packages/providers-x/README.md)", src = source } = {}) {
  return checkReadmes(
    plantTree({
      "README.md": list,
      "packages/providers-x/package.json": '{ "name": "@cardea/providers-x" }',
      "packages/providers-x/README.md": readme,
      "packages/providers-x/src/index.ts": src,
    }),
  );
}

describe("checkReadmes()", () => {
  it("accepts a README that has everything", () => {
    expect(check()).toEqual([]);
  });

  it.each([
    ["title", "# @cardea/providers-x\n\n", "# X\n\n"],
    ["command that installs it", "npm install @cardea/core @cardea/providers-x", "npm install @cardea/core"],
    ["example that imports it", 'from "@cardea/providers-x"', 'from "@cardea/core"'],
    ["table of options below `## Options`", "|---|---|", ""],
    ["section `## Errors`", "## Errors", "## Trouble"],
    ["section `## Recipes`", "## Recipes\n\n### One", "## Recipes\n"],
    ["purpose below its title", "Sign in with X, a provider that stands for others.", "x"],
  ])("asks for a %s", (what, text, other) => {
    expect(check({ readme: whole.replace(text, other) })).toEqual([`packages/providers-x/README.md:1 has no ${what}`]);
  });

  it("asks for the options that the package declares", () => {
    const found = check({ src: source.replace("tenant?", "realm?") });
    expect(found).toEqual(["packages/providers-x/README.md:1 does not name the option `realm`"]);
  });

  it("compares the list of packages with the packages", () => {
    expect(check({ list: "" })).toEqual(["README.md:1 does not list packages/providers-x"]);
    const list = "[x](packages/providers-x/README.md) [y](packages/y/README.md)";
    expect(check({ list })).toEqual(["README.md:1 lists packages/y, which is not there"]);
  });
});
