import { describe, expect, it } from "vitest";
import type { Entry } from "./entry.ts";
import { Unwritten } from "./unwritten.ts";

const end = (id: string, until = 100): Entry => ({ kind: "end", of: "sid", id, until, why: "ended" });
const count = (id: string, value: number, until = 100): Entry => ({ kind: "count", of: "epoch", id, until, value });

describe("Unwritten", () => {
  it("keeps one entry per subject, however often it is added", () => {
    const waiting = new Unwritten();
    for (let n = 0; n < 1000; n++) waiting.add([end("a", n), count("a", n), end("b")]);
    expect(waiting.list()).toEqual([end("a", 999), count("a", 999, 100), end("b")]);
  });

  it("keeps the longest time and the greatest value", () => {
    const waiting = new Unwritten();
    waiting.add([end("a", 200), count("a", 7, 200)]);
    waiting.add([end("a", 100), count("a", 5, 300)]);
    expect(waiting.list()).toEqual([end("a", 200), count("a", 7, 300)]);
  });

  it("keeps what was added while the others were written", () => {
    const waiting = new Unwritten();
    waiting.add([end("a"), end("b"), count("a", 1)]);
    const listed = waiting.list();
    waiting.add([end("a"), end("c"), count("a", 2)]);
    waiting.remove(listed);
    expect(waiting.list()).toEqual([count("a", 2), end("c")]);
    waiting.remove(waiting.list());
    expect(waiting.size).toBe(0);
  });
});
