import { integer } from "fast-check";

/** How many code points are halves of surrogate pairs, and the first of them. */
const HALVES = 0x800;
const FIRST_HALF = 0xd800;

/**
 * Every Unicode character, as a unit of fast-check's `string()`. The same as its `"binary"`, but this has no table of a million entries,
 * which each thread would take seconds to fill.
 */
export const codePoint = integer({ min: 0, max: 0x10ffff - HALVES }).map(
  (index) => String.fromCodePoint(index < FIRST_HALF ? index : index + HALVES),
  (character) => {
    const code = typeof character === "string" ? character.codePointAt(0) : undefined;
    if (code === undefined || character !== String.fromCodePoint(code)) throw new Error("This is not one character.");
    return code < FIRST_HALF ? code : code - HALVES;
  },
);
