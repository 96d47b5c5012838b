import type { TokenEndpointHandler, UserinfoEndpointHandler } from "../model/oauth-provider.ts";
import type { CredentialsProvider } from "../model/provider.ts";
import type { IssueCheck } from "./find-issues.ts";

/**
 * Finds the known name that a misspelled name probably means. Never throws.
 *
 * 1. A name that differs only in case, `_` and `-`.
 * 2. Otherwise the name at the smallest edit distance: 1 for four or five letters, 2 for up to nine, 3 beyond; shorter
 *    names have none.
 */
export function findSimilar(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const folded = fold(name);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const other = fold(candidate);
    const limit = limitOf(Math.min(folded.length, other.length));
    if (Math.abs(folded.length - other.length) > limit) continue;
    const distance = editDistance(folded, other);
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name: candidate, distance };
  }
  return best?.name;
}

/** Longer than every option. */
const MAX_LENGTH = 64;

function limitOf(length: number): number {
  if (length < 4) return 0;
  return length < 6 ? 1 : length < 10 ? 2 : 3;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

/** Insertions, deletions, replacements and transpositions (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const steps = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        ...(swapped ? [at(beforeLast, column - 2) + 1] : []),
      ];
      current.push(Math.min(...steps));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** Levels that contain third-party objects, such as another library's logger, whose other members are irrelevant here. */
const OPEN = ["logger", "adapter", "texts"];

/**
 * Finds members that are not options, at every level of the configuration. Never throws.
 *
 * @param check describes the options.
 * @returns one warning for each, with the option that was probably meant; never a value.
 */
export function findUnknownOptions(given: unknown, check: IssueCheck): string[] {
  return search(given, check, []).map(describeUnknown);
}

/** Members of every provider object. */
const COMMON = ["id", "name", "type", "style", "options", "extension"] satisfies readonly (keyof CredentialsProvider)[];

const ENDPOINT = [
  ...(["url", "params", "request", "conform", "body", "clientPrivateKey"] as const),
] satisfies readonly (keyof TokenEndpointHandler | keyof UserinfoEndpointHandler)[];

/**
 * Warns about members of a provider object whose names are almost those of known members. Other unknown members belong to
 * the provider.
 *
 * @param option the provider's place in the configuration, such as `providers[0]`.
 * @param known the members that the sign-in method knows.
 */
export function findMisspelledMembers(
  provider: Readonly<Record<PropertyKey, unknown>>,
  option: string,
  known: readonly string[],
): string[] {
  const endpoints = ["authorization", "token", "userinfo"];
  return [
    ...findMisspelled(provider, [...COMMON, ...known], option),
    ...endpoints.flatMap((name) => findMisspelled(provider[name], ENDPOINT, `${option}.${name}`)),
  ];
}

/** Warns about members of one object whose names are almost those of known members; other members are ignored. */
function findMisspelled(given: unknown, known: readonly string[], option: string): string[] {
  const misspelled = findUnknown(given, known, [option]).filter(({ meant }) => meant !== undefined);
  return misspelled.map(describeUnknown);
}

interface Unknown {
  readonly path: readonly string[];
  readonly meant: string | undefined;
}

function search(given: unknown, check: IssueCheck, path: readonly string[]): Unknown[] {
  if (check.kind !== "members" || typeof given !== "object" || given === null) return [];
  const known = Object.keys(check.members);
  if (known.length === 0) return [];
  const isOpen = OPEN.includes(path.at(-1) ?? "");
  const unknown = findUnknown(given, known, path).filter(({ meant }) => !isOpen || meant !== undefined);
  const inner = Object.entries(check.members).flatMap(([key, member]) =>
    search(Reflect.get(given, key), member, [...path, key]),
  );
  return [...unknown, ...inner];
}

function findUnknown(given: unknown, known: readonly string[], path: readonly string[]): Unknown[] {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return [];
  const keys = Object.keys(given).filter((key) => !known.includes(key) && Reflect.get(given, key) !== undefined);
  return keys.map((key) => ({ path: [...path, key], meant: findSimilar(key, known) }));
}

function describeUnknown({ path, meant }: Unknown): string {
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
