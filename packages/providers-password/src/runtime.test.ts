import { describe, expect, it } from "vitest";
import { resolveOptions } from "./options.ts";
import { runtimeOf } from "./runtime.ts";

describe("runtimeOf()", () => {
  it("has one runtime for each application, and one pool for all with the same settings", () => {
    const [one, other] = [{ application: {} }, { application: {} }];
    const settings = () => resolveOptions({ parallel: 3, wait: 7 });
    const runtime = runtimeOf(one, settings());
    expect(runtimeOf(one, settings())).toBe(runtime);
    expect(runtimeOf(other, settings())).not.toBe(runtime);
    expect(runtimeOf(other, settings()).pool).toBe(runtime.pool);
    expect(runtimeOf({ application: {} }, resolveOptions({ parallel: 2, wait: 7 })).pool).not.toBe(runtime.pool);
  });
});
