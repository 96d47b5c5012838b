import { describe, expect, it } from "vitest";
import { renderButtons, renderStyles } from "./styles.ts";
import { resolveButtonLook, resolveTheme } from "./theme.ts";

describe("renderStyles()", () => {
  it("follows the person's colour scheme by default", () => {
    const css = renderStyles(resolveTheme({}));
    expect(css).toContain("color-scheme:light dark");
    expect(css).toContain("@media(prefers-color-scheme:dark)");
  });

  it.each(["light", "dark"] as const)("keeps to %s where the theme forces it", (colorScheme) => {
    const css = renderStyles(resolveTheme({ colorScheme }));
    expect(css).toContain(`:root{color-scheme:${colorScheme};`);
    expect(css).not.toContain("prefers-color-scheme");
  });

  it("gives each provider's button the rule of its index", () => {
    const css = renderButtons([{ bg: "#24292f" }, {}, { bg: "hotpink" }].map(resolveButtonLook));
    expect(css).toContain(".p0:not(.neutral),.p0.neutral .tile{--face:#24292f;--text:#ffffff;");
    expect(css).not.toContain(".p1:");
    expect(css).toContain(".p2:not(.neutral),.p2.neutral .tile{border-inline-start:5px solid hotpink}");
  });

  it("keeps times and marked words on one line", () => {
    expect(renderStyles(resolveTheme({}))).toContain(".whole,time{white-space:nowrap}");
  });

  it("asks for nothing from anywhere and moves only where that is welcome", () => {
    const css = renderStyles(resolveTheme({}));
    expect(css).not.toMatch(/url\(|@import|<|javascript/i);
    expect(css.replace(/@media\(prefers-reduced-motion:no-preference\)\{.*\}\}/, "")).not.toMatch(
      /transition|animation/,
    );
  });
});
