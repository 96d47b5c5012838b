import { describe, expect, it } from "vitest";
import { isPromise, loadOnce, whenThere } from "./when-there.ts";

/** As some programs put one in place of the global `Promise`. */
class Replaced {
  // biome-ignore lint/suspicious/noThenProperty: it stands for a promise of another class
  then(next: (value: number) => unknown): unknown {
    return next(7);
  }
}

describe("whenThere()", () => {
  it("goes on at once with a value, and later with a promise", async () => {
    expect(whenThere(1, (value) => value + 1)).toBe(2);
    expect(whenThere(null, (value) => value)).toBeNull();
    const later = whenThere(Promise.resolve(1), (value) => value + 1);
    expect(isPromise(later)).toBe(true);
    expect(await later).toBe(2);
  });

  it("goes on with a promise of another class", () => {
    const replaced: unknown = new Replaced();
    expect(whenThere(replaced as Promise<number>, (value) => value + 1)).toBe(8);
  });
});

describe("isPromise()", () => {
  it.each([[null], [undefined], [0], ["then"], [{}], [[]]])("is false for %j", (value) => {
    expect(isPromise(value)).toBe(false);
  });
});

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
