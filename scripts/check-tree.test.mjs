import { describe, expect, it } from "vitest";
import { checkTree } from "./check-tree.mjs";
import { plantTree } from "./plant-tree.mjs";

const lockfile = "lockfileVersion: '9.0'\npackages:\n  http-errors@2.0.0:\n    resolution: {integrity: sha512-x}\n";
const tree = (files) => checkTree(plantTree({ "pnpm-lock.yaml": lockfile, ...files }));
/** A path of one machine, put together so that this file does not hold one. */
const path = (...parts) => ["", ...parts].join("/");

describe("checkTree()", () => {
  it.each([
    path("work", "main", "a.ts"),
    `see ${path("root", ".npmrc")}`,
    `"${path("home", "someone", "a")}"`,
    `(${path("Users", "someone", "a")})`,
    path("tmp", "bash_jobs.0"),
  ])("refuses a path of one machine: %s", (text) => {
    expect(tree({ "docs/a.md": `fine\n${text}\n` })).toEqual([expect.stringContaining("docs/a.md:2 ")]);
  });

  it("accepts other paths", () => {
    const text = "https://example.com/work/a ../root/b.ts ./work/c src/root/d /home/ /rooted/e /usr/bin/chromium";
    expect(tree({ "docs/a.md": text })).toEqual([]);
  });

  it("does not look at what is installed or built", () => {
    const text = path("work", "main", "a");
    expect(tree({ "node_modules/a/b.js": text, "packages/core/dist/c.js": text })).toEqual([]);
  });

  it("refuses a host in the lockfile, and a missing lockfile", () => {
    const host = `${lockfile}    tarball: https://registry.example.com/a.tgz\n`;
    expect(tree({ "pnpm-lock.yaml": host })).toEqual([expect.stringContaining("pnpm-lock.yaml:5 ")]);
    expect(checkTree(plantTree({}))).toEqual(["pnpm-lock.yaml is missing"]);
  });
});
