import { array, assert, constantFrom, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../testing/src/arbitrary-text.ts";
import { visible } from "./visible.ts";

/** As a page draws white space (CSS Text 3 §4.1.1). */
const drawn = (text: string) => text.replace(/[ \t\r\n\f]+/g, " ").trim();

describe("visible()", () => {
  it.each([
    ["plain text of 100 €", "plain text of 100 €"],
    ["two  spaces ", "two \\u{20}spaces\\u{20}"],
    ["no\u00a0break\u3000wide", "no\\u{a0}break\\u{3000}wide"],
    ["\u3164\u115f\u034f\ufe0f\u2800\u00ad", "\\u{3164}\\u{115f}\\u{34f}\\u{fe0f}\\u{2800}\\u{ad}"],
    ["\u202eevil\ntwo", "\\u{202e}evil\\u{a}two"],
    ["C:\\users \\u{202e}", "C:\\users \\u{5c}u{202e}"],
    ["\ud800", "\\u{d800}"],
  ])("writes %j as %j", (text, written) => {
    expect(visible(text)).toBe(written);
  });

  it("draws no two texts the same, and leaves nothing that is not seen", () => {
    const pieces = [
      " ",
      "  ",
      "\\",
      "u{20}",
      "\\u{20}",
      "a",
      "\u00a0",
      "\t",
      "\u200b",
      "\u3164",
      "\ud83d",
      "\ude00",
      "{",
      "}",
    ];
    const text = array(constantFrom(...pieces), { maxLength: 5 }).map((parts) => parts.join(""));
    assert(
      property(text, text, (one, other) => {
        expect(drawn(visible(one)) === drawn(visible(other))).toBe(one === other);
      }),
      { numRuns: 3000 },
    );
    assert(
      property(string({ unit: codePoint }), (one) => {
        expect(visible(one)).not.toMatch(/[\p{C}\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}/u);
      }),
    );
  });
});
