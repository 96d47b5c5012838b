import { type ActionAnswer, type ActionRequest, components, type Html, html } from "@cardea/extend";
import type { Settings } from "../options.ts";
import { fill } from "./texts.ts";

/**
 * Fields for address and passwords, with the attributes that password managers need (ASVS 6.2.7; HTML §4.10.18.7).
 * Pasting is never blocked.
 */
const FIELDS = {
  email: { type: "email", autocomplete: "username" },
  password: { type: "password", autocomplete: "new-password" },
  current: { type: "password", autocomplete: "current-password" },
} as const;

/** A visible field. */
interface Field {
  readonly name: keyof typeof FIELDS;
  readonly label: string;
  readonly hint?: string | undefined;
  /** What was entered before; never a password. */
  readonly value?: string | undefined;
  /** Whether the field `password` is for the current password. */
  readonly isCurrent?: boolean;
}

/** A form of a page. */
interface Form {
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
  readonly submit: string;
  /** The address of the account, for password managers. */
  readonly username?: string | undefined;
}

/** A page of this package. */
export interface PasswordPage {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly form?: Form;
  readonly link?: { readonly href: string; readonly text: string };
}

/** The errors about what was typed in a field; all others are about the whole form. */
const AT_FIELD: Readonly<Record<string, keyof typeof FIELDS | undefined>> = {
  "invalid-address": "email",
  "too-short": "password",
  "too-long": "password",
  guessable: "password",
  common: "password",
  breached: "password",
  "wrong-password": "current",
};

/** Renders a page. The text for the error code in the query comes from `texts`, never from the client. */
export async function renderPage(
  action: ActionRequest,
  { texts }: Settings,
  { title, lead, form, link }: PasswordPage,
): Promise<ActionAnswer> {
  const code = action.query.get("error");
  const [name, text] = Object.entries(texts.errors).find(([one]) => one === code) ?? [];
  const wrong = form?.fields.find((field) => name !== undefined && AT_FIELD[name] === kindOf(field));
  const notice = wrong === undefined ? text : undefined;
  const failure = { wrong, text, isAbove: notice !== undefined };
  const main = html`${lead === undefined ? null : components.lead(lead)}${components.notice({ kind: "error", text: notice, id: ERROR_ID })}${
    form === undefined ? null : renderForm(form, await action.csrfToken(), failure)
  }${link === undefined ? null : renderLink(link, form === undefined)}`;
  return { kind: "page", status: code === "busy" ? 503 : 200, title, main };
}

const ERROR_ID = "error";

/** What went wrong. */
interface Failure {
  /** The field to correct; undefined if it is not known. */
  readonly wrong: Field | undefined;
  readonly text: string | undefined;
  /** Whether the text is above the form. */
  readonly isAbove: boolean;
}

function kindOf({ name, isCurrent = false }: Field): keyof typeof FIELDS {
  return isCurrent ? "current" : name;
}

/** Beside a form the link is what a page offers besides its task. */
function renderLink({ href, text: label }: { readonly href: string; readonly text: string }, isAlone: boolean): Html {
  return isAlone ? components.buttonLinks({ href, label, kind: "main" }) : components.links({ href, label });
}

function renderForm(
  { action, hidden, fields, submit, username }: Form,
  csrfToken: string | null,
  failure: Failure,
): Html {
  const first = failure.wrong ?? fields.find(({ value }) => value === undefined) ?? fields[0];
  const content = html`${username === undefined ? null : components.accountName(username)}${fields.map((field) =>
    renderField(field, field === first, failure),
  )}${components.button({ label: submit, kind: "main" })}`;
  return components.form({ action, hidden: { csrfToken, ...hidden }, content });
}

function renderField(field: Field, focus: boolean, { wrong, text, isAbove }: Failure): Html {
  const { name, label, hint, value } = field;
  const { type, autocomplete } = FIELDS[kindOf(field)];
  const attributes = { autocomplete, autocapitalize: "none", spellcheck: "false", ...(focus ? { autofocus: "" } : {}) };
  const error = field === wrong ? text : undefined;
  return components.field({
    name,
    label,
    type,
    hint,
    value,
    error,
    attributes,
    describedBy: isAbove ? [ERROR_ID] : [],
  });
}

/** The hint under a new password. */
export function hintOf({ texts }: Settings, min: number): string {
  return fill(texts.hint, { min: String(min) });
}
