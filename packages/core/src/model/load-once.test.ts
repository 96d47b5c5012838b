import { describe, expect, it } from "vitest";
import { loadOnce } from "./load-once.ts";

describe("loadOnce()", () => {
  it("loads nothing before its use, and once however often it is used, at the same time too", async () => {
    let loads = 0;
    const load = loadOnce(async () => {
      loads += 1;
      return { loads };
    });
    expect(loads).toBe(0);
    expect(await Promise.all([load(), load()])).toEqual([{ loads: 1 }, { loads: 1 }]);
    expect(await load()).toEqual({ loads: 1 });
  });

  it("rejects when the module cannot be loaded, and tries again", async () => {
    const answers = [Promise.reject(new Error("no such file")), Promise.resolve("loaded")];
    const load = loadOnce(() => answers.shift() ?? Promise.reject(new Error("too often")));
    await expect(load()).rejects.toThrow("no such file");
    expect(await load()).toBe("loaded");
    expect(await load()).toBe("loaded");
  });
});
