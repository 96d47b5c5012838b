import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareTexts, writeTexts } from "./committed-texts.mjs";
import { plantTree } from "./plant-tree.mjs";

describe("compareTexts()", () => {
  const root = () => plantTree({ "a/same.txt": "1\n2\n", "a/other.txt": "1\n2\n2\n3\n", "a/old.txt": "1\n" });

  it("accepts what is the same", () => {
    expect(compareTexts(root(), { "a/same.txt": "1\n2\n" }, "renew it")).toEqual([]);
  });

  it("shows the lines that differ", () => {
    const problems = compareTexts(root(), { "a/other.txt": "1\n2\n4\n3\n" }, "renew it");
    expect(problems).toEqual(["a/other.txt:1 is out of date: renew it\n  - 2\n  + 4"]);
  });

  it("sees another order of the same lines", () => {
    expect(compareTexts(root(), { "a/same.txt": "2\n1\n" }, "renew it")).toHaveLength(1);
  });

  it("misses a text that is not there, and one that should not be", () => {
    expect(compareTexts(root(), { "a/new.txt": "1\n", "a/old.txt": undefined }, "renew it")).toEqual([
      "a/new.txt:1 is missing: renew it",
      "a/old.txt:1 describes what is not there any more: renew it",
    ]);
  });

  it("shows no more lines than somebody reads", () => {
    const text = Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n");
    const [problem] = compareTexts(root(), { "a/same.txt": text }, "renew it");
    expect(problem.split("\n")).toHaveLength(42);
    expect(problem).toMatch(/and 63 more lines$/);
  });
});

describe("writeTexts()", () => {
  it("writes what compareTexts() accepts, in new folders too, and removes what has no text", () => {
    const root = plantTree({ "old.txt": "1\n" });
    const texts = { "b/c/new.txt": "1\n", "old.txt": undefined };
    writeTexts(root, texts);
    expect(compareTexts(root, texts, "renew it")).toEqual([]);
    expect(existsSync(join(root, "old.txt"))).toBe(false);
  });
});
