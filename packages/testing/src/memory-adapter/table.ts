/** A unique key: no two rows may have the same key. Rows without a key never conflict. */
export interface UniqueKey<Row> {
  readonly name: string;
  readonly keyOf: (row: Row) => string | undefined;
}

/** Rows with unique keys. Rows are copied when they are stored and read. */
export interface Table<Row extends object> {
  insert(row: Row): Row;
  find(match: (row: Row) => boolean): Row | undefined;
  list(match?: (row: Row) => boolean): Row[];
  /** Changes the first matching row; undefined members are ignored. */
  update(match: (row: Row) => boolean, changes: Partial<Row>): Row | undefined;
  /** Removes all matching rows and returns them. */
  remove(match: (row: Row) => boolean): Row[];
}

/** Thrown if two rows would have the same key. */
class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
}

/** A deep copy without undefined members, which databases do not have. */
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
        throw new UniqueViolation(`Unique key ${name}: a row with ${key} already exists.`);
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
