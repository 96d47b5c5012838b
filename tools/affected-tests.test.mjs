import { describe, expect, it } from "vitest";
import { chooseTests } from "./affected-tests.mjs";

const at = (name) => `packages/${name}`;

describe("chooseTests()", () => {
  it("prefers tests that differ, then those of the folder, then those that import what differs, the nearest first", () => {
    const [changed, beside, near, far, other, apart] = [
      ...["core/src/a/one.test.ts", "core/src/a/two.test.ts", "core/src/b/near.test.ts"],
      ...["core/test/far.test.ts", "next/src/near.test.ts", "cli/src/apart.test.ts"],
    ].map(at);
    const importers = new Map([
      [at("core/src/a/one.ts"), [at("core/src/index.ts"), near, other]],
      [at("core/src/index.ts"), [far]],
    ]);
    const tests = [apart, far, other, near, beside, changed];
    expect(chooseTests([changed, at("core/src/a/one.ts")], { tests, importers })).toEqual({
      chosen: [changed, beside, near, other, far],
      left: [],
    });
  });

  it("chooses fifty", () => {
    const tests = Array.from({ length: 60 }, (_, index) => at(`core/src/${index}.test.ts`));
    const { chosen, left } = chooseTests([at("core/src/one.ts")], { tests, importers: new Map() });
    expect([chosen.length, [...chosen, ...left]]).toEqual([50, tests]);
  });

  it("chooses none for what no test imports", () => {
    const tree = { tests: [at("core/src/one.test.ts")], importers: new Map([["README.md", []]]) };
    expect(chooseTests(["README.md", "docs/sessions.md"], tree)).toEqual({ chosen: [], left: [] });
  });
});
