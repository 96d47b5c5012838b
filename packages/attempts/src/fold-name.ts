import { decodeLabels } from "./decode-labels.ts";

/**
 * Folds all spellings that a database treats as equal into one form. Collations that ignore case and accents, such as
 * the defaults of MySQL and MariaDB, find one user under many spellings: different case, width, accents, digits of
 * other scripts, invisible characters. Names that some databases treat as different may be counted together; known
 * devices are not affected.
 */

/** The longest name that a table holds. Names are truncated after they are folded: what is ignored takes no room. */
const MAX_LENGTH = 255;

/** More characters than occur in practice; the oldest entry makes room for a new one. */
const MAX_KNOWN = 20_000;

/** What a character may be equal to: nothing, or one or more ASCII characters. */
const BASES = [
  "",
  ..."abcdefghijklmnopqrstuvwxyz0123456789",
  "ae",
  "oe",
  "ss",
  "db",
  "dz",
  "ls",
  "lz",
  "qp",
  "tc",
  "th",
  "ts",
  "zw",
];

/** Level 1 of the Unicode Collation Algorithm (UTS #10 §1.1), which these collations follow. */
const collator = new Intl.Collator("und", { sensitivity: "base", usage: "search" });

/** Compares between letters, because a character without weight is equal to many others on its own. */
const compare = (one: string, other: string): number => collator.compare(`x${one}x`, `x${other}x`);

const SORTED = BASES.toSorted(compare);

const known = new Map<string, string>();

/** Folds a name; returns an empty string for text without visible characters. Never throws. */
export function foldName(name: string): string {
  const lower = [...name].map(baseOf).join("");
  const composed = [...decodeLabels(lower)].map(baseOf).join("");
  const apart = [...composed.normalize("NFKD").replace(/ +(?=\p{M})/gu, "")].map(baseOf).join("");
  const seen = apart.replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu, "");
  // Some collations take a sharp s for one s, others for two.
  return seen.replace(/s+/g, "s").replace(/\s+/g, " ").trim().slice(0, MAX_LENGTH);
}

/**
 * The ASCII that a character is equal to, or the character in lower case. Works on single characters, so a final sigma
 * equals a sigma.
 */
function baseOf(character: string): string {
  const found = known.get(character);
  if (found !== undefined) return found;
  const lower = character.toUpperCase().toLowerCase();
  const isPlain = /^[\0-\x7f]+$/.test(lower);
  const base = isPlain ? lower : (findBase(character) ?? findBase(lower) ?? lower);
  const [oldest] = known.size >= MAX_KNOWN ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
  known.set(character, base);
  return base;
}

/** A binary search: a visitor chooses the characters, and a comparison with each base would make a name expensive. */
function findBase(character: string): string | undefined {
  let [low, high] = [0, SORTED.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const base = SORTED[middle] ?? "";
    const order = compare(character, base);
    if (order === 0) return base;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return undefined;
}
