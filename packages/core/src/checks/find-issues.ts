/** Describes the accepted values. */
export type IssueCheck = Rule | Members | List;

/** Accepts a single value. */
export interface Rule {
  readonly kind: "value";
  /** What is accepted, to follow "must be". */
  readonly message: string;
  readonly accepts: (value: unknown) => boolean;
}

/** Accepts an object, or undefined. Members without a check may have any value, unless `others` checks them. */
export interface Members {
  readonly kind: "members";
  readonly members: Readonly<Record<string, IssueCheck>>;
  readonly others?: IssueCheck | undefined;
}

/** Accepts a list, or undefined. */
interface List {
  readonly kind: "list";
  readonly message: string;
  readonly each: Rule;
}

/** A value that is not accepted. */
export interface Issue {
  readonly path: readonly (string | number)[];
  /** What is accepted, to follow "must be". */
  readonly message: string;
  readonly given: unknown;
}

/** Finds all values that are not accepted, in the order of the description. Throws only if reading a member throws. */
export function findIssues(value: unknown, check: IssueCheck, path: Issue["path"] = []): readonly Issue[] {
  const refused = (message: string) => [{ path, message, given: value }];
  if (check.kind === "value") return check.accepts(value) ? [] : refused(check.message);
  if (value === undefined && path.length > 0) return [];
  if (check.kind === "list") {
    if (!Array.isArray(value)) return refused(check.message);
    return value.flatMap((member: unknown, index) => findIssues(member, check.each, [...path, index]));
  }
  if (!hasMembers(value)) return refused("an object");
  const { members, others } = check;
  const known = Object.entries(members).flatMap(([key, one]) => findIssues(value[key], one, [...path, key]));
  if (others === undefined) return known;
  const rest = Object.keys(value).filter((key) => !Object.hasOwn(members, key));
  return [...known, ...rest.flatMap((key) => findIssues(value[key], others, [...path, key]))];
}

/** Whether a value is an object with members; a list is not. */
export function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
