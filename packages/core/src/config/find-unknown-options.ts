import type { Check } from "./find-issues.ts";
import { findSimilar } from "./find-similar.ts";

/** Levels that contain third-party objects, such as another library's logger, whose other members are irrelevant here. */
const OPEN = ["logger", "adapter", "texts"];

/**
 * Finds members that are not options, at every level of the configuration. Never throws.
 *
 * @param check describes the options.
 * @returns one warning for each, with the option that was probably meant; never a value.
 */
export function findUnknownOptions(given: unknown, check: Check): string[] {
  return search(given, check, []).map(describe);
}

/** Warns about members of one object whose names are almost those of known members; other members are ignored. */
export function findMisspelled(given: unknown, known: readonly string[], option: string): string[] {
  return unknownKeys(given, known)
    .map((key) => ({ path: [option, key], meant: findSimilar(key, known) }))
    .filter(({ meant }) => meant !== undefined)
    .map(describe);
}

interface Unknown {
  readonly path: readonly string[];
  readonly meant: string | undefined;
}

function search(given: unknown, check: Check, path: readonly string[]): Unknown[] {
  if (check.kind !== "members" || typeof given !== "object" || given === null) return [];
  const known = Object.keys(check.members);
  if (known.length === 0) return [];
  const isOpen = OPEN.includes(path.at(-1) ?? "");
  const unknown = unknownKeys(given, known)
    .map((key) => ({ path: [...path, key], meant: findSimilar(key, known) }))
    .filter(({ meant }) => !isOpen || meant !== undefined);
  const inner = Object.entries(check.members).flatMap(([key, member]) =>
    search(Reflect.get(given, key), member, [...path, key]),
  );
  return [...unknown, ...inner];
}

function unknownKeys(given: unknown, known: readonly string[]): string[] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return [];
  return Object.keys(given).filter((key) => !known.includes(key) && Reflect.get(given, key) !== undefined);
}

function describe({ path, meant }: Unknown): string {
  const option = path.map(printable).join(".");
  const correct = [...path.slice(0, -1), meant].join(".");
  if (meant !== undefined) return `unknown-option: \`${option}\` is not a known option; did you mean \`${correct}\`?`;
  return `unknown-option: \`${option}\` is not a known option and has no effect.`;
}

/** A name that is safe in one line of a log. */
function printable(name: string): string {
  const [text = ""] = /^[\p{L}\p{N}\p{P}\p{S} ]{0,60}/u.exec(name.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "?")) ?? [];
  return text;
}
