import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BLACK, contrast, mix, parseColor, type Rgb, readableOn, shadeOn, toHex, WHITE } from "./color.ts";

const channel = fc.integer({ min: 0, max: 255 });
const anyRgb: fc.Arbitrary<Rgb> = fc.tuple(channel, channel, channel);

describe("parseColor()", () => {
  it.each([
    ["#fff", "#ffffff"],
    ["#1A2b3C", "#1a2b3c"],
    ["#00000080", "#7f7f7f"],
    ["#ff000000", "#ffffff"],
    [" #123 ", "#112233"],
    ["rgb(1, 2, 3)", "#010203"],
    ["rgb(300 0 0)", "#ff0000"],
    ["rgb(100% 0% 0%)", "#ff0000"],
    ["rgba(0,0,0,.5)", "#808080"],
    ["rgb(0 0 0 / 50%)", "#808080"],
    ["hsl(0 100% 50%)", "#ff0000"],
    ["hsl(120, 100%, 25%)", "#008000"],
    ["hsl(210 50 40)", "#336699"],
    ["hsl(-150 50 40)", "#336699"],
    ["hsla(240, 100%, 50%, 1)", "#0000ff"],
    ["black", "#000000"],
    ["White", "#ffffff"],
  ])("reads %s", (text, hex) => {
    const color = parseColor(text);
    expect(color?.kind === "rgb" && toHex(color.rgb)).toBe(hex);
  });

  it("keeps a word that only the browser knows", () => {
    expect(parseColor("RebeccaPurple")).toEqual({ kind: "word", word: "rebeccapurple" });
  });

  it.each([
    "red}</style><script>x</script>",
    "red;background:url(//evil.example)",
    "url(//evil.example)",
    "var(--x)",
    "expression(alert(1))",
    "#ffff",
    "#12345g",
    "#12345",
    "rgb(1 2)",
    "rgb(1,2,)",
    "rgb(1 2 3 4 5)",
    "rgb(1.2.3 0 0)",
    "rgb(1-2 0 0)",
    "rgb(% 0 0)",
    "rgb(calc(1) 2 3)",
    "hsl(1turn 50% 50%)",
    "re\\64",
    "r\u0435d",
    "a".repeat(33),
    "",
    `#fff${" ".repeat(64)}`,
    null,
    undefined,
    7,
    { toString: () => "red" },
  ])("H294 ignores %j", (value) => {
    expect(parseColor(value)).toBeNull();
  });

  it("H294 lets nothing through but numbers and letters", () => {
    const hostile = fc.string({ unit: fc.constantFrom(..."#rgbhsla(),./% 0129f;{}<>\"'") });
    fc.assert(
      fc.property(fc.oneof(fc.string(), hostile), (text) => {
        const color = parseColor(text);
        if (color === null) return true;
        return /^#[\da-f]{6}$|^[a-z]+$/.test(color.kind === "rgb" ? toHex(color.rgb) : color.word);
      }),
    );
  });

  it("reads every colour that it writes", () => {
    fc.assert(
      fc.property(anyRgb, (rgb) => {
        expect(parseColor(toHex(rgb))).toEqual({ kind: "rgb", rgb });
      }),
    );
  });
});

describe("contrast()", () => {
  it("is 21 for black on white and 1 for a colour on itself, either way round", () => {
    expect(contrast(BLACK, WHITE)).toBeCloseTo(21, 5);
    expect(contrast(WHITE, BLACK)).toBeCloseTo(21, 5);
    expect(contrast([9, 99, 199], [9, 99, 199])).toBe(1);
  });

  it("tells #767676, the lightest grey that can be read on white, from #777777", () => {
    expect(contrast(WHITE, [0x76, 0x76, 0x76])).toBeGreaterThanOrEqual(4.5);
    expect(contrast(WHITE, [0x77, 0x77, 0x77])).toBeLessThan(4.5);
  });
});

describe("readableOn()", () => {
  it("takes the wanted colour where it can be read", () => {
    expect(readableOn(BLACK, [255, 255, 0])).toEqual([255, 255, 0]);
  });

  it("takes black or white where it cannot", () => {
    expect(readableOn([254, 44, 85], WHITE)).toEqual(BLACK);
    expect(readableOn([36, 41, 47], null)).toEqual(WHITE);
  });

  it("gives 4.5 : 1 on every background", () => {
    fc.assert(
      fc.property(anyRgb, fc.option(anyRgb), (background, wanted) => {
        expect(contrast(readableOn(background, wanted), background)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

describe("shadeOn()", () => {
  it("keeps a colour that can be read", () => {
    expect(shadeOn(WHITE, [0, 0, 128], BLACK)).toEqual([0, 0, 128]);
  });

  it("gives 4.5 : 1 for every colour, darker on white and lighter on black", () => {
    fc.assert(
      fc.property(anyRgb, (color) => {
        expect(contrast(shadeOn(WHITE, color, BLACK), WHITE)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(shadeOn(BLACK, color, WHITE), BLACK)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

describe("mix()", () => {
  it("goes from the first colour to the second, and not beyond", () => {
    expect(mix(BLACK, WHITE, 0)).toEqual(BLACK);
    expect(mix(BLACK, WHITE, 0.5)).toEqual([128, 128, 128]);
    expect(mix(BLACK, WHITE, 2)).toEqual(WHITE);
  });
});
