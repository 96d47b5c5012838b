import type { ReceivedMail } from "@cardea/testing/smtp-sink";
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { MemberSession } from "./auth.ts";
import { type Html, html } from "./html.ts";
import { renderLayout } from "./layout.ts";
import { renderMessage } from "./pages.ts";

/** The mails that no one delivers, oldest first. */
export interface Inbox {
  readonly mails: readonly ReceivedMail[];
}

type ReadSession = (req: Request, res: Response) => Promise<MemberSession | null>;

/** The pages of the demo's mail program: everybody's mail, and each as its reader would see it. */
export function createInbox({ mails }: Inbox, auth: ReadSession): RequestHandler {
  const router = Router();
  router.get("/", async (req, res) => void res.send(renderInbox(mails, await auth(req, res))));
  router.get("/:number", (req, res) => {
    const mail = mails[Number(req.params.number) - 1];
    if (mail === undefined)
      return void res.status(404).send(renderMessage("E-mail not found", "This e-mail does not exist."));
    // Another user's HTML, as every mail: it may look as it likes, and links lead where they say.
    const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; base-uri 'none'; frame-ancestors 'none'";
    res.set("Content-Security-Policy", policy).type("html").send(mail.html);
  });
  return router;
}

function renderInbox(mails: readonly ReceivedMail[], session: MemberSession | null): string {
  const newestFirst = mails.map((mail, index) => renderMail(mail, index + 1)).reverse();
  const main = html`<section class="inbox">
<h1>Inbox</h1>
<p class="lead">The demo does not deliver e-mails: all of them appear here. To simulate another device, copy a link into a private window.</p>
${newestFirst.length === 0 ? EMPTY : html`<ol class="mails" reversed>${newestFirst}</ol>`}
<p class="actions"><a class="button" href="/inbox">Reload</a></p>
</section>`;
  return renderLayout({ title: "Inbox", main, session });
}

const EMPTY = html`<p class="card none">No e-mails yet. Request a link on the <a href="/auth/signin?callbackUrl=/members">sign-in page</a>.</p>`;

function renderMail(mail: ReceivedMail, number: number): Html {
  const time = mail.receivedAt.toISOString();
  return html`<li class="card">
<h2>${mail.subject}</h2>
<dl class="facts">
<div><dt>From</dt><dd>${mail.from}</dd></div>
<div><dt>To</dt><dd>${mail.to.join(", ")}</dd></div>
<div><dt>At</dt><dd><time datetime="${time}">${time.slice(11, 19)} UTC</time></dd></div>
</dl>
<p class="text">${linkify(mail.text)}</p>
<p><a href="/inbox/${number}">View as HTML<span class="hidden">: mail ${number}</span></a></p>
</li>`;
}

/** Text with its links to click on. */
function linkify(text: string): Html {
  const parts = text.trim().split(/(https?:\/\/\S+)/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<a href="${part}">${part}</a>`))}`;
}
