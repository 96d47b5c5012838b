import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkReport, checkTable, writeTable } from "./compatibility.mjs";
import { plantTree } from "./plant-tree.mjs";

const readme = "# X\n\n<!-- runtimes: scripts/compatibility.mjs -->\n<!-- /runtimes -->\n\nmore\n";

/** A report of vitest with one test for each `[package on runtime, check, status]`. */
function report(...tests) {
  const assertionResults = tests.map(([group, title, status]) => ({ ancestorTitles: [group], title, status }));
  return { testResults: [{ assertionResults }] };
}

const good = report(
  ["@cardea/core on Node 20", "sign in", "passed"],
  ["@cardea/core on Bun 1", "sign in", "passed"],
  ["@cardea/express on Node 20", "sign in", "passed"],
);

function plant() {
  const root = plantTree({ "README.md": readme, "runtimes/results.json": "{}" });
  return { root, read: () => readFileSync(join(root, "README.md"), "utf8") };
}

describe("writeTable()", () => {
  it("writes a row for each check with the packages of which it was shown", () => {
    const { root, read } = plant();
    expect(writeTable(root, good)).toEqual([]);
    expect(read()).toContain(
      "|  | Node 20 | Bun 1 |\n| --- | --- | --- |\n| sign in | core, express | core |\n<!-- /runtimes -->\n\nmore\n",
    );
    expect(checkTable(root)).toEqual([]);
  });

  it("names what did not pass, and leaves it out", () => {
    const { root, read } = plant();
    const some = report(
      ["@cardea/core on Node 20", "sign in", "passed"],
      ["@cardea/core on Node 20", "sign out", "failed"],
      ["@cardea/core on Bun 1", "sign in", "skipped"],
    );
    expect(writeTable(root, some)).toEqual([
      "@cardea/core on Node 20: sign out: failed",
      "@cardea/core on Bun 1: sign in: skipped",
    ]);
    expect(read()).toContain("|  | Node 20 |\n");
    expect(read()).not.toContain("sign out");
  });
});

describe("checkTable()", () => {
  it("notices a table that was changed by hand, and a README without a place for it", () => {
    const edited = plantTree({
      "README.md": readme.replace("<!-- /", "| by hand |\n<!-- /"),
      "runtimes/results.json": "{}",
    });
    expect(checkTable(edited)).toEqual([expect.stringContaining("says something else")]);
    const without = plantTree({ "README.md": "# X\n", "runtimes/results.json": "{}" });
    expect(checkTable(without)).toEqual([expect.stringContaining("no place")]);
  });
});

describe("checkReport()", () => {
  it("is content with the results that are written down, and with what could not run here", () => {
    const { root } = plant();
    writeTable(root, good);
    expect(checkReport(root, good)).toEqual([]);
    const elsewhere = report(
      ["@cardea/core on Node 20", "sign in", "passed"],
      ["@cardea/core on Bun 1", "sign in", "skipped"],
      ["@cardea/express on Node 20", "sign in", "passed"],
    );
    expect(checkReport(root, elsewhere)).toEqual([]);
  });

  it("notices what fails now, what passes now, and what is gone", () => {
    const { root } = plant();
    writeTable(root, good);
    const now = report(
      ["@cardea/core on Node 20", "sign in", "failed"],
      ["@cardea/core on Bun 1", "sign in", "passed"],
      ["@cardea/core on Bun 1", "sign out", "passed"],
    );
    expect(checkReport(root, now)).toEqual([
      expect.stringContaining("@cardea/core on Node 20: sign in: failed"),
      expect.stringContaining("@cardea/core on Bun 1: sign out: passed"),
      expect.stringContaining("@cardea/express on Node 20: sign in: no such test"),
    ]);
  });
});
