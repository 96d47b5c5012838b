/** Red, green and blue, each a whole number from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A validated colour: one to calculate with, or a word that only the browser knows (letters only). */
export type Color = { readonly kind: "rgb"; readonly rgb: Rgb } | { readonly kind: "word"; readonly word: string };

/** Minimum contrast of text for users with low vision (WCAG 2.2 §1.4.3, level AA). */
const TEXT_CONTRAST = 4.5;

export const BLACK: Rgb = [0, 0, 0];
export const WHITE: Rgb = [255, 255, 255];

/** Colour words in common use; a table of all 148 would not be worth its bytes in every bundle. */
const WORDS: ReadonlyMap<string, Rgb> = new Map([
  ["black", BLACK],
  ["white", WHITE],
]);

const HEX = /^#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/;
const WORD = /^[a-z]{1,32}$/;
const FUNCTION = /^(rgb|hsl)a?\(([-\d.%,/ ]+)\)$/;

/**
 * Reads a CSS colour: `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb()` and `hsl()` with plain numbers, or a word. A translucent
 * colour is placed on white, as its designer most likely saw it. Null for anything else. Never throws.
 */
export function parseColor(value: unknown): Color | null {
  if (typeof value !== "string" || value.length > 64) return null;
  const text = value.trim().toLowerCase();
  const rgb = WORDS.get(text) ?? (HEX.test(text) ? fromHex(text) : fromFunction(text));
  if (rgb === null && WORD.test(text)) return { kind: "word", word: text };
  return rgb === null ? null : { kind: "rgb", rgb };
}

function fromHex(hex: string): Rgb {
  const digits = hex.length === 4 ? hex.replace(/[^#]/g, "$&$&") : hex;
  const byte = (start: number): number => Number.parseInt(digits.slice(start, start + 2), 16);
  const rgb: Rgb = [byte(1), byte(3), byte(5)];
  return digits.length === 9 ? mix(WHITE, rgb, byte(7) / 255) : rgb;
}

function fromFunction(text: string): Rgb | null {
  const [, name, list = ""] = FUNCTION.exec(text) ?? [];
  const parts = list.trim().split(/[ ,/]+/);
  const [first = NaN, second = NaN, third = NaN, alpha = 1] = parts.map((part, index) => {
    const number = Number(part.replace(/%$/, "") || NaN);
    if (!part.endsWith("%")) return number;
    if (index === 3) return number / 100;
    return name === "rgb" ? number * 2.55 : number;
  });
  if (parts.length > 4 || !Number.isFinite(first + second + third + alpha)) return null;
  const rgb: Rgb = [first, second, third];
  return mix(WHITE, name === "rgb" ? rgb : fromHsl(rgb), alpha);
}

/** CSS Color 4 §7.1: hue in degrees, saturation and lightness in percent. */
function fromHsl([hue, saturation, lightness]: Rgb): Rgb {
  const light = Math.min(lightness, 100) / 100;
  const chroma = (Math.min(saturation, 100) / 100) * Math.min(light, 1 - light);
  const channel = (offset: number): number => {
    const step = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (light - chroma * Math.max(-1, Math.min(step - 3, 9 - step, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Interpolates between two colours: `share` 0 is the first, 1 the second. Rounds and clamps every channel. */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = Math.min(1, Math.max(0, share));
  const channel = (a: number, b: number): number => Math.min(255, Math.max(0, Math.round(a + (b - a) * part)));
  return [channel(from[0], to[0]), channel(from[1], to[1]), channel(from[2], to[2])];
}

/** Relative luminance, 0 to 1 (WCAG 2.2, glossary). */
export function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Contrast ratio of two colours, 1 to 21 (WCAG 2.2, glossary). */
export function contrast(one: Rgb, other: Rgb): number {
  const a = luminance(one) + 0.05;
  const b = luminance(other) + 0.05;
  return a > b ? a / b : b / a;
}

/** The preferred text colour if it is legible on the background, else black or white; one of them always is. */
export function readableOn(background: Rgb, wanted: Rgb | null): Rgb {
  if (wanted !== null && contrast(wanted, background) >= TEXT_CONTRAST) return wanted;
  return contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK;
}

/** The colour itself if it is legible on the background, else the nearest shade towards `end` that is. */
export function shadeOn(background: Rgb, color: Rgb, end: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.05) {
    const shade = mix(color, end, share);
    if (contrast(shade, background) >= TEXT_CONTRAST) return shade;
  }
  return end;
}

/** `#rrggbb`. */
export function toHex(rgb: Rgb): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
