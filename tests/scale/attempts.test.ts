// What attempts cost a store: the calls of an attempt.
import { memoryStore } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { countAttemptCalls } from "./measure-attempts.ts";

describe("countAttemptCalls()", () => {
  it("counts what docs/attempts.md says", async () => {
    expect(await countAttemptCalls(memoryStore())).toEqual({ wrong: 3, first: 9, next: 13 });
    expect(await countAttemptCalls(memoryStore(), { client: { hops: 1 } })).toEqual({ wrong: 5, first: 11, next: 15 });
  });
});
