import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type JoinedVerdict,
  joinVerdicts,
  LAWS,
  parseAdmission,
  parseAttemptVerdict,
  parseSessionVerdict,
} from "./laws.ts";

const own = (action: string) => action === "factor";
const UNDOCUMENTED = [
  undefined,
  null,
  true,
  false,
  1,
  "",
  "yes",
  "allow",
  "admit",
  [],
  {},
  { allow: "true" },
  { admit: 1 },
];

describe("parseAttemptVerdict()", () => {
  it("allows for `allow: true` and for nothing else", () => {
    expect(parseAttemptVerdict({ allow: true })).toEqual({ allow: true });
    for (const answer of UNDOCUMENTED) expect([answer, parseAttemptVerdict(answer).allow]).toEqual([answer, false]);
  });

  it("shows a code that is a word, and asks to wait for whole seconds", () => {
    expect(parseAttemptVerdict({ allow: false, code: "later", retryAfter: 1.2 })).toEqual({
      allow: false,
      code: "later",
      retryAfter: 2,
    });
    for (const [code, retryAfter] of [
      ["<b>", 0],
      ["", -1],
      [7, Number.NaN],
      [undefined, Number.POSITIVE_INFINITY],
    ]) {
      expect(parseAttemptVerdict({ allow: false, code, retryAfter })).toEqual({
        allow: false,
        code: "too_many_attempts",
        retryAfter: 60,
      });
    }
  });
});

describe("parseAdmission()", () => {
  it("admits for `admit: true` and for nothing else", () => {
    expect(parseAdmission({ admit: true }, own)).toEqual({ admit: true, facts: { f: [] } });
    for (const answer of UNDOCUMENTED) expect(Object.keys(parseAdmission(answer, own))).toEqual(["refuse"]);
  });

  it.each([
    [{ admit: true, ask: "factor" }, { ask: "factor" }],
    [{ admit: true, refuse: "blocked" }, { refuse: "blocked" }],
    [{ ask: "factor", refuse: "blocked" }, { refuse: "blocked" }],
  ])("takes the strictest reading of %o", (answer, expected) => {
    expect(parseAdmission(answer, own)).toEqual(expected);
  });

  it.each([true, false, null, 0, new Error("blocked")])("refuses where the reason is no text: %o", (refuse) => {
    for (const also of [{}, { admit: true }, { ask: "factor" }])
      expect(parseAdmission({ ...also, refuse }, own)).toEqual({ refuse: "it gave no reason" });
  });

  it.each(["signin", "https://evil.example", "", 7, null])(
    "refuses to ask for %j, which is not its own action",
    (ask) => {
      expect(Object.keys(parseAdmission({ admit: true, ask }, own))).toEqual(["refuse"]);
    },
  );
});

describe("parseSessionVerdict()", () => {
  it("is unavailable for an answer that is not documented", () => {
    for (const answer of [...UNDOCUMENTED, { ask: "signin" }, { ask: 7 }]) {
      expect([answer, parseSessionVerdict(answer, own)]).toEqual([answer, "unavailable"]);
    }
    expect(["valid", "ended"].map((answer) => parseSessionVerdict(answer, own))).toEqual(["valid", "ended"]);
    expect(parseSessionVerdict({ ask: "factor" }, own)).toEqual({ ask: "factor" });
  });

  it("passes on a reason that is a word", () => {
    expect(parseSessionVerdict({ ended: "limit" }, own)).toEqual({ ended: "limit" });
    for (const ended of ["", "<b>", 7, null, true])
      expect(parseSessionVerdict({ ended, ask: "factor" }, own)).toBe("ended");
  });
});

describe("joinVerdicts()", () => {
  const ask = { ask: "factor" };
  const other = { ask: "step-up" };
  const table: readonly [JoinedVerdict, JoinedVerdict, JoinedVerdict][] = [
    ["valid", "valid", "valid"],
    ["valid", ask, ask],
    ["valid", "unavailable", "unavailable"],
    ["valid", "ended", "ended"],
    [ask, "valid", ask],
    [ask, other, ask],
    [ask, "unavailable", "unavailable"],
    [ask, "ended", "ended"],
    ["unavailable", "valid", "unavailable"],
    ["unavailable", ask, "unavailable"],
    ["unavailable", "unavailable", "unavailable"],
    ["unavailable", "ended", "ended"],
    ["ended", "valid", "ended"],
    ["ended", ask, "ended"],
    ["ended", "unavailable", "ended"],
    ["ended", "ended", "ended"],
    [{ ended: "limit" }, "ended", { ended: "limit" }],
    ["unavailable", { ended: "limit" }, { ended: "limit" }],
  ];
  it.each(table)("%j and %j: %j", (first, second, expected) => {
    expect(joinVerdicts(first, second)).toEqual(expected);
  });
});

describe("LAWS", () => {
  it.each(Object.keys(LAWS))("%s has its row in the documentation", (seam) => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/extensions.md"), "utf8");
    expect(page).toContain(`| \`${seam}\` |`);
  });
});
