/** From a form on a page to the request a browser would make of it. Pure. */
import { type FormButton, type HtmlForm, parseForms } from "./html-form.ts";

/** Which form to send, and what the person typed. */
export interface SubmitOptions {
  /**
   * The button to press: what a person reads on it, or its `value` or `name`, exactly. Absent: the form's first, as the
   * Enter key does.
   */
  readonly button?: string;
  /** Picks the form whose `action` (or whose button's) has this path; needed when no button says which form is meant. */
  readonly action?: string;
  /** Values typed over those of the page; a name the form does not have is added, `null` takes a field away. */
  readonly fields?: Readonly<Record<string, string | null>>;
}

/** The request that sending a form makes. */
export interface Submission {
  readonly url: URL;
  readonly method: "GET" | "POST";
  /** Absent for GET: the fields are in the URL. */
  readonly body?: string | FormData;
}

interface Choice {
  readonly form: HtmlForm;
  readonly button: FormButton | undefined;
}

/** Sending the form failed because the page has no such form or button. The message lists what it has. */
export class NoSuchForm extends Error {
  override readonly name = "NoSuchForm";
}

function describeForms(forms: readonly HtmlForm[]): string {
  if (forms.length === 0) return "The page has no form.";
  const lines = forms.map(
    ({ method, action, buttons }) => `${method} ${action} [${buttons.map((b) => b.text).join(" | ")}]`,
  );
  return `The page's forms: ${lines.join("; ")}.`;
}

function chooseForm(forms: readonly HtmlForm[], base: URL, { button, action }: SubmitOptions): Choice {
  const wantedPath = action === undefined ? undefined : new URL(action, base).pathname;
  const choices = forms.flatMap((form): Choice[] => {
    const pressed = form.buttons.filter((b) => button === undefined || [b.text, b.value, b.name].includes(button));
    if (button !== undefined) return pressed.map((b) => ({ form, button: b }));
    return [{ form, button: form.buttons[0] }];
  });
  const fitting = choices.filter(
    (choice) =>
      wantedPath === undefined || new URL(choice.button?.action ?? choice.form.action, base).pathname === wantedPath,
  );
  const [first] = fitting;
  if (first === undefined) {
    throw new NoSuchForm(
      `No form ${button === undefined ? "" : `with a button "${button}" `}fits. ${describeForms(forms)}`,
    );
  }
  if (new Set(fitting.map((choice) => choice.form)).size > 1) {
    throw new NoSuchForm(`More than one form fits: name a button or an action. ${describeForms(forms)}`);
  }
  return first;
}

function collectFields({ form, button }: Choice, typed: Readonly<Record<string, string | null>>): [string, string][] {
  const left = new Map(Object.entries(typed));
  const fields: [string, string][] = [];
  for (const [name, value] of form.fields) {
    const own = left.get(name);
    left.delete(name);
    if (own !== null) fields.push([name, own ?? value]);
  }
  for (const [name, value] of left) if (value !== null) fields.push([name, value]);
  if (button !== undefined && button.name !== "") fields.push([button.name, button.value]);
  return fields;
}

/**
 * Turns a form of a page into the request a browser would make.
 *
 * @param html the page. @param base its URL. Throws {@link NoSuchForm} when no form, or more than one, fits.
 */
export function prepareSubmission(html: string, base: URL, options: SubmitOptions): Submission {
  const choice = chooseForm(parseForms(html), base, options);
  const fields = collectFields(choice, options.fields ?? {});
  // An empty action means the page's own URL (HTML §4.10.22.3 step 14).
  const url = new URL(choice.button?.action ?? choice.form.action, base);
  if ((choice.button?.method ?? choice.form.method) !== "POST") {
    url.search = new URLSearchParams(fields).toString();
    return { url, method: "GET" };
  }
  if (choice.form.enctype !== "multipart/form-data") {
    return { url, method: "POST", body: new URLSearchParams(fields).toString() };
  }
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  return { url, method: "POST", body };
}
