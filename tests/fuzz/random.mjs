// Random choices that a seed repeats, and texts that parsers dislike. A text here is bytes, one character each (latin1).

import { createHash } from "node:crypto";

let seed = 0;
let count = 0;

/** The same seed gives the same choices on every machine. */
export function startFrom(number) {
  seed = number;
  count = 0;
}

function next() {
  return createHash("sha256").update(`${seed} ${count++}`).digest().readUInt32BE() / 2 ** 32;
}

export const below = (limit) => Math.floor(next() * limit);
export const pick = (list) => list[below(list.length)];
export const chance = (share) => next() < share;
/** Up to `limit` of what `make` gives. */
export const some = (limit, make) => Array.from({ length: below(limit + 1) }, make);
export const bytesOf = (text) => Buffer.from(text, "utf8").toString("latin1");

/** What a page must never contain as it is. */
export const SCRIPT = "<script>fuzz()</script>";

const NASTY = [
  ...["", "%", "%%%", "%00", "%0d%0aSet-Cookie: evil=1", "\0", "\t", "\r\nSet-Cookie: evil=1", "\r\n folded", SCRIPT],
  ...["\"'", "//evil.example", "/\\evil.example", "javascript:x", "https://evil.example", "/ok", "%2F", "..", "%2e%2e"],
  ...["__proto__", "constructor", "null", "[]", "{}", "-1", "1e999", "a@evil.example,b@x.io", "x".repeat(9000)],
  ...["eyJhbGciOiJub25lIn0.e30.", "\xff\xfe", "\x80", "user@example.com", "/日本?q=ü", "🦉", "ſ", "\u2028"].map(
    bytesOf,
  ),
];

export const nasty = () => pick(NASTY);
export const noise = () => String.fromCharCode(...some(40, () => below(256)));

/** The text with a piece replaced; often as it was. */
export function mutate(text) {
  if (text.length === 0 || chance(0.3)) return text;
  const at = below(text.length);
  const piece = pick(["", "A", "=", ".", "%", ";", "\0", " ", nasty()]);
  return text.slice(0, at) + piece + text.slice(at + below(4));
}

/** The value with one of its leaves replaced. */
export function mutateJson(value) {
  if (typeof value === "string" && chance(0.6)) return mutate(value);
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0 && chance(0.9)) {
    const key = pick(Object.keys(value));
    const changed = Array.isArray(value) ? [...value] : { ...value };
    changed[key] = mutateJson(value[key]);
    return changed;
  }
  return pick([null, true, 0, -1, 1e300, "", [], {}, [[]], "__proto__", nasty(), { toString: 1 }, "A".repeat(3000)]);
}
