import { describe, expect, it } from "vitest";
import { renderStyles } from "./styles.ts";
import { resolveTheme } from "./theme.ts";

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

  it("keeps times and marked words on one line", () => {
    expect(renderStyles(resolveTheme({}))).toContain(".whole,time{white-space:nowrap}");
  });

  it("asks for nothing from anywhere and moves only where that is welcome", () => {
    const css = renderStyles(resolveTheme({}));
    expect(css).not.toMatch(/url\(|@import|<|javascript/i);
    // What appears later does not move.
    expect(
      css.replace(/\.later [^{]*\{[^}]*\}/g, "").replace(/@media\(prefers-reduced-motion:no-preference\)\{.*\}\}/, ""),
    ).not.toMatch(/transition|animation/);
  });
});
