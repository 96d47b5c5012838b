import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const page = readFileSync(join(import.meta.dirname, "../../docs/from-authjs.md"), "utf8");
/** What the tests, types, providers and adapters of Auth.js, and applications that were moved, show to differ. */
const differences: readonly string[] = JSON.parse(readFileSync(join(import.meta.dirname, "differences.json"), "utf8"));

const rows = page.split("\n").flatMap((line) => {
  const key = /^\| <a id="([\w-]+)"><\/a>/.exec(line)?.[1];
  return key === undefined ? [] : [{ key, cells: line.split(/(?<!\\)\|/).map((cell) => cell.trim()) }];
});

describe("docs/from-authjs.md", () => {
  it.each(differences)("has a line for %s", (difference) => {
    expect(rows.filter(({ key }) => key === difference)).toHaveLength(1);
  });

  it("has no line that is not in the list", () => {
    expect(rows.map(({ key }) => key).filter((key) => !differences.includes(key))).toEqual([]);
  });

  it.each(rows)("says of $key what it was, what it is and why", ({ cells }) => {
    expect(cells).toHaveLength(6);
    expect(cells.slice(1, 5).filter((cell) => cell === "")).toEqual([]);
  });
});
