/** The contrast ratio of two colours written `#rgb` or `#rrggbb`, 1 to 21 (WCAG 2.2, glossary); NaN for anything else. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return a > b ? a / b : b / a;
}

function luminance(color: string): number {
  const digits = /^#[\da-f]{3}$/i.test(color) ? color.replace(/[\da-f]/gi, "$&$&") : color;
  const match = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(digits);
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = (match?.slice(1) ?? []).map((hex) => {
    const share = Number.parseInt(hex, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
