import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createApplications, MAX_APPLICATIONS } from "./applications.ts";

const create = () => createApplications(() => ({}));

describe("createApplications()", () => {
  it("finds one application by each of its secrets, also while they are rotated", () => {
    const applicationOf = create();
    const first = applicationOf(["old"]);
    expect(applicationOf(["new", "old"])).toBe(first);
    expect(applicationOf(["new"])).toBe(first);
    expect(applicationOf(["newest", "new"])).toBe(first);
    expect(applicationOf(["other"])).not.toBe(first);
  });

  it("shares nothing between lists without a common secret", () => {
    const secrets = fc.uniqueArray(fc.string(), { minLength: 2 });
    fc.assert(
      fc.property(secrets, fc.nat(), (all, n) => {
        const at = 1 + (n % (all.length - 1));
        const applicationOf = create();
        const [one, other] = [all.slice(0, at), all.slice(at)];
        expect(applicationOf(one)).not.toBe(applicationOf(other));
        expect(applicationOf(one)).toBe(applicationOf(one.slice(-1)));
      }),
    );
  });

  it("drops the least recently used application beyond the limit, and no other", () => {
    const applicationOf = create();
    const known = Array.from({ length: MAX_APPLICATIONS }, (_, n) => applicationOf([`${n}`]));
    expect(applicationOf(["0"])).toBe(known[0]);
    applicationOf(["one more"]);
    expect(known.map((one, n) => n !== 1 && applicationOf([`${n}`]) === one).filter((same) => !same)).toHaveLength(1);
    expect(applicationOf(["1"])).not.toBe(known[1]);
  });
});
