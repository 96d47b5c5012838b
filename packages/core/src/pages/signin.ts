import type { Page, PageFrame } from "../model/result.ts";
import type { Section } from "../model/section.ts";
import type { PageTexts } from "../model/texts.ts";
import { identifierKind } from "../protocol/identifier-field.ts";
import { button, card, field, notice } from "./components.ts";
import { type Html, html, safe } from "./html.ts";
import { renderForm, renderLayout, renderLead } from "./layout.ts";
import { ERROR_ID, fieldsOf, identifierOf, type MethodOption, renderMethod, type View } from "./method-form.ts";
import { renderInitialStyles, renderProviderButton } from "./provider-button.ts";
import { renderScript } from "./script-element.ts";
import { fill, ownText } from "./texts.ts";

type SignInPage = Extract<Page, { kind: "signin" }>;

/** As long as what is kept of it. */
const MAX_LENGTH = "320";

/**
 * The sign-in page. One method is one page. Several methods take two steps, which are the same for every address, so that nothing is
 * revealed: first one field for the address and the providers, then the methods for the address that was typed.
 */
export function renderSignIn(page: SignInPage, frame: PageFrame, texts: PageTexts): Html {
  const forms = page.options.filter((option) => option.kind !== "redirect");
  const step = stepOf(page, forms, texts);
  const fieldError = fieldErrorOf(page, forms, step, texts);
  const scripted = forms.flatMap((form) => (form.kind === "scripted" ? [form] : []));
  const passkeys = scripted.some(({ autofill }) => autofill);
  const view: View = { page, frame, texts, forms, step, fieldError, passkeys };
  const main = html`${step === "method" ? renderWho(view) : renderLead(texts.signIn.lead, frame)}
${fieldError === null ? errorNotice(view) : null}${STEPS[step](view)}${
  page.options.length === 0 ? notice({ text: texts.signIn.nothing }) : null
}${page.sections?.map(renderSection)}${renderForget(view)}`;
  const scripts = scripted.slice(0, 1).map(({ script }) => renderScript(script));
  const styles = renderInitialStyles(redirectsOf(page));
  return renderLayout({ title: texts.signIn.title, main, styles, scripts }, frame, texts);
}

function redirectsOf({ options }: SignInPage) {
  return options.filter((option) => option.kind === "redirect");
}

/** Other errors than that of credentials lead to the first step: it can correct the address, and has all methods. */
function stepOf(page: SignInPage, forms: readonly MethodOption[], texts: PageTexts): View["step"] {
  const hasSteps = forms.length > 1 && forms.some((form) => identifierOf(form, texts) !== undefined);
  if (!hasSteps) return "whole";
  const isTyped = page.identifier !== null && !page.identifier.isEdited;
  return isTyped && [null, "CredentialsSignin"].includes(page.error) ? "method" : "address";
}

const STEPS = {
  whole: renderWhole,
  address: renderAddress,
  method: renderMethods,
} as const satisfies Record<View["step"], (view: View) => Html>;

/** Providers first, then forms to fill in. */
function renderWhole(view: View): Html {
  const redirects = renderRedirects(view);
  const divider = (index: number) => (redirects.length + index === 0 ? null : renderDivider(view));
  return html`${redirects}
${view.forms.map((option, index) => [divider(index), renderMethod(option, index, view)])}`;
}

/** One field for all methods, then what needs no address. */
function renderAddress(view: View): Html {
  const { page, forms, texts, fieldError, passkeys } = view;
  const addressed = forms.filter((form) => identifierOf(form, texts) !== undefined);
  const isEmail = addressed.every((form) => kindOf(form, texts) === "email");
  const { emailLabel, identifierLabel, next } = texts.signIn;
  const input = field({
    ...{ name: "identifier", label: isEmail ? emailLabel : identifierLabel, type: isEmail ? "email" : "text" },
    ...{ value: page.identifier?.text, error: fieldError },
    attributes: {
      autocomplete: passkeys ? "username webauthn" : "username",
      ...{ autocapitalize: "none", spellcheck: "false", maxlength: MAX_LENGTH, autofocus: "" },
    },
  });
  const rest = forms.filter((form) => form.kind === "scripted" || !addressed.includes(form));
  const redirects = renderRedirects(view);
  return html`${renderForm(page, html`${input}${button({ label: next, kind: "main" })}`)}${
    redirects.length + rest.length === 0 ? null : renderDivider(view)
  }${redirects}${rest.map((option, index) => renderMethod(option, index + 1, view))}`;
}

function kindOf(form: MethodOption, texts: PageTexts) {
  const name = identifierOf(form, texts);
  return name === undefined ? null : identifierKind(name, fieldsOf(form, texts)[name]?.type);
}

/** The methods for the address that was typed; a user name gets no e-mail. */
function renderMethods(view: View): Html {
  const { page, forms, texts } = view;
  const isAddress = page.identifier?.text.includes("@") === true;
  const addressed = forms.filter((form) => identifierOf(form, texts) !== undefined);
  const fitting = addressed.filter((form) => isAddress || kindOf(form, texts) !== "email");
  const [first, ...others] = lastUsedFirst(fitting.length === 0 ? addressed : fitting, page);
  if (first === undefined) return html``;
  return html`${renderMethod(first, 0, view)}${others.length === 0 ? null : renderDivider(view)}${others.map(
    (option, index) => renderMethod(option, index + 1, view),
  )}`;
}

function lastUsedFirst(forms: readonly MethodOption[], { lastMethod }: SignInPage): readonly MethodOption[] {
  return [...forms.filter(({ id }) => id === lastMethod), ...forms.filter(({ id }) => id !== lastMethod)];
}

/** The address that was typed, and the way back to its field. */
function renderWho({ page, texts }: View): Html {
  const change = renderForm(page, button({ label: texts.signIn.change, kind: "link" }));
  return html`<div class="who"><bdi>${page.identifier?.text}</bdi>${change}</div>`;
}

function renderRedirects({ page, frame, texts }: View): readonly Html[] {
  return redirectsOf(page).map((option, index) => {
    const label = fill(texts.signIn.withProvider, { name: option.name });
    const isLast = option.id === page.lastMethod;
    const badge = isLast ? html` <em class="badge">${texts.signIn.lastUsed}</em>` : null;
    return renderProviderButton(option, { page, frame, label, index, badge });
  });
}

function renderDivider({ texts }: View): Html {
  return html`<p class="or">${texts.signIn.or}</p>\n`;
}

/** What an extension adds. Null for a section that throws: the page is good without it. */
function renderSection({ title, main }: Section): Html | null {
  try {
    return card({ title: title && String(title), content: safe(main) });
  } catch {
    return null;
  }
}

/** Forgets which method was used last. */
function renderForget({ page, texts }: View): Html | null {
  if (page.lastMethod === undefined) return null;
  const forget = html`<input type="hidden" name="forgetMethod" value="1">`;
  const content = html`${forget}${button({ label: texts.signIn.forget, kind: "link" })}`;
  return html`<div class="links">${renderForm(page, content)}</div>`;
}

/** The text at the field, if it is certain which form failed. */
function fieldErrorOf(
  page: SignInPage,
  forms: readonly MethodOption[],
  step: View["step"],
  texts: PageTexts,
): string | null {
  const { EmailSignin, CredentialsSignin } = texts.signIn.errors;
  if (page.error === "EmailSignin" && step === "address") return EmailSignin;
  if (page.error !== "CredentialsSignin" || step === "address" || codeText(page, texts) !== undefined) return null;
  const all = step === "method" ? forms.filter(({ kind }) => kind === "credentials") : forms;
  const [only, ...others] = all;
  const hasField = only?.kind === "credentials" && Object.keys(only.fields).length > (step === "method" ? 1 : 0);
  return hasField && others.length === 0 ? CredentialsSignin : null;
}

type Code = keyof PageTexts["signIn"]["codes"];

/** The values of `code` that explain an error: credentials that were not looked at, and browsers that sent no cookie back. */
const CODES: Readonly<Record<string, readonly Code[]>> = {
  CredentialsSignin: ["busy", "too_many_attempts"],
  Signin: ["cookies"],
  OAuthCallbackError: ["cookies"],
};

function codeText({ error, code }: SignInPage, { signIn }: PageTexts): string | undefined {
  const known = ownText(CODES, error ?? "")?.find((one) => one === code);
  return known === undefined ? undefined : signIn.codes[known];
}

/** The error's own text, found by name; text sent by a client is never shown. */
function errorNotice({ page, texts }: View): Html | null {
  const { error } = page;
  if (error === null) return null;
  const text = codeText(page, texts) ?? ownText(texts.signIn.errors, error) ?? texts.signIn.unknownError;
  return notice({ kind: "error", text, id: ERROR_ID });
}
