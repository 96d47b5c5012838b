import { describe, expect, it } from "vitest";
import type { Store } from "../model/store.ts";
import { findStoreWarnings } from "./startup-warnings.ts";

/** A store of which only its scope is looked at. */
function parseStore(scope?: string): Store {
  return { scope } as Store;
}

describe("findStoreWarnings()", () => {
  it.each([
    [{}, 0],
    [{ NODE_ENV: "production" }, 1],
    [{ VERCEL: "1" }, 1],
    [{ AWS_LAMBDA_FUNCTION_NAME: "auth", NODE_ENV: "production" }, 1],
    [{ NODE_APP_INSTANCE: "0" }, 1],
    [{ NODE_UNIQUE_ID: "" }, 0],
  ])("with %j, warns %i times about a store of one process", (env, times) => {
    expect(findStoreWarnings(parseStore("process"), env)).toHaveLength(times);
  });

  it("names the sign of several processes, and the way out", () => {
    expect(findStoreWarnings(parseStore("process"), { NODE_APP_INSTANCE: "3" })).toEqual([
      expect.stringMatching(/^memory-store: .*NODE_APP_INSTANCE.*@cardea\/store-redis.*instances: 1/),
    ]);
  });

  it.each([undefined, parseStore(), parseStore("application")])("warns about no other", (store) => {
    expect(findStoreWarnings(store, { VERCEL: "1" })).toEqual([]);
  });
});
