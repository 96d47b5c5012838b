import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkApplication, describeProblem, emitDeclarations, foreignPackageOf } from "./declarations.ts";

const folder = join(import.meta.dirname, "types");
const files = readdirSync(folder)
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(folder, name));

/** Packages whose own declarations do not compile without `skipLibCheck`, anyone who uses them. */
const KNOWN_TO_FAIL = ["@auth/core", "@hexagon/base64", "@simplewebauthn/server", "next", "unstorage"];

describe("an application that was written for Auth.js", () => {
  const used = ["core", "client", "next", "express", "providers-credentials", "providers-email", "providers-github"];
  const declarations = emitDeclarations([...used, "providers-google"]);

  it("compiles strictly, declarations included", { timeout: 120_000 }, () => {
    const problems = checkApplication(declarations, files);
    const ours = problems.filter((problem) => foreignPackageOf(problem) === undefined);
    expect(ours.map(describeProblem)).toEqual([]);
    const foreign = new Set(problems.flatMap((problem) => foreignPackageOf(problem) ?? []));
    expect([...foreign].filter((name) => !KNOWN_TO_FAIL.includes(name))).toEqual([]);
  });

  it("is shown by at least forty snippets", () => {
    const numbers = files.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/^\/\/ (\d+)\. /gm)].map(([, number]) => Number(number)),
    );
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
    expect(numbers.length).toBeGreaterThanOrEqual(40);
  });
});
