import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isTest, listFiles, packageNames } from "./source-files.mjs";

const root = join(import.meta.dirname, "..");

/** Patterns and comparisons that answer "is this host the local machine?"; the browser of the tests judges as Chromium does. */
const OWN = { loopback: "packages/core/src/protocol/loopback.ts", tests: /^packages\/testing\/|\/databases\// };

test("one expression says which hosts are the local machine", () => {
  const sources = packageNames(root)
    .flatMap((name) => listFiles(root, `packages/${name}/src`))
    .filter((path) => /\.tsx?$/.test(path));
  const places = sources
    .filter((path) => !isTest(path) && !OWN.tests.test(path))
    .filter((path) => /\|\[::1|127\\\.|127\(|=== "localhost"/.test(readFileSync(join(root, path), "utf8")));
  expect(sources.length).toBeGreaterThan(300);
  expect(places).toEqual([OWN.loopback]);
});
