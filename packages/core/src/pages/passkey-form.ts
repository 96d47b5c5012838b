import type { Page, SignInOption } from "../model/result.ts";
import type { Texts } from "../model/texts.ts";
import { renderCredentialField } from "./credential-field.ts";
import { renderForm } from "./form.ts";
import { type Html, html } from "./html.ts";
import { PASSKEY_SCRIPT_HASH } from "./passkey-script.ts";

/** A passkey provider, as shown on the sign-in page. */
export type PasskeyOption = Extract<SignInOption, { kind: "passkey" }>;

type SignInPage = Extract<Page, { kind: "signin" }>;

/**
 * The buttons that sign in with a passkey and create an account with one. Hidden until the page's script has loaded, and
 * replaced by one line if JavaScript is disabled, because authenticators need it.
 *
 * @param index unique on the page.
 */
export function renderPasskey(option: PasskeyOption, index: number, page: SignInPage, texts: Texts): Html {
  // Two fields with one label would be indistinguishable.
  const isAlone = !page.options.some(({ kind }) => kind === "email");
  const label = isAlone ? texts.signIn.emailLabel : texts.passkey.emailLabel;
  const hint = `hint-${index}`;
  const fields = option.fields.map(({ name, input }, field) =>
    renderCredentialField({
      name,
      input: name === "email" ? { label, type: "email", ...input } : input,
      id: `field-${index}-${field}`,
      describedBy: hint,
      invalid: false,
      focus: false,
      passkeys: option.autofill,
    }),
  );
  const form = renderForm(
    { ...page, action: option.action },
    html`${fields}${fields.length === 0 ? null : html`<p class="hint" id="${hint}">${texts.passkey.hint}</p>\n`}<button class="button main" name="action" value="authenticate">${texts.passkey.submit}</button>
<button class="button" name="action" value="register">${texts.passkey.create}</button>`,
  );
  return html`<div class="passkey" data-options="${option.options}"${option.autofill ? html` data-autofill=""` : null} data-texts="${passkeyTexts(texts)}" hidden>
<p class="note" role="alert" hidden></p>
<p class="note" role="status" hidden></p>
${form}</div>
<noscript><p class="note">${texts.passkey.noScript}</p></noscript>
`;
}

/** The texts that the script may show, by outcome: its own names, and the values of `error` in the server's response. */
function passkeyTexts({ passkey, signIn }: Texts): string {
  const { submit: _submit, create: _create, emailLabel: _label, hint: _hint, noScript: _noScript, ...own } = passkey;
  return JSON.stringify({ ...own, OAuthAccountNotLinked: signIn.errors.OAuthAccountNotLinked });
}

/** The element that loads the script, restricted to its hash. */
export function renderPasskeyScript(option: PasskeyOption): Html {
  return html`<script src="${option.script}?v=${versionOf(PASSKEY_SCRIPT_HASH)}" integrity="${PASSKEY_SCRIPT_HASH}" defer></script>`;
}

/** A part of the hash that needs no escaping in a query, so that a new script has a new URL. */
export function versionOf(hash: string): string {
  return hash.replace(/^sha256-|[^A-Za-z0-9]/g, "").slice(0, 16);
}
