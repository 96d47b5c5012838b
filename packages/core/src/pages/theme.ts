import type { Theme } from "../model/theme.ts";
import { BLACK, type Color, luminance, mix, parseColor, type Rgb, readableOn, shadeOn, WHITE } from "./color.ts";

/** The default colour: legible with white text and visible on both cards. */
const DEFAULT_BRAND: Rgb = [15, 118, 110];

/** Used with a brand colour that we cannot calculate with: neutral, so that the edge in that colour looks intentional. */
const NEUTRAL_BRAND: Rgb = [58, 58, 68];

/** The background with the least contrast to the accent, by scheme; `styles.ts` uses the same. */
export const LIGHT_PAGE: Rgb = [246, 246, 248];
export const DARK_CARD: Rgb = [26, 26, 31];

/** How much a button changes under the pointer; always away from its text, so that contrast only grows. */
const HOVER_SHARE = 0.12;

/** A validated theme. */
export interface ResolvedTheme {
  readonly scheme: "auto" | "dark" | "light";
  /** The main button and the mark. */
  readonly brand: { readonly background: Rgb; readonly text: Rgb; readonly hover: Rgb };
  /** A brand colour whose contrast cannot be calculated, for the edge of the main button only; null for none. */
  readonly edge: string | null;
  /** Links and focus rings. */
  readonly accent: { readonly light: Rgb; readonly dark: Rgb };
}

/** Validates a theme; anything that is not a colour is replaced by the default. Never throws. */
export function resolveTheme(theme: Theme): ResolvedTheme {
  const color = parseColor(theme.brandColor);
  const brand = color === null ? DEFAULT_BRAND : color.kind === "rgb" ? color.rgb : NEUTRAL_BRAND;
  return {
    scheme: theme.colorScheme === "dark" || theme.colorScheme === "light" ? theme.colorScheme : "auto",
    brand: filled(brand, parseColor(theme.buttonText)),
    edge: color?.kind === "word" ? color.word : null,
    accent: { light: shadeOn(LIGHT_PAGE, brand, BLACK), dark: shadeOn(DARK_CARD, brand, WHITE) },
  };
}

function filled(background: Rgb, wanted: Color | null): ResolvedTheme["brand"] {
  const text = readableOn(background, wanted?.kind === "rgb" ? wanted.rgb : null);
  const away = luminance(text) > luminance(background) ? BLACK : WHITE;
  return { background, text, hover: mix(background, away, HOVER_SHARE) };
}
