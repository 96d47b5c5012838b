// The application: one public page, and one for members.
import { createAuth } from "@cardea/hono";
import { Hono } from "hono";
import { html } from "hono/html";

/** Makes it for a provider and a secret. */
export function createApp({ provider, secret }) {
  const { handler, guard, auth } = createAuth({
    secret,
    // On this machine only; elsewhere set AUTH_URL instead.
    trustHost: true,
    providers: [provider],
    callbacks: { authorized: ({ auth }) => auth !== null },
  });
  const app = new Hono();
  app.use("/auth/*", handler);
  app.get("/", async (c) => {
    const session = await auth(c);
    if (session === null) return c.html(page(html`<p>You are not signed in.</p>`, signIn));
    return c.html(page(html`<p>Hello, ${session.user?.name}.</p>`, signOut));
  });
  app.get("/members", guard, (c) =>
    c.html(page(html`<h1>Members</h1><p>Signed in as ${c.get("auth")?.user?.name}.</p>`, signOut)),
  );
  return app;
}

const signIn = html`<a href="/auth/signin">Sign in</a>`;
const signOut = html`<a href="/auth/signout">Sign out</a>`;

const page = (content, link) => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <link rel="icon" href="data:," />
      <meta name="viewport" content="width=device-width" />
      <title>Cardea on Hono</title>
    </head>
    <body>
      ${content}
      <p><a href="/members">Members</a> · ${link}</p>
    </body>
  </html>`;
