import { Html, type HtmlValue, html } from "./html.ts";
import { parseImage, safeHref } from "./safe-url.ts";
import { initialOf } from "./texts.ts";

/**
 * `main` is the one action that a page is for, `danger` one that removes something, `quiet` a small one beside a row, and `link` looks
 * like a link; the others have the width of the page.
 */
export type ButtonKind = "main" | "plain" | "quiet" | "danger" | "link";

const BUTTONS = {
  main: "button main",
  plain: "button",
  quiet: "button quiet",
  danger: "button danger",
  link: "link",
} as const satisfies Record<ButtonKind, string>;

/** A button that sends its form. */
export interface Button {
  /** What it does, such as "Save". */
  readonly label: HtmlValue;
  /** Default: `plain`. */
  readonly kind?: ButtonKind;
  /** Sent with the form if this button is used. */
  readonly name?: string;
  /** Its value; default: none. */
  readonly value?: string;
}

/** Renders a button that sends the form around it. */
export function button({ label, kind = "plain", name, value }: Button): Html {
  const sent = name === undefined ? null : html` name="${name}" value="${value ?? ""}"`;
  return html`<button class="${BUTTONS[kind]}"${sent}>${label}</button>`;
}

/** A link that looks like a button. */
export interface ButtonLink extends Pick<Button, "label" | "kind"> {
  /** A path or an http(s) URL; anything else becomes the root. */
  readonly href: string;
}

/** Renders links that look like buttons, below each other. */
export function buttonLinks(...links: readonly ButtonLink[]): Html {
  const all = links.map(
    ({ href, label, kind = "plain" }) => html`<a class="${BUTTONS[kind]}" href="${safeHref(href)}">${label}</a>`,
  );
  return html`<p class="next">${all}</p>\n`;
}

/** Renders links that look like links, in one line: what a page offers besides its task. */
export function links(...all: readonly Omit<ButtonLink, "kind">[]): Html {
  return html`<p class="links">${all.map(({ href, label }) => html`<a href="${safeHref(href)}">${label}</a>\n`)}</p>\n`;
}

/** A button that copies a text. */
export interface CopyButton {
  /** What is copied. */
  readonly text: string;
  /** What it does, such as "Copy the codes". */
  readonly label: HtmlValue;
  /** Replaces the label once it was copied, for two seconds. */
  readonly done: HtmlValue;
}

/** Renders a button that copies a text, and looks like a link. It is shown on pages with scripts. */
export function copyButton({ text, label, done }: CopyButton): Html {
  return Html.withScript(
    html`<button type="button" class="link copy" data-copy="${text}" hidden><span>${label}</span><span>${done}</span></button><span class="spoken" role="status"></span>\n`,
  );
}

/** Renders a button that prints the page, and looks like a link. It is shown on pages with scripts. */
export function printButton(label: HtmlValue): Html {
  return Html.withScript(html`<button type="button" class="link" data-print hidden>${label}</button>\n`);
}

/** A form. */
export interface Form {
  /** URL that it posts to. */
  readonly action: string;
  /** The fields that users do not see. Those without a value are omitted. */
  readonly hidden?: Readonly<Record<string, string | null | undefined>>;
  /** Fields and buttons. */
  readonly content: HtmlValue;
}

/**
 * Renders a form that posts. The hidden fields come first, because the first value of a repeated name is used
 * (docs/behaviour.md#actions).
 */
export function form({ action, hidden = {}, content }: Form): Html {
  const fields = Object.entries(hidden).map(([name, value]) =>
    value === null || value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${action}">
${fields}
${content}
</form>
`;
}

/** A field of a form. */
export interface Field {
  /** The name that is sent. */
  readonly name: string;
  /** The label above it. */
  readonly label: HtmlValue;
  /** Unique on the page; default: `field-` and the name. */
  readonly id?: string;
  /** Type of the input; default: `text`. */
  readonly type?: string;
  /** What was typed before. Never a password. */
  readonly value?: string | undefined;
  /** A sentence below the field. */
  readonly hint?: HtmlValue;
  /** What was wrong with this field, shown below it. */
  readonly error?: HtmlValue;
  /** Whether what was typed was wrong, where `describedBy` names the text that says so. */
  readonly isInvalid?: boolean;
  /** Ids of other texts about the field. */
  readonly describedBy?: readonly string[];
  /** Whether it may be left empty; default: false. */
  readonly isOptional?: boolean;
  /** Further attributes, such as `autocomplete`. Attributes that could run a script or set a style are dropped. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** The names of attributes that may be set. Event handlers and styles are not among them. */
const ATTRIBUTE = /^(?!on|style$|src|form|type$|id$|name$|value$)[a-z][a-z-]*$/;

/** Renders a label, its input, its error and its hint. What a password field contains can be shown, on pages with scripts. */
export function field(given: Field): Html {
  const { name, label, id = `field-${name}`, type = "text", value, hint, error, isOptional = false } = given;
  const hasHint = isShown(hint);
  const hasError = isShown(error);
  const texts = [
    ...(given.describedBy ?? []),
    ...(hasError ? [`${id}-error`] : []),
    ...(hasHint ? [`${id}-hint`] : []),
  ];
  const attributes = Object.entries({
    ...given.attributes,
    ...(isOptional ? {} : { required: "" }),
    ...(texts.length === 0 ? {} : { "aria-describedby": texts.join(" ") }),
    ...(hasError || given.isInvalid === true ? { "aria-invalid": "true" } : {}),
    // The field to correct receives the focus: it scrolls into view and a screen reader reads the error.
    ...(hasError ? { autofocus: "" } : {}),
  }).filter(([key]) => ATTRIBUTE.test(key));
  const typed = value === undefined ? null : html` value="${value}"`;
  const input = html`<input id="${id}" name="${name}" type="${type}"${typed}${attributes.map(([key, text]) => html` ${key}="${text}"`)}>`;
  return html`<label for="${id}">${label}</label>
${type === "password" ? Html.withScript(html`<div class="secret">${input}</div>`) : input}
${hasError ? html`<p class="wrong" id="${id}-error" role="alert">${error}</p>\n` : null}${hasHint ? html`<p class="hint" id="${id}-hint">${hint}</p>\n` : null}`;
}

function isShown(text: HtmlValue): boolean {
  return text !== null && text !== undefined && text !== "";
}

/** The attributes of a field for a code: pasting, autofill and a keyboard of digits (ASVS 6.2.7; HTML §4.10.18.7). */
export const CODE_ATTRIBUTES: Readonly<Record<string, string>> = {
  inputmode: "numeric",
  autocomplete: "one-time-code",
  autocapitalize: "none",
  spellcheck: "false",
};

/** Renders a check box with its label. */
export function checkbox({ name, value, label }: { name: string; value: string; label: HtmlValue }): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" value="${value}"> <span>${label}</span></label>\n`;
}

/** The name of the account for password managers: a field that users do not see. It is sent as `name`. */
export function accountName(username: string, name = "username"): Html {
  return html`<input hidden type="text" name="${name}" autocomplete="username" value="${username}" readonly>\n`;
}

/** Renders the sentence below the headline. */
export function lead(text: HtmlValue): Html {
  return html`<p class="lead">${text}</p>\n`;
}

/** A message in a box. */
export interface Notice {
  /** `error` is read out at once, `status` when there is time; `note` is part of the page. Default: `note`. */
  readonly kind?: "error" | "status" | "note";
  /** The message; without one, there is no box. */
  readonly text: HtmlValue;
  /** For `describedBy` of a field. */
  readonly id?: string;
}

const ROLES = { error: html` role="alert"`, status: html` role="status"`, note: null } as const;

/** Renders a message in a box; null for none. */
export function notice({ kind = "note", text, id }: Notice): Html | null {
  if (!isShown(text)) return null;
  return html`<p class="note"${ROLES[kind]}${id === undefined ? null : html` id="${id}"`}>${text}</p>\n`;
}

/** A part of a page. */
export interface Card {
  /** Its heading. */
  readonly title?: HtmlValue;
  /** A sentence below the heading. */
  readonly text?: HtmlValue;
  /** What it is about. */
  readonly content?: HtmlValue;
  /** Whether it is set apart from what is above it, as what removes something is. */
  readonly isApart?: boolean;
}

/** Renders a part of a page. */
export function card({ title, text, content, isApart = false }: Card): Html {
  return html`<section${isApart ? html` class="apart"` : null}>
${isShown(title) ? html`<h2>${title}</h2>\n` : null}${isShown(text) ? html`<p>${text}</p>\n` : null}${content}</section>
`;
}

/** A row of a list. */
export interface Row {
  /** What the row is. */
  readonly title: HtmlValue;
  /** A word beside the title, such as "This browser". */
  readonly badge?: HtmlValue;
  /** Facts about it, one a line. */
  readonly details?: readonly HtmlValue[];
  /** Quiet buttons, in their forms. */
  readonly actions?: HtmlValue;
}

/** Renders rows, each with its quiet buttons. */
export function list(rows: readonly Row[]): Html {
  return html`<ul class="rows">\n${rows.map(renderRow)}</ul>\n`;
}

function renderRow({ title, badge, details = [], actions }: Row): Html {
  const mark = isShown(badge) ? html` <em class="badge">${badge}</em>` : null;
  return html`<li><div><strong>${title}</strong>${mark}${details.map((detail) => html`<p>${detail}</p>`)}</div>${actions}</li>\n`;
}

/** Who an account belongs to. */
export interface Person {
  /** The picture. It is shown if it is of this site or part of the page, because pages load nothing from elsewhere; else the initial. */
  readonly image: string | null;
  /** Their name, or address. */
  readonly name: string;
  /** Of the application. */
  readonly host: string;
  /** A line below the name. */
  readonly detail?: HtmlValue;
}

/** Renders a picture beside a name. */
export function person({ image, name, host, detail }: Person): Html {
  const source = parseImage(image, host);
  const picture =
    source === null
      ? html`<span class="face" aria-hidden="true">${initialOf(name)}</span>`
      : html`<img class="face" src="${source}" alt="">`;
  return html`<div class="person">${picture}<div><strong><bdi>${name}</bdi></strong>${isShown(detail) ? html`<p>${detail}</p>` : null}</div></div>\n`;
}

/** Renders numbered steps, each with all that belongs to it. */
export function steps(all: readonly HtmlValue[]): Html {
  return html`<ol class="steps">\n${all.map((step) => html`<li>${step}</li>\n`)}</ol>\n`;
}

/** What removes something, and asks first. */
export interface Confirmation {
  /** The button that asks. */
  readonly label: HtmlValue;
  /** What will happen; default: nothing is said. */
  readonly text?: HtmlValue;
  /** The form with the button that does it. */
  readonly form: HtmlValue;
  /** Of the button that asks; default: `danger`. */
  readonly kind?: ButtonKind;
  /** Whether it is shown without asking; default: false. */
  readonly isOpen?: boolean;
}

/** Renders a button that shows what will happen and the form that does it. Works without a script. */
export function confirmation({ label, text, form: content, kind = "danger", isOpen = false }: Confirmation): Html {
  return html`<details class="confirm"${isOpen ? html` open` : null}><summary class="${BUTTONS[kind]}">${label}</summary>
<div class="ask">${isShown(text) ? html`<p>${text}</p>\n` : null}${content}</div></details>
`;
}

/** How to write a time. */
export interface TimeFormat {
  /** The language of the page, as in `t.lang`. */
  readonly lang: string;
  /** The present, in seconds since 1970, as in `t.now()`: the time is then written as the distance from it, such as "2 hours ago". */
  readonly now?: number;
}

/**
 * Renders a time: the distance from `now`, which is right in every time zone, or the day. The element contains the exact time for
 * programs, and shows it in UTC under the pointer.
 */
export function time(at: Date, { lang, now }: TimeFormat): Html {
  const day = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  const exact = formatDate(at, lang, { ...day, hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
  const shown = now === undefined ? formatDate(at, lang, day) : distance(at.getTime() / 1000 - now, lang);
  return html`<time datetime="${at.toISOString()}" title="${exact}">${shown}</time>`;
}

const UNITS = [
  ["year", 31_556_952],
  ["month", 2_629_746],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

function distance(seconds: number, lang: string): string {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", Infinity] as const);
  return new Intl.RelativeTimeFormat(localeOf(lang), { numeric: "auto" }).format(Math.trunc(seconds / size) + 0, unit);
}

function formatDate(at: Date, lang: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(localeOf(lang), options).format(at);
}

/** `lang` is the application's text; a page does not fail because of it. */
function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? "en";
  } catch {
    return "en";
  }
}
