/** RFC 3492 §5. */
const [BASE, T_MIN, T_MAX, SKEW, DAMP, FIRST_BIAS, FIRST] = [36, 1, 26, 38, 700, 72, 128];

/** A label of the DNS, at the beginning of a name or after a separator (RFC 5890 §2.3.2.1). */
const A_LABEL = /(?<![^@.])xn--([a-z0-9-]{1,59})(?![^@.])/g;

/**
 * Decodes the internationalized labels of a name in lower case: an address is one account in either form of its domain. Labels
 * that are not well-formed stay as they are. Never throws.
 */
export function decodeLabels(name: string): string {
  return name.replace(A_LABEL, (label, encoded: string) => decode(encoded) ?? label);
}

/** Punycode (RFC 3492 §6.2); null if malformed. */
function decode(encoded: string): string | null {
  const split = encoded.lastIndexOf("-");
  const output = [...encoded.slice(0, Math.max(0, split))].map((one) => one.codePointAt(0) ?? 0);
  let [code, place, bias, at] = [FIRST, 0, FIRST_BIAS, split + 1];
  while (at < encoded.length) {
    const before = place;
    for (let [weight, k] = [1, BASE]; ; k += BASE) {
      const digit = digitOf(encoded[at++]);
      if (digit === null) return null;
      place += digit * weight;
      const least = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < least) break;
      weight *= BASE - least;
      if (weight > 0x7fffffff) return null;
    }
    const length = output.length + 1;
    bias = adapt(place - before, length, before === 0);
    code += Math.floor(place / length);
    place %= length;
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null;
    output.splice(place++, 0, code);
  }
  return String.fromCodePoint(...output);
}

function digitOf(character = ""): number | null {
  if (/^[a-z]$/.test(character)) return character.charCodeAt(0) - 97;
  return /^[0-9]$/.test(character) ? character.charCodeAt(0) - 22 : null;
}

/** RFC 3492 §6.1. */
function adapt(distance: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(distance / (isFirst ? DAMP : 2));
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) delta = Math.floor(delta / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + SKEW));
}
