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
  // One main button on each page: that of the first form.
  const kind = form.step === "whole" && form.index === 0 ? "main" : "plain";
  const create =
    form.step === "address"
      ? null
      : html`\n<button class="button" name="action" value="register">${texts.create}</button>`;
  const content = form.wrap(
    html`${fields}${isHinted ? html`<p class="hint" id="${hint}">${texts.hint}</p>\n` : null}${signInButton(texts.submit, kind)}${create}`,
  );
  return html`<div class="passkey" data-options="${form.options}" data-signals="${form.options}?action=signals"${form.autofill ? html` data-autofill=""` : null} data-texts="${scriptTexts(texts, signIn)}" hidden>
<p class="note" role="alert" hidden></p>
<p class="note" role="status" hidden></p>
${assumeHtml(content)}</div>
<noscript><p class="note">${texts.noScript}</p></noscript>
`;
}

/** A button for confirming a known user with a passkey, for the page of another extension. */
export function renderProof({ options, action, hidden, submit, kind = "main" }: ProofForm): Markup {
  const { submit: _submit, create: _create, hint: _hint, noScript, ...own } = englishPasskeyTexts;
  const inputs = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return html`<div class="passkey" data-options="${options}" data-texts="${JSON.stringify(own)}" hidden>
<p class="note" role="alert" hidden></p>
<p class="note" role="status" hidden></p>
<form method="post" action="${action}">
${inputs}${signInButton(submit, kind)}
</form>
</div>
<noscript><p class="note">${noScript}</p></noscript>
`;
}

const STYLES = { main: "button main provider", plain: "button provider" } as const;

function signInButton(label: string, kind: keyof typeof STYLES): Html {
  return html`<button class="${STYLES[kind]}" name="action" value="authenticate">${KEY}<span>${label}</span></button>`;
}

/** A key, drawn for this page. */
const KEY = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="8" cy="8" r="4.5"/><path d="M11.2 11.2L20.5 20.5M16 16l2.5-2.5M18.5 18.5l2-2"/></svg>`;

/** The texts that the script may show, by outcome: its own names and the values of `error` in the server's response. */
function scriptTexts(passkey: Texts["passkey"], signIn: Texts["signIn"]): string {
  const { submit: _submit, create: _create, hint: _hint, noScript: _noScript, ...own } = passkey;
  return JSON.stringify({ ...own, OAuthAccountNotLinked: signIn.errors.OAuthAccountNotLinked });
}

/** A cast: markup that core rendered comes from its own `html`. */
function assumeHtml(markup: Markup): Html {
  return markup as Html;
}
