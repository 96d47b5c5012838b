import type { Page, PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { type ButtonKind, button, buttonLinks, form, lead } from "./components.ts";
import { type Html, html } from "./html.ts";
import { renderLayout } from "./layout.ts";
import { fill } from "./texts.ts";

type ConfirmAccount = Extract<Page, { kind: "confirm-account" }>;

/** Asks whose an account is while another user is signed in: add it, sign in as someone else, or leave it. Works without a script. */
export function renderConfirmAccount(page: ConfirmAccount, frame: PageFrame, texts: PageTexts): Html {
  const { confirmAccount } = texts;
  const { action, csrfToken, callbackUrl, pending, mayAdd } = page;
  const values = {
    host: html`<bdi>${frame.host}</bdi>`,
    name: html`<bdi>${page.provider}</bdi>`,
    account: html`<bdi>${page.account}</bdi>`,
    user: html`<bdi>${page.user}</bdi>`,
  };
  const { add, other, known } = confirmAccount;
  const choose = (answer: string, kind: ButtonKind, { title, text, submit }: typeof add): Html => html`<h2>${title}</h2>
<p>${fill(text, values)}</p>
${form({ action, hidden: { csrfToken, callbackUrl, pending, answer }, content: button({ label: submit, kind }) })}`;
  const main = html`${lead(fill(confirmAccount.text, values))}
<p>${fill(mayAdd ? confirmAccount.unknown : known, values)}</p>
${mayAdd ? choose("add", "main", add) : null}${choose("switch", mayAdd ? "plain" : "main", other)}
${buttonLinks({ href: callbackUrl, label: confirmAccount.cancel })}`;
  return renderLayout({ title: confirmAccount.title, main }, frame, texts);
}
