import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrast, type Rgb, WHITE } from "./color.ts";
import { DARK_CARD, LIGHT_PAGE, resolveTheme } from "./theme.ts";

const hex = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, "0")}`);
const DARK_PAGE: Rgb = [15, 15, 19];

describe("resolveTheme()", () => {
  it("has a look of its own where the application has none", () => {
    expect(resolveTheme({})).toMatchObject({
      scheme: "auto",
      edge: null,
      brand: { background: [15, 118, 110], text: WHITE },
    });
  });

  it("H294 replaces what is not a colour by the default", () => {
    const hostile = "red}</style><script>x</script>";
    expect(resolveTheme({ brandColor: hostile, buttonText: hostile })).toEqual(resolveTheme({}));
  });

  it("takes brand colour, button text and colour scheme", () => {
    const theme = resolveTheme({ brandColor: "#000080", buttonText: "#ff0", colorScheme: "dark" });
    expect(theme).toMatchObject({ scheme: "dark", brand: { background: [0, 0, 128], text: [255, 255, 0] } });
  });

  it("does not take a button text that cannot be read", () => {
    expect(resolveTheme({ brandColor: "#000080", buttonText: "#00f" }).brand.text).toEqual(WHITE);
  });

  it("shows a colour that it cannot calculate with at the edge alone, beside neutral colours", () => {
    expect(resolveTheme({ brandColor: "tomato" })).toMatchObject({
      edge: "tomato",
      brand: { background: [58, 58, 68] },
    });
  });

  it("reads an unknown colour scheme as auto", () => {
    expect(resolveTheme(JSON.parse('{"colorScheme":"red}"}')).scheme).toBe("auto");
  });

  it("keeps text and accent readable for every brand colour", () => {
    fc.assert(
      fc.property(hex, hex, (brandColor, buttonText) => {
        const { brand, accent } = resolveTheme({ brandColor, buttonText });
        const pairs: [Rgb, Rgb][] = [
          [brand.text, brand.background],
          [brand.text, brand.hover],
          [accent.light, LIGHT_PAGE],
          [accent.light, WHITE],
          [accent.dark, DARK_CARD],
          [accent.dark, DARK_PAGE],
        ];
        for (const [one, other] of pairs) expect(contrast(one, other)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});
