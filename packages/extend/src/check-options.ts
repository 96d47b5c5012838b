import { hasControlCharacter, parseUrl } from "@cardea/core/extension-kit";

/** What an option must be if it is given, and how a message describes it. */
export interface OptionRule {
  /** Follows "must be". */
  readonly wanted: string;
  /** Whether a value is accepted. */
  readonly accepts: (value: unknown) => boolean;
}

const rule = (wanted: string, accepts: (value: unknown) => boolean): OptionRule => ({ wanted, accepts });

/** Rules for {@link checkOptions}. */
export const optionRules = {
  /** A value that the extension validates itself. */
  any: rule("anything", () => true),
  /** True or false. */
  boolean: rule("true or false", (value) => typeof value === "boolean"),
  /** A function. */
  callable: rule("a function", (value) => typeof value === "function"),
  /** Text that appears in a URL, a header, a page or an e-mail. */
  line: rule(
    "a string without control characters",
    (value) => typeof value === "string" && !hasControlCharacter(value),
  ),
  /** A page of the application. URL parsers drop tabs and line breaks, and read `//host` and `/\host` as another origin. */
  page: rule("a path that starts with a single `/`, without spaces", isPagePath),
  /** An object. */
  object: rule("an object", (value) => typeof value === "object" && value !== null && !Array.isArray(value)),
  /** A list. */
  list: rule("a list", Array.isArray),
  /** One of these values. */
  oneOf: (...values: readonly unknown[]): OptionRule =>
    rule(values.map((value) => JSON.stringify(value)).join(" or "), (value) => values.includes(value)),
} as const;

function isPagePath(value: unknown): boolean {
  if (typeof value !== "string" || !/^\/(?![\\/])[\x21-\x7e]*$/.test(value)) return false;
  return parseUrl(value, "https://app.example.com")?.host === "app.example.com";
}

/**
 * Validates the options of an extension. Every option has a rule, so that a misspelled one, or a misspelled value that
 * would mean the default, is not ignored. An undefined option is absent.
 *
 * @param place What the options were given to, such as `attempts()`.
 * @throws TypeError naming the option; never its value, which may be a secret.
 */
export function checkOptions<T extends object>(
  place: string,
  given: T,
  rules: { readonly [Option in keyof Required<T>]: OptionRule },
): void {
  const known: Readonly<Record<string, OptionRule>> = rules;
  for (const [name, value] of Object.entries(given)) {
    const { wanted, accepts } = (Object.hasOwn(known, name) ? known[name] : undefined) ?? {};
    if (accepts === undefined)
      throw new TypeError(`${place}: \`${name}\` is not an option; use ${Object.keys(known).join(", ")}.`);
    if (value !== undefined && !accepts(value)) throw new TypeError(`${place}: \`${name}\` must be ${wanted}.`);
  }
}
