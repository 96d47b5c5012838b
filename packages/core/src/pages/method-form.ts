import type { CredentialInput } from "../model/provider.ts";
import type { Page, PageFrame, SignInOption } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { identifierField } from "../protocol/identifier-field.ts";
import { accountName, type ButtonKind, button, confirmation } from "./components.ts";
import { fieldType, renderCredentialField } from "./credential-field.ts";
import { type Html, html, safe } from "./html.ts";
import { renderForm } from "./layout.ts";
import { fill } from "./texts.ts";

/** The forms of the sign-in page: credentials, an address for a link, and those that provider objects bring. */

export type MethodOption = Exclude<SignInOption, { kind: "redirect" }>;

/** Input of every part of the page. */
export interface View {
  readonly page: Extract<Page, { kind: "signin" }>;
  readonly frame: PageFrame;
  readonly texts: PageTexts;
  readonly forms: readonly MethodOption[];
  readonly step: "whole" | "address" | "method";
  /** The error at the field that it concerns: of credentials, if only one form can have caused it. */
  readonly fieldError: string | null;
  /** Whether browsers may offer passkeys in the user name field. */
  readonly passkeys: boolean;
}

/** Id of the error text above the forms, for the fields that it concerns. */
export const ERROR_ID = "error";

/** The fields that a form asks for, by name. */
export function fieldsOf(option: MethodOption, { signIn }: PageTexts): Readonly<Record<string, CredentialInput>> {
  switch (option.kind) {
    case "credentials":
      return option.fields;
    case "email":
      return { email: { label: signIn.emailLabel, type: "email", autocomplete: "email", required: true } };
    case "scripted": {
      const { email } = option.fields;
      return email === undefined ? option.fields : { ...option.fields, email: { type: "email", ...email } };
    }
  }
}

/** The name of the field that identifies the user. */
export function identifierOf(option: MethodOption, texts: PageTexts): string | undefined {
  return identifierField(fieldsOf(option, texts));
}

/** Renders a form. The first one of the page has its main button; in the steps, further ones with fields open on demand. */
export function renderMethod(option: MethodOption, index: number, view: View): Html {
  if (option.kind === "scripted") return renderScripted(option, index, view);
  const { step, texts, page } = view;
  const known = step === "method" ? identifierOf(option, texts) : undefined;
  const fields = Object.entries(fieldsOf(option, texts)).filter(([name]) => name !== known);
  const error = option.kind === "credentials" ? view.fieldError : null;
  const isFolded = index > 0 && step !== "whole" && fields.length > 0;
  const kind: ButtonKind = index === 0 || isFolded ? "main" : "plain";
  // The error is at the field to correct, which is not the one whose value is kept.
  const wrong = Math.max(0, fields.findIndex(isSecret));
  const content = html`${known === undefined ? null : accountName(page.identifier?.text ?? "", known)}${fields.map(
    (field, n) => renderField(field, `field-${index}-${n}`, n === wrong ? error : null, view),
  )}${button({ label: submitOf(option, view), kind })}`;
  const form = renderForm({ ...page, action: option.action }, content);
  if (!isFolded) return form;
  return confirmation({ label: methodLabel(option, view), kind: "plain", form, isOpen: error !== null });
}

type NamedInput = readonly [name: string, input: CredentialInput];

function isSecret([name, input]: NamedInput): boolean {
  return fieldType(name, input.type) === "password";
}

function methodLabel({ name }: MethodOption, { texts }: View): Html {
  return fill(texts.signIn.withProvider, { name });
}

function submitOf(option: MethodOption, view: View): Html | string {
  const { signIn } = view.texts;
  if (option.kind === "email") return signIn.emailSubmit;
  const isAlone = view.forms.length === 1 || view.step === "method";
  return isAlone ? signIn.submit : methodLabel(option, view);
}

function renderField([name, input]: NamedInput, id: string, error: string | null, view: View): Html {
  const { page, step, fieldError, passkeys } = view;
  const isKept = step === "whole" && identifierField({ [name]: input }) === name;
  return renderCredentialField({
    ...{ name, input, id, passkeys, error },
    value: isKept ? page.identifier?.text : undefined,
    describedBy: page.error === "CredentialsSignin" && fieldError === null ? ERROR_ID : null,
    focus: step === "method" && id === "field-0-0",
  });
}

function renderScripted(option: Extract<MethodOption, { kind: "scripted" }>, index: number, view: View): Html {
  const { page, texts, step } = view;
  const { options, action } = option;
  const isTyped = step === "method" && page.identifier !== null;
  let position = 0;
  const form = option.form({
    ...{ options, index, texts, step },
    fields: step === "address" ? {} : option.fields,
    autofill: option.autofill && step !== "method",
    field: (name, input, describedBy) => {
      const id = `field-${index}-${position++}`;
      const isKnown = isTyped && name === identifierOf(option, texts);
      if (isKnown) return html`<input type="hidden" name="${name}" value="${page.identifier?.text ?? ""}">`;
      return renderCredentialField({ ...{ name, input, id, describedBy }, passkeys: option.autofill });
    },
    wrap: (content) => renderForm({ ...page, action }, safe(content)),
  });
  return safe(form);
}
