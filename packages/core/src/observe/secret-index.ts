import { isSecretShaped } from "./secret-shape.ts";

/** Removes known values, and long parts of them, from texts. */
export interface SecretIndex {
  add(value: string): void;
  /** Replaces every known value, and every part of one that is long enough to be a secret itself. */
  replace(text: string, replacement: string): string;
}

/** Characters per block. A part that is twice as long always contains a whole block. */
const BLOCK = 6;
/** A shorter part reveals too little to be useful. */
const MIN_PART = 16;
/** Maximum number of values to compare that share a block, such as tokens with the same header. */
const MAX_SHARED = 4;
/** Beyond this total, no more values are added. Headers are smaller, and bodies are limited to less. */
const MAX_CHARACTERS = 96 * 1024;
/** For a shorter text, its parts are searched for in the values, because cutting up the values would take longer. */
const SHORT_TEXT = 512;
/** A value of this length or more is not cut up for a short text, even if they have a part in common. */
const LONG_VALUE = 256;
/** Distance between windows. Every part that counts contains at least one whole window. */
const STRIDE = MIN_PART - BLOCK + 1;

interface Place {
  readonly value: string;
  readonly at: number;
}

/**
 * Searches for all values at once. Each value is cut into blocks, and at each position of the text one look-up tells whether a
 * block starts there. Most lines are short: then windows of the line are searched for in all values at once, and only values
 * that contain one are compared. The cost never grows with the product of two long texts.
 */
export function createSecretIndex(): SecretIndex {
  const blocks = new Map<string, Place[]>();
  const uncut: string[] = [];
  let joined: Joined | undefined;
  let characters = 0;
  return {
    add: (value) => {
      characters += value.length;
      if (characters > MAX_CHARACTERS) return;
      uncut.push(value);
      joined = undefined;
    },
    replace: (text, replacement) => {
      if (text.length > SHORT_TEXT) {
        for (const value of uncut.splice(0)) addBlocks(blocks, value);
        joined = undefined;
      }
      const found = blocks.size === 0 ? text : replaceKnown(text, replacement, blocks);
      if (uncut.length === 0) return found;
      joined ??= joinValues(uncut);
      return replaceNear(found, replacement, valuesNear(found, joined));
    },
  };
}

/** All values joined into one text, so that one call searches all of them. */
interface Joined {
  /** Values shorter than a part that counts, which are only found as a whole. */
  readonly short: readonly string[];
  readonly long: readonly string[];
  readonly text: string;
  /** Where each long value starts. */
  readonly starts: readonly number[];
}

function joinValues(values: readonly string[]): Joined {
  const long = values.filter(({ length }) => length >= MIN_PART);
  const starts: number[] = [];
  let at = 0;
  for (const { length } of long) {
    starts.push(at);
    at += length + 1;
  }
  return { short: values.filter(({ length }) => length < MIN_PART), long, text: long.join("\n"), starts };
}

/** The values that a text may contain, whole or in part: every part that counts contains a window of the text. */
function valuesNear(text: string, { short, long, text: joined, starts }: Joined): readonly string[] {
  const near = new Set(short.filter((value) => text.includes(value)));
  for (let start = 0; start + BLOCK <= text.length; start += STRIDE) {
    const window = text.slice(start, start + BLOCK);
    for (let at = joined.indexOf(window); at >= 0; ) {
      const owner = lastUpTo(starts, at);
      near.add(long[owner] ?? "");
      at = owner + 1 < starts.length ? joined.indexOf(window, starts[owner + 1]) : -1;
    }
  }
  return [...near];
}

/** The index of the last number that is at most `limit`, in an ascending list. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function replaceNear(text: string, replacement: string, values: readonly string[]): string {
  const blocks = new Map<string, Place[]>();
  for (const value of values) if (value.length < LONG_VALUE) addBlocks(blocks, value);
  const found = blocks.size === 0 ? text : replaceKnown(text, replacement, blocks);
  const long = values.filter(({ length }) => length >= LONG_VALUE);
  return long.reduce((rest, value) => replaceKnown(rest, replacement, windowsIn(value, rest)), found);
}

function addBlocks(blocks: Map<string, Place[]>, value: string): void {
  for (let at = 0; at + BLOCK <= value.length; at += BLOCK) {
    const block = value.slice(at, at + BLOCK);
    const places = blocks.get(block);
    if (places === undefined) blocks.set(block, [{ value, at }]);
    else if (places.length < MAX_SHARED && places.at(-1)?.value !== value) places.push({ value, at });
  }
}

/** The windows of a text that also occur in a value, as blocks. */
function windowsIn(value: string, text: string): ReadonlyMap<string, readonly Place[]> {
  const blocks = new Map<string, readonly Place[]>();
  for (let start = 0; start + BLOCK <= text.length; start += STRIDE) {
    const window = text.slice(start, start + BLOCK);
    const places: Place[] = [];
    for (let at = value.indexOf(window); at >= 0 && places.length < MAX_SHARED; at = value.indexOf(window, at + 1)) {
      places.push({ value, at });
    }
    if (places.length > 0) blocks.set(window, places);
  }
  return blocks;
}

function replaceKnown(text: string, replacement: string, blocks: ReadonlyMap<string, readonly Place[]>): string {
  let result = "";
  let done = 0;
  for (let i = 0; i + BLOCK <= text.length; ) {
    const places = blocks.get(text.slice(i, i + BLOCK));
    const [start, end] = places === undefined ? [i, i] : longest(text, i, done, places);
    if (end === start) {
      i += 1;
      continue;
    }
    // Adjacent parts of one value are replaced together.
    result += start === done && result.endsWith(replacement) ? "" : text.slice(done, start) + replacement;
    done = end;
    i = end;
  }
  return result + text.slice(done);
}

/** The longest stretch around position `i` that is a whole value, or a sufficiently long part of one. */
function longest(text: string, i: number, from: number, places: readonly Place[]): readonly [number, number] {
  let best: readonly [number, number] = [i, i];
  for (const { value, at } of places) {
    let back = 0;
    while (i - back > from && back < at && text[i - back - 1] === value[at - back - 1]) back += 1;
    let ahead = BLOCK;
    while (at + ahead < value.length && text[i + ahead] === value[at + ahead]) ahead += 1;
    const [start, end] = [i - back, i + ahead];
    const counts = end - start === value.length || isSecretShaped(text.slice(start, end), MIN_PART);
    if (counts && end - start > best[1] - best[0]) best = [start, end];
  }
  return best;
}
