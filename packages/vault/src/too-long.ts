/** The shortest common column has 191 characters. A failure with shorter texts has another cause. */
const SHORTEST = 190;

/** Error messages of PostgreSQL, MySQL, SQLite and Prisma for a text that does not fit. */
const MESSAGES =
  /too long|P2000|22001|ER_DATA_TOO_LONG|value too|string or binary data would be truncated|CHECK constraint/i;

type Columns = Readonly<Record<string, string | null>>;

/** Whether a write failed because a column is too short. */
export function isTooLong(error: unknown, columns: Columns): boolean {
  const hasLong = Object.values(columns).some((text) => (text?.length ?? 0) > SHORTEST);
  return hasLong && MESSAGES.test(describe(error));
}

/** The columns that may be too short, with the lengths they need. */
export function longColumns(columns: Columns): string {
  const long = Object.entries(columns).filter(([, text]) => (text?.length ?? 0) > SHORTEST);
  return long.map(([name, text]) => `\`${name}\` (${text?.length} characters)`).join(", ");
}

/** The messages of an error and its causes. */
function describe(error: unknown, depth = 0): string {
  if (depth > 5 || typeof error !== "object" || error === null) return "";
  const [message, code, cause, err] = ["message", "code", "cause", "err"].map((name) => Reflect.get(error, name));
  return `${String(message)} ${String(code)} ${describe(cause, depth + 1)} ${describe(err, depth + 1)}`;
}
