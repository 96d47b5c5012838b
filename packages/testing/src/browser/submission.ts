/** Converts a form on a page to the request that a browser would send. Pure. */
import { type FormButton, type HtmlForm, parseForms } from "./html-form.ts";

/** The form to submit, and the user's input. */
export interface SubmitOptions {
  /**
   * The button to press, by its exact label, `value` or `name`. Default: the form's first button, as with the Enter key.
   */
  readonly button?: string;
  /** The path in the `action` of the form or its button. Needed if the button does not identify the form. */
  readonly action?: string;
  /** Values that replace those of the page. Other names are added; `null` removes a field. */
  readonly fields?: Readonly<Record<string, string | null>>;
}

/** The request that submitting a form sends. */
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

/** The page has no matching form or button. The message lists those it has. */
export class NoSuchForm extends Error {
  /** Identifies the error. */
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
      `No form ${button === undefined ? "" : `with a button "${button}" `}matches. ${describeForms(forms)}`,
    );
  }
  if (new Set(fitting.map((choice) => choice.form)).size > 1) {
    throw new NoSuchForm(`More than one form matches: specify \`button\` or \`action\`. ${describeForms(forms)}`);
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
 * Converts a form of a page to the request that a browser would send.
 *
 * @param html the page. @param base its URL. Throws {@link NoSuchForm} unless exactly one form matches.
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
