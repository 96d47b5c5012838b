import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageNames } from "./source-files.mjs";

const root = join(import.meta.dirname, "..");

/** Installed in an old version too: packages for Auth.js ask for it, and no source of ours imports that one. */
const OLD_VERSION_TOO = ["@simplewebauthn/server"];

// Test files that share a worker can get the version that another package has installed, and then `instanceof` says no.
test("our packages have one version of what they install", () => {
  const versions = new Map();
  for (const name of packageNames(root)) {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
    for (const [dependency, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      if (version.startsWith("workspace:") || OLD_VERSION_TOO.includes(dependency)) continue;
      versions.set(dependency, (versions.get(dependency) ?? new Set()).add(version));
    }
  }
  expect(versions.size).toBeGreaterThan(10);
  expect([...versions].filter(([, found]) => found.size > 1)).toEqual([]);
});
