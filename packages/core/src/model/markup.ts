/** Markup created with `html` from `@cardea/core/extend`. Anything else is escaped. */
export interface Markup {
  /** The HTML, with every inserted value escaped. */
  toString(): string;
}
