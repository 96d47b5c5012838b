import { type AuthConfig, createAuth } from "@cardea/core";
import { defineExtension } from "@cardea/extend";
import { createMemoryAdapter } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type BridgeOptions, bridge } from "./bridge.ts";

const base = { secret: "a secret of more than thirty-two bytes for tests", providers: [], trustHost: true } as const;

/** What the operator is warned of at start. */
function warnings(options: BridgeOptions): readonly string[] {
  const told: string[] = [];
  createAuth({ ...base, extensions: [bridge(options)], logger: { warn: (code) => told.push(code) } });
  return told.filter((line) => line.startsWith("bridge-"));
}

afterEach(() => {
  vi.useRealTimers();
});

describe("bridge() refuses", () => {
  it.each<[string, object, string]>([
    ["no format", {}, "`accept` is empty"],
    ["an empty list", { accept: [] }, "`accept` is empty"],
    ["an unknown format", { accept: ["authjs-v6"] }, '`accept[0]` is "authjs-v6"'],
    ["an unknown format to share", { emit: "authjs" }, '`emit` is "authjs"'],
    ["a name that no cookie can have", { accept: [{ format: "authjs-v5", cookie: "a b" }] }, "accept[0].cookie"],
    ["an empty secret", { accept: [{ format: "authjs-v5", secret: "" }] }, "accept[0].secret"],
    ["a text that is not a day", { accept: ["authjs-v5"], until: "next year" }, "`until`"],
    ["a month without a day", { accept: ["authjs-v5"], until: "2027-13" }, "`until`"],
    [
      "another format beside the shared one",
      { accept: ["authjs-v5", "nextauth-v4"], emit: "authjs-v5" },
      "only that format",
    ],
    ["to share another format than it accepts", { accept: ["nextauth-v4"], emit: "authjs-v5" }, "only that format"],
    [
      "a second cookie beside the shared one",
      { accept: ["authjs-v5", { format: "authjs-v5", cookie: "older" }], emit: "authjs-v5" },
      "with one cookie",
    ],
  ])("%s", (_what, options, message) => {
    // From JavaScript any options may come.
    expect(() => bridge(options as BridgeOptions)).toThrow(message);
  });

  it("accepts several secrets of one cookie, also of the shared one", () => {
    const accept = [
      { format: "authjs-v5", secret: ["one", "two"] },
      { format: "authjs-v5", secret: "three" },
    ] as const;
    expect(bridge({ accept, emit: "authjs-v5" }).sessionFormats).toHaveLength(1);
  });
});

describe("a configuration with a bridge is refused at start", () => {
  const hashing = defineExtension({ id: "hashing", hashesTokens: true });
  it.each<[string, Partial<AuthConfig>, string]>([
    [
      "when two formats share a name",
      {
        extensions: [
          bridge({
            accept: [
              { format: "authjs-v5", cookie: "one" },
              { format: "nextauth-v4", cookie: "__Secure-one" },
            ],
          }),
        ],
      },
      "two session formats in one cookie",
    ],
    [
      "when one format has the name of a part of the other",
      {
        extensions: [
          bridge({
            accept: [
              { format: "authjs-v5", cookie: "one" },
              { format: "nextauth-v4", cookie: "one.1" },
            ],
          }),
        ],
      },
      "two session formats in one cookie",
    ],
    [
      "when a format has the name of our own session",
      { extensions: [bridge({ accept: ["authjs-v5"] })], cookies: { sessionToken: { name: "authjs.session-token" } } },
      "one of this configuration's own cookies",
    ],
    [
      "when a format has the name of a cookie with another purpose",
      { extensions: [bridge({ accept: [{ format: "nextauth-v4", cookie: "cardea.state" }] })] },
      "one of this configuration's own cookies",
    ],
    [
      "when tokens are stored as hashes and shared",
      {
        extensions: [bridge({ emit: "authjs-v5" }), hashing],
        adapter: createMemoryAdapter().adapter,
        session: { strategy: "database" },
      },
      "hashed session tokens",
    ],
    [
      "when the session is shared and `jwt.encode` would make others",
      { extensions: [bridge({ emit: "authjs-v5" })], jwt: { encode: async () => "token" } },
      "`jwt.encode`",
    ],
  ])("%s", (_what, config, message) => {
    expect(() => createAuth({ ...base, logger: { warn: () => {} }, ...config })).toThrow(message);
  });
});

describe("warnings at startup", () => {
  it("says nothing without an end", () => {
    expect(warnings({ accept: ["authjs-v5"] })).toEqual([]);
  });

  it.each([
    ["2027-01-30T00:00:01Z", []],
    ["2027-01-30T00:00:00Z", ["bridge-ends"]],
    ["2026-12-31T00:00:01Z", ["bridge-ends"]],
    ["2026-12-31T00:00:00Z", ["bridge-ended"]],
  ])("names an `until` of %s, seen at the end of 2026", (until, codes) => {
    vi.useFakeTimers({ now: Date.parse("2026-12-31T00:00:00Z") });
    expect(warnings({ accept: ["authjs-v5"], until }).map((line) => line.split(":")[0])).toEqual(codes);
  });

  it("names users who have only our own cookie, where the session is shared", () => {
    expect(warnings({ emit: "nextauth-v4" })).toEqual([expect.stringContaining("in the first deployment")]);
  });
});
