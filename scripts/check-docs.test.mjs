import { describe, expect, it } from "vitest";
import { checkDocs } from "./check-docs.mjs";
import { plantTree } from "./plant-tree.mjs";

const exportsOf = (...names) =>
  Object.fromEntries(names.map((name) => [name === "index" ? "." : `./${name}`, { default: `./dist/${name}.js` }]));

/** A tree with one package `x` whose entry points are `index` and `extra`. */
function plant(sources, { entry = '{ index: "src/index.ts", "extra": "src/deep/extra.ts" }', paths = {} } = {}) {
  const files = Object.entries(sources).map(([path, text]) => [`packages/x/src/${path}`, text]);
  return plantTree({
    "packages/x/package.json": JSON.stringify({
      name: "@cardea/x",
      exports: { ...exportsOf("index", "extra"), "./package.json": "./package.json" },
    }),
    "packages/x/tsup.config.ts": `export default defineConfig({ entry: ${entry}, dts: true });`,
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        paths: {
          "@cardea/x/extra": ["./packages/x/src/deep/extra.ts"],
          "@cardea/*": ["./packages/*/src/index.ts"],
          ...paths,
        },
      },
    }),
    ...Object.fromEntries(files),
  });
}

const documented = "/** Does a. */\nexport const a = 1;\n";

describe("checkDocs()", () => {
  it("accepts documented exports", () => {
    const index = 'export { b, type C } from "./b.ts";\nexport * from "./b.ts";\nexport type { D } from "elsewhere";\n';
    const b = "/** Does b. */\nexport function b() {}\n/** Holds c. */\nexport interface C { d: 1 }\n";
    expect(checkDocs(plant({ "index.ts": index, "b.ts": b, "deep/extra.ts": documented }))).toEqual([]);
  });

  it.each([
    "export const a = 1;",
    "// not a doc comment\nexport function a() {}",
    "export interface A { /** Only here. */ b: 1 }",
    "export type A = 1;",
    "export class A {}",
    "const a = 1;\nexport { a };",
    "export default function a() {}",
    "/** */\nexport const a = 1;",
  ])("refuses an export without doc comment: %s", (text) => {
    const [problem, ...others] = checkDocs(plant({ "index.ts": documented, "deep/extra.ts": text }));
    expect(problem).toMatch(/^packages\/x\/src\/deep\/extra\.ts:\d+ /);
    expect(others).toEqual([]);
  });

  it("finds what is exported through other files, once, where it is declared", () => {
    const index = 'export * from "./b.ts";\nexport { c as d } from "./b.ts";\n';
    const root = plant({ "index.ts": index, "b.ts": "\nexport const c = 1;\n", "deep/extra.ts": documented });
    expect(checkDocs(root).map((problem) => problem.split(" ")[0])).toEqual([
      "packages/x/src/b.ts:2",
      "packages/x/src/b.ts:2",
    ]);
  });

  it("does not look at what no entry point exports", () => {
    const root = plant({ "index.ts": documented, "b.ts": "export const b = 1;", "deep/extra.ts": documented });
    expect(checkDocs(root)).toEqual([]);
  });

  it("refuses an entry point that is not built, and one that tests would see elsewhere", () => {
    const sources = { "index.ts": documented, "deep/extra.ts": documented };
    expect(checkDocs(plant(sources, { entry: '["src/index.ts"]' }))).toEqual([
      expect.stringContaining("@cardea/x/extra"),
    ]);
    const paths = { "@cardea/x/extra": ["./packages/x/src/index.ts"] };
    expect(checkDocs(plant(sources, { paths }))).toEqual([expect.stringContaining("tsconfig.json's paths")]);
  });

  it("refuses an entry point without its source", () => {
    expect(checkDocs(plant({ "index.ts": documented }))).toEqual([expect.stringContaining("exports nothing")]);
  });
});
