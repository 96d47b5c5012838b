import type { Markup } from "../model/theme.ts";

/** HTML that is safe to send: everything in it was written by us or escaped. Only this file can create it. */
export class Html {
  readonly #text: string;

  /** Whether something in it is improved by the page script (`page-script.js`), which the page then contains. */
  readonly hasScript: boolean;

  private constructor(text: string, hasScript = false) {
    this.#text = text;
    this.hasScript = hasScript;
  }

  /** Escapes a value; `Html` is kept, lists are joined, null and undefined render nothing. */
  static from(value: HtmlValue): Html {
    if (value instanceof Html) return value;
    if (typeof value === "string") return new Html(value.replace(UNSAFE, escapeCharacter));
    if (value === null || value === undefined) return new Html("");
    const parts = value.map(Html.from);
    return new Html(
      parts.join(""),
      parts.some(({ hasScript }) => hasScript),
    );
  }

  /** Joins the literal parts of a template, which are ours, with the escaped values between them. */
  static join(literals: TemplateStringsArray, values: readonly HtmlValue[]): Html {
    const parts = values.map(Html.from);
    const text = literals.reduce((all, literal, index) => `${all}${parts[index - 1]}${literal}`);
    return new Html(
      text,
      parts.some(({ hasScript }) => hasScript),
    );
  }

  /** The same markup, of which something is improved by the page script. */
  static withScript(markup: Html): Html {
    return new Html(markup.#text, true);
  }

  /**
   * Inserts a style sheet or a script of ours unescaped: the only exception, because their elements have no escapes. A `<` could start an
   * end tag, so it is rejected wherever the text comes from.
   */
  static fromRawText(text: string): Html {
    if (text.includes("<")) throw new TypeError("A style sheet or a script must not contain '<'.");
    return new Html(text);
  }

  /** The markup, ready to be sent. */
  toString(): string {
    return this.#text;
  }
}

/** The values allowed in a template. */
export type HtmlValue = string | Html | null | undefined | readonly HtmlValue[];

/** The characters that end text or a quoted attribute value (HTML §13.1.2.3, §13.1.4). */
const UNSAFE = /[&<>"'`]/g;

function escapeCharacter(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/**
 * Creates HTML from a template: the literal parts are kept, every value is escaped unless it is `Html` already. Values
 * belong between tags or inside a quoted attribute, nowhere else.
 *
 * @example
 * html`<p title="${title}">${items.map((item) => html`<b>${item}</b>`)}</p>`
 */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return Html.join(literals, values);
}

/** Only what `html` made is markup. Everything else is text, that of another installed copy of core included. */
export function safe(main: Markup): Html {
  return main instanceof Html ? main : Html.from(String(main));
}
