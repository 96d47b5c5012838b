/** A letter next to a digit. Words have none, and most random text has one early. */
const MIXED = /[A-Za-z]\d|\d[A-Za-z]/;

/** Without a letter next to a digit, any shorter piece is a word or a number. */
const LONG_PIECE = /[A-Za-z]{5}|\d{16}/;

/** Longer runs of letters are not words of any language used in logs. */
const MAX_WORD = 24;

/**
 * Whether a value looks like a secret: long enough, and not only words. A visitor controls the cookies and parameters of a
 * request, and must not be able to remove words from our log lines by sending them (CWE-117).
 *
 * @param minimum of characters.
 */
export function isSecretShaped(value: string, minimum: number): boolean {
  if (value.length < minimum) return false;
  if (MIXED.test(value)) return true;
  if (!LONG_PIECE.test(value)) return false;
  // One by one, because random text is usually recognised by its first piece.
  for (const [piece] of value.matchAll(/[A-Za-z0-9]+/g)) if (!isWord(piece)) return true;
  return false;
}

/**
 * `session`, `OAuthAccountNotLinked`, `API`, or a number such as 404 or 1790000000. Random letters change case all the
 * time.
 */
function isWord(piece: string): boolean {
  if (/^\d+$/.test(piece)) return piece.length < 16;
  if (!/^[A-Za-z]+$/.test(piece) || piece.length >= MAX_WORD) return false;
  const humps = piece.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.length ?? 1;
  return piece.length < 5 || piece.length / humps >= 3;
}
