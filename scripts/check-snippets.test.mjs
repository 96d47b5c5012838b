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

  it("compiles what a comment in front of a block adds, and counts lines as the reader does", () => {
    const hidden = '<!-- ts\nimport { answer } from "@cardea/x";\ndeclare const s: string;\n-->\n';
    expect(check(hidden + block("const n: number = answer + s.length;"))).toEqual([]);
    const found = check(`text\n${hidden}\n${block("const fine = 1;\nconst n: string = answer;")}`);
    expect(found).toEqual([expect.stringMatching(/^README\.md:9 Type 'number'/)]);
    expect(check(hidden + block("const a = 1;") + block("const b = answer;"))).toHaveLength(1); // for the next block only
  });

  it("lets a file be in a comment, in a folder, and be imported from the root", () => {
    const file = "<!-- ts\n// lib/db.ts\nexport const rows = 1;\n-->\n";
    const page = block('// app/[...auth]/page.tsx\nimport { rows } from "@/lib/db";\nconst n: number = rows;', "tsx");
    expect(check(file + page)).toEqual([]);
    expect(check(file + page.replace("@/lib", "@/other"))).toEqual([expect.stringContaining("Cannot find module")]);
  });

  it("refuses two blocks of one name: only one of them would be looked at", () => {
    const found = check(block("// a.ts\nexport const a: string = 1;") + block("// a.ts\nexport const a = 1;"));
    expect(found).toEqual(["README.md:2 another block has its name"]);
  });

  it("lets no block be marked as one that need not compile", () => {
    expect(check(`text\n${block("nothing();", "ts fragment")}`)).toEqual([
      expect.stringMatching(/^README\.md:2 every block/),
    ]);
  });

  it("reads JSX in tsx blocks", () => {
    const jsx = "declare namespace JSX { interface IntrinsicElements { p: object } }\nconst a = <p />;";
    expect(check(block(jsx, "tsx")).join()).not.toContain("expected");
    expect(check(block(jsx)).join()).toContain("expected");
  });

  it.each(["docs/a.md", "docs/deep/a.md", "packages/x/README.md"])("reads %s", (path) => {
    expect(check(block("const a: string = 1;"), path)).toEqual([expect.stringContaining(`${path}:2`)]);
  });

  it.each([
    ["another language", block("nothing();", "js") + block("nothing();", "sh")],
    ["no block", "nothing();"],
  ])("skips %s", (_, text) => {
    expect(check(text)).toEqual([]);
  });

  it("does not read other documents", () => {
    expect(check(block("nothing();"), "packages/x/CHANGELOG.md")).toEqual([]);
  });
});
