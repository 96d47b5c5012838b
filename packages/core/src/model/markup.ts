/** Markup made with `html` of `@cardea/core/extend`; anything else is shown as text. */
export interface Markup {
  toString(): string;
}
