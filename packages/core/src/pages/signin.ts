import type { Page, PageFrame, SignInOption } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { renderCredentialField } from "./credential-field.ts";
import { renderSections, safe } from "./extension.ts";
import { type Html, html } from "./html.ts";
import { initialOf, renderForm, renderLayout, renderLead } from "./layout.ts";
import { parseImage } from "./safe-url.ts";
import { renderScript } from "./script-element.ts";
import { fill, ownText } from "./texts.ts";
import { resolveButtonLook } from "./theme.ts";

type SignInPage = Extract<Page, { kind: "signin" }>;
type ScriptedOption = Extract<SignInOption, { kind: "scripted" }>;
type RedirectOption = Extract<SignInOption, { kind: "redirect" }>;
type CredentialsOption = Extract<SignInOption, { kind: "credentials" }> & { readonly submit?: string };

/** Input of every part of the page. */
interface View {
  readonly page: SignInPage;
  readonly frame: PageFrame;
  readonly texts: PageTexts;
  readonly redirects: readonly RedirectOption[];
  readonly forms: readonly (CredentialsOption | ScriptedOption)[];
  /** Whether the error belongs into the form: invalid credentials, if only one form can have caused it. */
  readonly errorInForm: boolean;
  /** Whether browsers may offer passkeys in the user name field. */
  readonly passkeys: boolean;
}

/** From this number of providers on, all buttons share one neutral style, with the brand colour only behind the letter. */
const NEUTRAL_FROM = 6;

/** Id of the error text, for the fields that it concerns. */
const ERROR_ID = "error";

/** The sign-in page: providers first, then forms to fill in. */
export function renderSignIn(page: SignInPage, frame: PageFrame, texts: PageTexts): string {
  const redirects = page.options.filter((option) => option.kind === "redirect");
  const forms = page.options.flatMap((option) => toForm(option, texts));
  const scripted = forms.filter((form) => form.kind === "scripted");
  const errorInForm =
    page.error === "CredentialsSignin" && codeText(page, texts) === undefined && forms.length - scripted.length === 1;
  const offersPasskeys = scripted.some(({ autofill }) => autofill);
  const view: View = { page, frame, texts, redirects, forms, errorInForm, passkeys: offersPasskeys };
  const main = html`${renderLead(texts.signIn.lead, frame)}
${errorInForm ? null : renderError(view)}${redirects.map((option, index) => renderRedirect(option, index, view))}
${forms.map((option, index) => [renderDivider(index, view), renderFields(option, index, view)])}
${page.options.length === 0 ? html`<p class="note">${texts.signIn.nothing}</p>` : null}${renderSections(page.sections)}`;
  const buttons = redirects.map((option) => resolveButtonLook(option.style));
  const scripts = scripted.slice(0, 1).map(({ script }) => renderScript(script));
  return renderLayout({ title: texts.signIn.title, main, buttons, scripts }, frame, texts);
}

/** The fields of a form: those of credentials or of a new account, or one for an address. */
function toForm(option: SignInOption, { signIn }: PageTexts): (CredentialsOption | ScriptedOption)[] {
  if (option.kind === "redirect") return [];
  if (option.kind === "credentials" || option.kind === "scripted") return [option];
  const input = { label: signIn.emailLabel, type: "email", autocomplete: "email", required: true };
  return [{ ...option, kind: "credentials", submit: signIn.emailSubmit, fields: [{ name: "email", input }] }];
}

/** Of credentials that were not looked at. */
function codeText({ error, code }: SignInPage, { signIn }: PageTexts): string | undefined {
  return error === "CredentialsSignin" ? ownText(signIn.codes, code ?? "") : undefined;
}

/** The error's own text, found by name; text sent by a client is never shown. */
function renderError({ page, texts }: View): Html | null {
  const { error } = page;
  if (error === null) return null;
  const text = codeText(page, texts) ?? ownText(texts.signIn.errors, error) ?? texts.signIn.unknownError;
  return html`<p class="note" role="alert" id="${ERROR_ID}">${text}</p>
`;
}

function renderRedirect(option: RedirectOption, index: number, { page, frame, texts, redirects }: View): Html {
  const logo = parseImage(option.style.logo, frame.host);
  const isNeutral = redirects.length >= NEUTRAL_FROM;
  const monogram = isNeutral ? renderMonogram(option.name) : null;
  const image = logo === null ? monogram : html`<img src="${logo}" alt="">`;
  const label = fill(texts.signIn.withProvider, { name: option.name });
  const look = isNeutral ? "button neutral" : "button";
  return renderForm(
    { ...page, action: option.action },
    html`<button class="${look} p${String(index)}">${image}<span>${label}</span></button>`,
  );
}

/**
 * The first letter of a provider's name, in place of a logo. The label contains the name, so assistive technology skips the
 * letter.
 */
function renderMonogram(name: string): Html | null {
  const letter = initialOf(name);
  return letter === null ? null : html`<span class="tile" aria-hidden="true">${letter}</span>`;
}

function renderDivider(index: number, { redirects, texts }: View): Html | null {
  return redirects.length + index === 0 ? null : html`<p class="or">${texts.signIn.or}</p>\n`;
}

function renderFields(option: CredentialsOption | ScriptedOption, index: number, view: View): Html {
  if (option.kind === "scripted") return renderScripted(option, index, view);
  return renderCredentials(option, index, view);
}

function renderScripted(option: ScriptedOption, index: number, { page, texts }: View): Html {
  const { options, fields, autofill, action } = option;
  let position = 0;
  const form = option.form({
    options,
    fields,
    autofill,
    besidesEmail: page.options.some(({ kind }) => kind === "email"),
    index,
    texts,
    field: (name, input, describedBy) => {
      const id = `field-${index}-${position++}`;
      return renderCredentialField({ name, input, id, describedBy, invalid: false, focus: false, passkeys: autofill });
    },
    wrap: (content) => renderForm({ ...page, action }, safe(content)),
  });
  return safe(form);
}

function renderCredentials(option: CredentialsOption, formIndex: number, view: View): Html {
  const { page, texts, forms, errorInForm } = view;
  const fields = option.fields.map(({ name, input }, index) =>
    renderCredentialField({
      name,
      input,
      id: `field-${formIndex}-${index}`,
      describedBy: page.error === "CredentialsSignin" ? ERROR_ID : null,
      invalid: errorInForm,
      // The field to correct receives the focus: it scrolls into view and a screen reader reads the error.
      focus: errorInForm && index === 0,
      passkeys: view.passkeys,
    }),
  );
  const own = forms.length > 1 ? fill(texts.signIn.withProvider, { name: option.name }) : texts.signIn.submit;
  const submit = option.submit ?? own;
  return renderForm(
    { ...page, action: option.action },
    html`${errorInForm ? renderError(view) : null}${fields}<button class="button main">${submit}</button>`,
  );
}
