/** A rule that no two rows of a table break: rows with the same key clash, rows without a key never do. */
export interface UniqueKey<Row> {
  readonly name: string;
  readonly keyOf: (row: Row) => string | undefined;
}

/** Rows with unique keys. What goes in and what comes out are copies. */
export interface Table<Row extends object> {
  insert(row: Row): Row;
  find(match: (row: Row) => boolean): Row | undefined;
  list(match?: (row: Row) => boolean): Row[];
  /** Changes the first row that matches; members that are undefined change nothing. */
  update(match: (row: Row) => boolean, changes: Partial<Row>): Row | undefined;
  /** Removes every row that matches, and returns them. */
  remove(match: (row: Row) => boolean): Row[];
}

/** Two rows would have the same key. */
class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
}

/** A copy that shares nothing with the value, without its members that are undefined: a database has no such thing. */
function copyRow<Row extends object>(row: Row): Row {
  const copy = structuredClone(row);
  for (const key of Object.keys(copy)) {
    if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key);
  }
  return copy;
}

/** Creates an empty table. */
export function createTable<Row extends object>(uniqueKeys: readonly UniqueKey<Row>[]): Table<Row> {
  let rows: readonly Row[] = [];

  const requireUnique = (row: Row, others: readonly Row[]): void => {
    for (const { name, keyOf } of uniqueKeys) {
      const key = keyOf(row);
      if (key !== undefined && others.some((other) => keyOf(other) === key)) {
        throw new UniqueViolation(`Unique key ${name}: there is a row with ${key} already.`);
      }
    }
  };

  return {
    insert(given) {
      const row = copyRow(given);
      requireUnique(row, rows);
      rows = [...rows, row];
      return copyRow(row);
    },
    find(match) {
      const found = rows.find(match);
      return found && copyRow(found);
    },
    list: (match = () => true) => rows.filter(match).map(copyRow),
    update(match, changes) {
      const before = rows.find(match);
      if (before === undefined) return undefined;
      const after: Row = { ...before, ...copyRow(changes) };
      const others = rows.filter((row) => row !== before);
      requireUnique(after, others);
      rows = rows.map((row) => (row === before ? after : row));
      return copyRow(after);
    },
    remove(match) {
      const removed = rows.filter(match);
      rows = rows.filter((row) => !removed.includes(row));
      return removed.map(copyRow);
    },
  };
}
