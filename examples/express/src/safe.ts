import express, { type Request, type RequestHandler, Router } from "express";
import type { configureAuth } from "./auth.ts";
import { html } from "./html.ts";
import { renderLayout } from "./layout.ts";
import { level } from "./levels.ts";

/** What a user sends, and confirms: the same for both. */
function orderOf({ body }: Request) {
  return { "amount in euros": Number(body?.amount), to: String(body?.to ?? "") };
}

/** Only what can be confirmed is asked about: up to a million, in cents. */
const requireOrder: RequestHandler = (req, res, next) => {
  if (/^\d{1,6}(?:\.\d{1,2})?$/.test(String(req.body?.amount))) next();
  else res.status(400).json({ message: "The amount is not a number of euros." });
};

/** Pages behind a fresh proof: the safe behind a password or a code, and a transfer that a passkey signs. */
export function createSafe(auth: ReturnType<typeof configureAuth>["auth"], requireOwnForm: RequestHandler): Router {
  const router = Router();

  // A visit is redirected to the proof and comes back here.
  router.get(
    "/safe",
    level.guardExpress<Request, express.Response>(auth, "safe", async (req, res) => {
      res.send(renderSafe(await auth(req, res)));
    }),
  );

  router.post(
    "/transfer",
    requireOwnForm,
    express.urlencoded({ extended: false }),
    requireOrder,
    level.guardExpress<Request, express.Response>(
      auth,
      "money",
      (req, res) => {
        const { "amount in euros": amount, to } = orderOf(req);
        res.json({ message: `You sent €${amount} to ${to}.` });
      },
      { bind: orderOf },
    ),
  );
  return router;
}

function renderSafe(session: Parameters<typeof renderLayout>[0]["session"]): string {
  const main = html`<section class="card"><h1>The safe</h1><p class="lead">You proved that it’s you within the last five minutes.</p>
<p class="actions"><a class="button" href="/members">Back</a></p></section>`;
  return renderLayout({ title: "The safe", main, session });
}

/** On the members' page: the way to the safe, and the form of a transfer; its button needs its script. */
export function renderProofs() {
  return html`<section class="card wide" aria-labelledby="proofs">
<h2 id="proofs">Security</h2>
<ul class="accounts">
<li><span>Two-step verification</span><a class="button small" href="/auth/factors">Manage<span class="hidden"> two-step verification</span></a></li>
<li><span>Passphrase</span><a class="button small" href="/auth/password">Change<span class="hidden"> passphrase</span></a></li>
<li><span>The safe</span><a class="button small" href="/safe">Open<span class="hidden"> the safe</span></a></li>
</ul>
<form method="post" action="/transfer" id="transfer" class="rename" hidden>
<label for="amount">Send euros</label><div class="row"><input id="amount" name="amount" value="100" inputmode="numeric" required></div>
<label for="to">To</label><div class="row"><input id="to" name="to" value="NL91 ABNA 0417 1643 00" required><button class="button">Send</button></div>
</form>
<p role="status" id="sent"></p>
</section>`;
}
