import { type ActionAnswer, type ActionRequest, html, type Markup } from "@cardea/core/extend";
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

/** Renders a page. The text for the error code in the query comes from `texts`, never from the client. */
export async function renderPage(
  action: ActionRequest,
  { texts }: Settings,
  { title, lead, form, link }: PasswordPage,
): Promise<ActionAnswer> {
  const code = action.query.get("error");
  const error = code === null ? undefined : Object.entries(texts.errors).find(([name]) => name === code)?.[1];
  const main = html`${lead === undefined ? null : html`<p class="lead">${lead}</p>\n`}${
    error === undefined ? null : html`<p class="note" role="alert" id="error">${error}</p>\n`
  }${form === undefined ? null : renderForm(form, await action.csrfToken(), error !== undefined)}${
    link === undefined ? null : html`<p class="next"><a class="button" href="${link.href}">${link.text}</a></p>\n`
  }`;
  return { kind: "page", status: code === "busy" ? 503 : 200, title, main };
}

function renderForm(
  { action, hidden = {}, fields, submit, username }: Form,
  csrfToken: string | null,
  failed: boolean,
) {
  const first = fields.find(({ value }) => value === undefined) ?? fields[0];
  const sent = { ...(csrfToken === null ? {} : { csrfToken }), ...hidden };
  return html`<form method="post" action="${action}">
${Object.entries(sent).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}${
  username === undefined
    ? null
    : html`<input hidden type="text" name="username" autocomplete="username" value="${username}" readonly>\n`
}${fields.map((field) => renderField(field, field === first, failed))}<button class="button main">${submit}</button>
</form>
`;
}

function renderField(
  { name, label, hint, value, isCurrent = false }: Field,
  focus: boolean,
  failed: boolean,
): Markup & ReturnType<typeof html> {
  const { type, autocomplete } = FIELDS[isCurrent ? "current" : name];
  const id = `field-${name}`;
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(failed ? ["error"] : [])].join(" ");
  return html`<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" required autocapitalize="none" spellcheck="false"${
    described === "" ? null : html` aria-describedby="${described}"`
  }${value === undefined ? null : html` value="${value}"`}${focus ? html` autofocus` : null}>
${hint === undefined ? null : html`<p class="hint" id="${id}-hint">${hint}</p>\n`}`;
}

/** The hint under a new password. */
export function hintOf({ texts }: Settings, min: number): string {
  return fill(texts.hint, { min: String(min) });
}
