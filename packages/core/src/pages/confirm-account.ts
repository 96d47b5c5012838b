import type { Page, PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { type Html, html } from "./html.ts";
import { renderForm, renderLayout } from "./layout.ts";
import { safeHref } from "./safe-url.ts";
import { fill } from "./texts.ts";

type ConfirmAccount = Extract<Page, { kind: "confirm-account" }>;

/** Asks whose an account is while another user is signed in: add it, sign in as someone else, or leave it. Works without a script. */
export function renderConfirmAccount(page: ConfirmAccount, frame: PageFrame, texts: PageTexts): Html {
  const { confirmAccount } = texts;
  const values = {
    host: html`<bdi>${frame.host}</bdi>`,
    name: html`<bdi>${page.provider}</bdi>`,
    account: html`<bdi>${page.account}</bdi>`,
    user: html`<bdi>${page.user}</bdi>`,
  };
  const { add, other, known } = confirmAccount;
  const choose = (answer: string, look: string, { title, text, submit }: typeof add): Html => html`<h2>${title}</h2>
<p>${fill(text, values)}</p>
${renderForm(
  page,
  html`<input type="hidden" name="pending" value="${page.pending}">
<input type="hidden" name="answer" value="${answer}">
<button class="${look}">${submit}</button>`,
)}`;
  const main = html`<p class="lead">${fill(confirmAccount.text, values)}</p>
<p>${fill(page.mayAdd ? confirmAccount.unknown : known, values)}</p>
${page.mayAdd ? choose("add", "button main", add) : null}${choose("switch", page.mayAdd ? "button" : "button main", other)}
<p class="next"><a class="button" href="${safeHref(page.callbackUrl)}">${confirmAccount.cancel}</a></p>`;
  return renderLayout({ title: confirmAccount.title, main }, frame, texts);
}
