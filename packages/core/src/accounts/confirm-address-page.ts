import type { PageFrame, SignInOption } from "../model/result.ts";
import type { Message, PageTexts } from "../model/texts.ts";
import { type Html, html } from "../pages/html.ts";
import { type FormTarget, renderForm, renderLayout } from "../pages/layout.ts";
import { renderInitialStyles, renderProviderButton } from "../pages/provider-button.ts";
import { safeHref } from "../pages/safe-url.ts";
import { fill } from "../pages/texts.ts";

/** What the owner of an address chooses for an existing user who never verified that address. */
interface AddressChoice extends FormTarget {
  readonly email: string;
  /** The provider of the account that waits for the choice; null if only a link was opened. */
  readonly waiting: string | null;
  /** Providers that send a link to the address, by which its owner can start fresh. */
  readonly links: readonly { readonly name: string; readonly action: string }[];
  /** The providers of the user's accounts. */
  readonly options: readonly Extract<SignInOption, { kind: "redirect" }>[];
  /** The sign-in page, if it offers further methods; null if the options are complete. */
  readonly signInUrl: string | null;
  /** Value of the form that starts fresh; null if the owner may not. */
  readonly step: string | null;
}

/** What the owner confirms before they start fresh. */
interface FreshStart extends FormTarget {
  readonly email: string;
  readonly step: string;
}

/** The owner's choices: sign in as before (first), get a link, or start fresh. Works without a script. */
export function renderConfirmAddress(page: AddressChoice, frame: PageFrame, texts: PageTexts): Html {
  const { before, fresh, where, waiting, ...intro } = texts.confirmAddress;
  const names = { name: page.waiting ?? "", ...placeholdersOf(page.email, frame) };
  const providers = page.options.map((option, index) =>
    renderProviderButton(option, {
      ...{ page, frame, index },
      label: fill(texts.signIn.withProvider, { name: option.name }),
    }),
  );
  const link =
    page.signInUrl === null
      ? null
      : html`<p class="next"><a class="button main" href="${safeHref(page.signInUrl)}">${before.submit}</a></p>`;
  const isAccount = page.waiting !== null;
  const canHelpThemselves = page.links.length > 0 || page.step !== null;
  const main = html`${renderText(intro, page.email, frame)}
${isAccount ? html`<p>${fill(waiting.text, names)}</p>\n` : null}<h2>${before.title}</h2>
<p>${isAccount ? fill(waiting.before, names) : before.text}</p>
${providers}${link}
${renderLinks(page, frame, texts)}${renderFresh(page, texts)}${canHelpThemselves ? null : html`<p>${fill(waiting.help, names)}</p>\n`}<p class="note">${isAccount ? waiting.where : where}</p>`;
  const styles = renderInitialStyles(page.options);
  return renderLayout({ title: intro.title, main, styles }, frame, texts);
}

/** By a link the owner proves the address themselves; its page lets them start fresh. */
function renderLinks(
  page: AddressChoice,
  frame: PageFrame,
  { confirmAddress: { waiting }, signIn }: PageTexts,
): Html | null {
  const [first, ...others] = page.links;
  if (first === undefined) return null;
  const forms = page.links.map(({ name, action }) => {
    const label = others.length === 0 ? waiting.link.submit : fill(signIn.withProvider, { name });
    const email = html`<input type="hidden" name="email" value="${page.email}">`;
    return renderForm({ ...page, action }, html`${email}\n<button class="button">${label}</button>`);
  });
  return html`<h2>${waiting.link.title}</h2>
<p>${fill(waiting.link.text, placeholdersOf(page.email, frame))}</p>
${forms}`;
}

function renderFresh(page: AddressChoice, { confirmAddress: { fresh } }: PageTexts): Html | null {
  const { step, email } = page;
  if (step === null) return null;
  return html`<h2>${fresh.title}</h2>
<p>${fresh.text}</p>
${renderForm(page, renderStep({ step, email }, html`<button class="button">${fresh.submit}</button>`))}`;
}

/** Explains what stays with the existing account, and asks for confirmation. */
export function renderConfirmAgain(page: FreshStart, frame: PageFrame, texts: PageTexts): Html {
  const { again } = texts.confirmAddress;
  const buttons = html`<button class="button main">${again.submit}</button>
<a class="button" href="${safeHref(page.action)}">${again.cancel}</a>`;
  const main = html`${renderText(again, page.email, frame)}\n${renderForm(page, renderStep(page, buttons))}`;
  return renderLayout({ title: again.title, main }, frame, texts);
}

/** Explains where to continue, in a browser without a proof of the address. */
export function renderConfirmElsewhere(page: { readonly signInUrl: string }, frame: PageFrame, texts: PageTexts): Html {
  const { elsewhere } = texts.confirmAddress;
  const link = html`<a class="button main" href="${safeHref(page.signInUrl)}">${elsewhere.signIn}</a>`;
  const main = html`${renderText(elsewhere, "", frame)}\n<p class="next">${link}</p>`;
  return renderLayout({ title: elsewhere.title, main }, frame, texts);
}

function renderText({ text }: Message, email: string, frame: PageFrame): Html {
  return html`<p class="lead">${fill(text, placeholdersOf(email, frame))}</p>`;
}

function placeholdersOf(email: string, frame: PageFrame) {
  return { host: html`<bdi>${frame.host}</bdi>`, email: html`<bdi>${email}</bdi>` };
}

/** The form contains its address: another tab may hold the proof of another address by the time it is sent. */
function renderStep({ step, email }: { readonly step: string; readonly email: string }, content: Html): Html {
  return html`<input type="hidden" name="step" value="${step}">
<input type="hidden" name="email" value="${email}">
${content}`;
}
