import { html, type Markup, type ProofForm, type SignInForm, type Texts } from "@cardea/extend";
import { englishPasskeyTexts } from "./passkey-texts.ts";

type Html = ReturnType<typeof html>;

/**
 * The buttons for signing in and creating an account with a passkey. They are hidden until the page's script has loaded. If
 * JavaScript is disabled, a message is shown instead, because passkeys require it.
 */
export function renderPasskey(form: SignInForm): Markup {
  const texts: Texts["passkey"] = { ...englishPasskeyTexts, ...form.texts.passkey };
  const { signIn } = form.texts;
  const label = signIn.emailLabel;
  const hint = `hint-${form.index}`;
  const fields = Object.entries(form.fields).map(([name, input]) =>
    assumeHtml(form.field(name, name === "email" ? { label, type: "email", ...input } : input, hint)),
  );
  const isHinted = fields.length > 0 && form.step !== "method";
  const style = form.step === "whole" ? "button main" : "button";
  const create =
    form.step === "address"
      ? null
      : html`\n<button class="button" name="action" value="register">${texts.create}</button>`;
  const content = form.wrap(
    html`${fields}${isHinted ? html`<p class="hint" id="${hint}">${texts.hint}</p>\n` : null}<button class="${style}" name="action" value="authenticate">${texts.submit}</button>${create}`,
  );
  return html`<div class="passkey" data-options="${form.options}" data-signals="${form.options}?action=signals"${form.autofill ? html` data-autofill=""` : null} data-texts="${scriptTexts(texts, signIn)}" hidden>
<p class="note" role="alert" hidden></p>
<p class="note" role="status" hidden></p>
${assumeHtml(content)}</div>
<noscript><p class="note">${texts.noScript}</p></noscript>
`;
}

/** A button for confirming a known user with a passkey, for the page of another extension. */
export function renderProof({ options, action, hidden, submit }: ProofForm): Markup {
  const { submit: _submit, create: _create, hint: _hint, noScript, ...own } = englishPasskeyTexts;
  const inputs = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return html`<div class="passkey" data-options="${options}" data-texts="${JSON.stringify(own)}" hidden>
<p class="note" role="alert" hidden></p>
<p class="note" role="status" hidden></p>
<form method="post" action="${action}">
${inputs}<button class="button main" name="action" value="authenticate">${submit}</button>
</form>
</div>
<noscript><p class="note">${noScript}</p></noscript>
`;
}

/** The texts that the script may show, by outcome: its own names and the values of `error` in the server's response. */
function scriptTexts(passkey: Texts["passkey"], signIn: Texts["signIn"]): string {
  const { submit: _submit, create: _create, hint: _hint, noScript: _noScript, ...own } = passkey;
  return JSON.stringify({ ...own, OAuthAccountNotLinked: signIn.errors.OAuthAccountNotLinked });
}

/** A cast: markup that core rendered comes from its own `html`. */
function assumeHtml(markup: Markup): Html {
  return markup as Html;
}
