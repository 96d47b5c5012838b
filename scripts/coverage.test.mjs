import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCoverage, writeCoverage } from "./coverage.mjs";
import { plantTree } from "./plant-tree.mjs";

const rules = [
  { id: "spec 4.1", promise: "Actions.", issue: 3 },
  { id: "spec 4.1 session", promise: "The session.", issue: 3 },
  { id: "spec 5.1", promise: "One.", issue: 3 },
  { id: "spec 5.11", promise: "Eleven.", issue: 9 },
];
const cases = [
  { id: "H001", area: "csrf", title: "A form.", issue: 3 },
  { id: "R54", area: "faults", title: "A handler.", issue: "later" },
  { id: "oidcc-client-test", area: "suite", title: "Plain.", issue: 9 },
  { id: "oidcc-client-test-x", area: "suite", title: "Another.", issue: 9 },
];

/** A tree with the lists above and one test file; returns what is written for a rule or case, and the problems. */
function plant(source, path = "packages/x/src/a.test.ts", more = {}) {
  const root = plantTree({
    "docs/coverage/spec-rules.json": JSON.stringify(rules),
    "docs/coverage/safety-cases.json": JSON.stringify(cases),
    [path]: source,
    ...more,
  });
  const problems = writeCoverage(root);
  const page = readFileSync(join(root, "docs/coverage.md"), "utf8");
  const testsOf = (id) => {
    const entry = page.split("\n- ").find((part) => part.startsWith(`**${id}**`)) ?? "";
    return entry
      .split("\n  - ")
      .slice(1)
      .map((line) => line.split("\n")[0].replace("`packages/x/src/a.test.ts` › ", ""));
  };
  return { root, problems, page, testsOf };
}

const all = 'it("H001 a");\nit("spec 4.1 b");\nit("spec 4.1 session c");\nit("spec 5.1 d");\n';

describe("writeCoverage()", () => {
  it("writes which test shows a rule or a case, sorted, without a problem", () => {
    const { problems, testsOf } = plant(`describe("H001 z", () => {\n  it.only("H001 R54 a", () => {});\n});\n${all}`);
    expect(problems).toEqual([]);
    expect(testsOf("H001")).toEqual(["`H001 R54 a`", "`H001 a`", "`H001 z`"]);
    expect(testsOf("R54")).toEqual(["`H001 R54 a`"]);
  });

  it("takes the longest number that fits", () => {
    const { testsOf } = plant('it("spec 4.1 session x");\nit("spec 4.1 sessions");\nit("spec 5.11 e");\n');
    expect(testsOf("spec 4.1 session")).toEqual(["`spec 4.1 session x`"]);
    expect(testsOf("spec 4.1")).toEqual(["`spec 4.1 sessions`"]);
    expect(testsOf("spec 5.1")).toEqual(["*none: issue 3*"]);
    expect(testsOf("spec 5.11")).toEqual(["`spec 5.11 e`"]);
  });

  it("keeps the modules of the suite apart", () => {
    const { testsOf } = plant('it("oidcc-client-test-x");');
    expect(testsOf("oidcc-client-test")).toEqual(["*none: issue 9*"]);
    expect(testsOf("oidcc-client-test-x")).toEqual(["`oidcc-client-test-x`"]);
  });

  it.each([
    ['it.each([["H001 a form", 1]])("refuses %s", () => {});', "`refuses H001 a form`"],
    ['const rows = [{ name: "H001" }];\nit.each(rows)("$name refuses", () => {});', "`H001 refuses`"],
    ['it.each([1, 2])("H001 refuses %d", () => {});', "`H001 refuses %d`"],
    ['it.skipIf(onWindows)("H001 a", () => {});', "`H001 a`"],
    [`it(\`H001 \${a} b\`, () => {});`, "`H001 … b`"],
    ['it("H001 says `a`", () => {});', "`` H001 says `a` ``"],
  ])("finds the name in %s", (source, name) => {
    expect(plant(source).testsOf("H001")).toEqual([name]);
  });

  it.each([
    'it.skip("H001 a");',
    'it.todo("H001 a");',
    'describe.skip("x", () => { it("H001 a"); });',
    'it.each(["H001 a"])("no place for it", () => {});',
    'it.each(["as data: H001"])("refuses %s", () => {});',
    'expect("H001 a");',
    "// H001 a",
  ])("takes nothing from %s", (source) => {
    expect(plant(source).testsOf("H001")).toEqual(["*none: issue 3*"]);
  });

  it("reads browser tests and tests with markup, and no other files", () => {
    expect(plant(all, "e2e/a.e2e.test.ts").problems).toEqual([]);
    expect(plant(all, "packages/x/src/a.test.tsx").problems).toEqual([]);
    expect(plant(all, "packages/x/src/a.ts").problems).toHaveLength(4);
  });

  it("names a gap of what is done, and none of what is not", () => {
    expect(plant(all.replace("spec 5.1 d", "d")).problems).toEqual(["docs/coverage.md:1 no test shows spec 5.1"]);
  });

  it("refuses a number that is in no list", () => {
    const { problems } = plant(`${all}it("H999 a");\nit("spec 7 b");\nit("oidcc-client-test-y");\n`);
    expect(problems.map((problem) => /names (.*), which/.exec(problem)?.[1])).toEqual([
      "H999",
      "spec 7",
      "oidcc-client-test-y",
    ]);
  });
});

describe("promises", () => {
  it("may rely on what a test shows", () => {
    expect(plant(all, undefined, { "SECURITY.md": "Forms: H001, spec 5.1.\n" }).problems).toEqual([]);
  });

  it("may not rely on what none shows, nor on what is in no list", () => {
    const { problems } = plant(all, undefined, { "SECURITY.md": "# Promises\nHandlers: R54, H999.\n" });
    expect(problems).toEqual([
      "SECURITY.md:2 relies on R54, which no test shows",
      "SECURITY.md:2 relies on H999, which no test shows",
    ]);
  });
});

describe("checkCoverage()", () => {
  it("accepts a page that is up to date", () => {
    expect(checkCoverage(plant(all).root)).toEqual([]);
  });

  it("refuses a page that is not, or is missing", () => {
    const stale = { "docs/coverage.md": "# Coverage\n" };
    const files = {
      "docs/coverage/spec-rules.json": "[]",
      "docs/coverage/safety-cases.json": "[]",
    };
    for (const more of [stale, {}]) {
      expect(checkCoverage(plantTree({ ...files, ...more }))).toEqual([expect.stringContaining("is out of date")]);
    }
  });
});
