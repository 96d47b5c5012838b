import { describe, expect, it } from "vitest";
import { checkSnippets } from "./check-snippets.mjs";
import { plantTree } from "./plant-tree.mjs";

const fence = "```";
const block = (code, mark = "ts") => `${fence}${mark}\n${code}\n${fence}\n`;

/** A tree with one document, a package @cardea/x that exports `answer: number`, and an installed package `foreign`. */
function check(text, path = "README.md") {
  return checkSnippets(
    plantTree({
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          strict: true,
          target: "ES2022",
          module: "ESNext",
          moduleResolution: "Bundler",
          lib: ["ES2022"],
          types: [],
          paths: { "@cardea/*": ["./packages/*/src/index.ts"] },
        },
      }),
      "packages/x/src/index.ts": "export const answer = 42;\n",
      "packages/x/node_modules/foreign/index.js": "",
      "packages/x/node_modules/@types/foreign/index.d.ts": "export const far: string;\n",
      [path]: text,
    }),
  );
}

describe("checkSnippets()", () => {
  it("accepts blocks that compile against the sources and what a package has installed", () => {
    const code =
      'import { answer } from "@cardea/x";\nimport { far } from "foreign";\nconst n: number = answer + far.length;';
    expect(check(block(code))).toEqual([]);
  });

  it("names the line of a problem in the document", () => {
    const code = 'import { answer } from "@cardea/x";\nconst text: string = answer;';
    expect(check(`# Title\n\n${block(code)}`)).toEqual([expect.stringMatching(/^README\.md:5 Type 'number'/)]);
  });

  it("finds what cannot be parsed, and what is not there", () => {
    expect(check(block("const a = ;"))).toEqual([expect.stringContaining("README.md:2 Expression expected")]);
    expect(check(block('import "@cardea/y";\nimport { b } from "@cardea/x";'))).toHaveLength(2);
  });

  it("keeps blocks apart, and lets a named one be imported", () => {
    expect(check(block("const a = 1;") + block("const a = 2;"))).toEqual([]);
    const named = block("// a.ts\nexport const a = 1;");
    expect(check(named + block('import { a } from "./a.ts";\nconst b: number = a;'))).toHaveLength(1); // needs the option
    expect(check(named + block('import { a } from "./a";\nconst b: number = a;'))).toEqual([]);
  });

  it.each(["docs/a.md", "docs/deep/a.md", "packages/x/README.md"])("reads %s", (path) => {
    expect(check(block("const a: string = 1;"), path)).toEqual([expect.stringContaining(`${path}:2`)]);
  });

  it.each([
    ["a fragment", block("nothing();", "ts fragment")],
    ["another language", block("nothing();", "js") + block("nothing();", "sh")],
    ["no block", "nothing();"],
  ])("skips %s", (_, text) => {
    expect(check(text)).toEqual([]);
  });

  it("does not read other documents", () => {
    expect(check(block("nothing();"), "packages/x/CHANGELOG.md")).toEqual([]);
  });
});
