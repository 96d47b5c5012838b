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
