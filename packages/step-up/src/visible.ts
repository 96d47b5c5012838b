/** Line ends, controls, direction marks, invisible characters, and unusual spaces. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** Spaces that a page collapses: at either end, and after another space. */
const LOST = /^ | $|(?<= ) /;

/** A backslash that would look like our escape. */
const OURS = /\\(?=u\{)/;

const HIDDEN = new RegExp([UNSEEN, LOST, OURS].map(({ source }) => source).join("|"), "gu");

/**
 * Escapes characters that a reader could not see or would misread as `\u{…}`. Different texts always look different,
 * even where a page collapses spaces. Letters that look alike are not changed.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
