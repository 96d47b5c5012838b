import { fetchAs, ReauthRequired } from "@cardea/vault";
import { type Request, Router } from "express";
import type { configureAuth, OpenIdProvider } from "./auth.ts";
import { html } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderLayout } from "./layout.ts";

type Auth = ReturnType<typeof configureAuth>["auth"];

/** What the provider itself says of a member, with the token that the vault keeps; and the way to more consent, where there is none. */
export function createProfile(auth: Auth, providers: readonly OpenIdProvider[]): Router {
  const router = Router();
  router.get("/profile/:provider", async (req, res, next) => {
    const provider = providers.find(({ id }) => id === req.params.provider);
    if (provider === undefined) return next();
    const session = await auth(req, res);
    if (session === null) return res.redirect(303, `/auth/signin?callbackUrl=/profile/${provider.id}`);
    try {
      const claims = await askProvider(auth, provider, req);
      res.send(renderProfile(provider, claims, session));
    } catch (error) {
      if (!(error instanceof ReauthRequired)) throw error;
      res.send(renderConsent(provider, session));
    }
  });
  return router;
}

/** OpenID Connect Core §5.3: where it is stands in the provider's metadata. */
async function askProvider(auth: Auth, { id, issuer, fetch: send = fetch }: OpenIdProvider, request: Request) {
  const metadata = await (await send(`${issuer}/.well-known/openid-configuration`)).json();
  const answer = await fetchAs(auth, id, { request })(metadata.userinfo_endpoint);
  if (!answer.ok) throw new Error(`The provider answered ${answer.status}.`);
  return answer.json();
}

type Session = Parameters<typeof renderLayout>[0]["session"];

function renderProfile({ name }: OpenIdProvider, claims: unknown, session: Session): string {
  const main = html`<section class="card wide" aria-labelledby="profile"><h1 id="profile">You at ${name}</h1>
<p>The application asked the provider’s API just now, with an access token that never left the server:</p>
<pre><code>${renderJson(claims)}</code></pre>
<p class="actions"><a class="button" href="/members">Back</a></p></section>`;
  return renderLayout({ title: `You at ${name}`, main, session });
}

function renderConsent({ id, name }: OpenIdProvider, session: Session): string {
  const main = html`<section class="message card"><h1>${name} has to be asked again</h1>
<p class="lead">The application may not read your data there any more, or never could. You are still signed in.</p>
<form method="post" action="/connect/${id}" class="actions"><button class="button main">Ask ${name}</button><a class="button" href="/members">Back</a></form></section>`;
  return renderLayout({ title: "Consent needed", main, session });
}
