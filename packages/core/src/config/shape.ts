/**
 * What a value of the configuration must be. Plain values, lists and objects are all that the options need, so that
 * no schema library is loaded when the application starts (decisions/030).
 */
export interface Shape {
  /** Completes "must be …". */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  /** Whether the value may be absent. */
  readonly optional: boolean;
  /** The known members of an object. */
  readonly members: Readonly<Record<string, Shape>>;
  /** What members that are not in `members` must be; absent where they are left alone. */
  readonly others: Shape | undefined;
  /** What each entry of a list must be. */
  readonly each: Shape | undefined;
}

/** One value that does not have its shape. */
export interface ShapeIssue {
  readonly path: readonly string[];
  readonly expected: string;
}

type Inner = Partial<Pick<Shape, "members" | "others" | "each">>;

/** A value that must be there. */
export function required(expected: string, accepts: (value: unknown) => boolean, inner: Inner = {}): Shape {
  return { expected, accepts, optional: false, members: {}, others: undefined, each: undefined, ...inner };
}

/** A value that may be absent. */
export function optional(expected: string, accepts: (value: unknown) => boolean, inner: Inner = {}): Shape {
  return { ...required(expected, accepts, inner), optional: true };
}

/**
 * Compares a value with its shape. Never throws for what `accepts` can take.
 *
 * @returns every mismatch, members in the order of the shape; below a value that does not fit nothing is compared.
 */
export function findShapeIssues(value: unknown, shape: Shape, path: readonly string[] = []): readonly ShapeIssue[] {
  if (value === undefined && shape.optional) return [];
  if (!shape.accepts(value)) return [{ path, expected: shape.expected }];
  const { members, others, each } = shape;
  if (Array.isArray(value)) {
    return each === undefined
      ? []
      : value.flatMap((entry, index) => findShapeIssues(entry, each, [...path, String(index)]));
  }
  if (!isObject(value)) return [];
  const known = Object.entries(members);
  const unknown = others === undefined ? [] : Object.keys(value).filter((key) => !Object.hasOwn(members, key));
  return [...known, ...unknown.map((key) => [key, others] as const)].flatMap(([key, member]) =>
    member === undefined ? [] : findShapeIssues(Reflect.get(value, key), member, [...path, key]),
  );
}

/** An object that is not a list. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
