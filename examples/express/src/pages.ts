import type { MemberSession, OpenIdProvider } from "./auth.ts";
import { type Html, html } from "./html.ts";
import { renderLayout } from "./layout.ts";

/** What the first page tells a visitor. */
export interface HomeFacts {
  readonly session: MemberSession | null;
  readonly providers: readonly OpenIdProvider[];
  readonly username: string;
  readonly password: string;
  /** Mails are shown instead of being delivered. */
  readonly hasInbox: boolean;
  /** Whether there are accounts with a passphrase, second factors and fresh proofs. */
  readonly hasProofs: boolean;
}

/** The first page, for everyone. */
export function renderHome({ session, providers, username, password, hasInbox, hasProofs }: HomeFacts): string {
  const main = html`<section class="hero">
<div>
${session === null ? WELCOME : renderWelcomeBack(session)}
</div>
${DOOR}
</section>
<section class="ways" aria-labelledby="ways">
<h2 id="ways">Ways to sign in</h2>
<div class="card">
<h3>With an external account</h3>
<p>An OpenID Provider on this machine, at <code>${providers[0]?.issuer}</code>, simulates the one your users have. Choose any account; no password is needed.</p>
</div>
<div class="card">
<h3>With a link by e-mail</h3>
<p>Use any address. ${hasInbox ? MAIL_STAYS_HERE : "Open the link in this browser or in another one."}</p>
</div>
<div class="card">
<h3>With a passkey</h3>
<p>Your fingerprint, face or security key, on this device or on your phone. Create an account with a passkey, or add one to your account on the members’ page. Passkeys are bound to a host name, so use <code>localhost</code>.</p>
</div>
<div class="card">
<h3>With a user name and password</h3>
<p>This user has a password:</p>
<dl class="facts"><div><dt>User name</dt><dd><code>${username}</code></dd></div><div><dt>Password</dt><dd><code>${password}</code></dd></div></dl>
</div>
${hasProofs && WITH_PASSPHRASE}
</section>
<section class="try" aria-labelledby="try">
<h2 id="try">Things to try</h2>
<ul>
<li>Sign in, then connect a second provider to your account. Sign out, and sign in with that one.</li>
<li>Sign in with a link by e-mail as <code>ada@example.com</code>, sign out, and sign in as the provider’s Ada: the page asks her to sign in as before.</li>
<li>Copy a link from an e-mail into a private window.</li>
<li>Start a sign-in in two tabs, then complete both.</li>
<li>Stop the demo, start it again, and reload: sessions are in the database.</li>
<li>Add a passkey, sign out, and click into the address field on the sign-in page: your browser offers it.</li>
${hasProofs && TRY_PROOFS}
<li>Disable JavaScript: only passkeys need it.</li>
</ul>
</section>`;
  return renderLayout({ title: "Welcome", main, session });
}

const MAIL_STAYS_HERE = html`E-mails do not leave this machine; they are in the <a href="/inbox">inbox</a>.`;

const WITH_PASSPHRASE = html`<div class="card">
<h3>With a passphrase of your own</h3>
<p>Create an account with any address, and open the link in the e-mail. Then add an authenticator app on the members’ page: from then on, each way to sign in asks for it.</p>
</div>`;

const TRY_PROOFS = html`<li>With a passphrase, open the safe on the members’ page. With a passkey, send euros. Both ask you to confirm that it’s you.</li>`;

const WELCOME = html`<h1>One door, and you hold the key</h1>
<p class="lead">Behind it is a page that only members see. Sign in, inspect your session, and sign out again.</p>
<p class="actions"><a class="button main" href="/auth/signin?callbackUrl=/members">Sign in</a><a class="button" href="/members">Try without signing in</a></p>`;

function renderWelcomeBack({ user }: MemberSession): Html {
  return html`<h1>Welcome back, ${user?.name ?? "member"}</h1>
<p class="lead">The door is open. Your session stays with this browser until you sign out.</p>
<p class="actions"><a class="button main" href="/members">Go to the members’ page</a></p>`;
}

/** A door ajar, and the light behind it. */
const DOOR = html`<svg class="door" viewBox="0 0 320 264" aria-hidden="true"><defs><radialGradient id="glow" class="glow"><stop offset=".2" stop-opacity=".5"/><stop offset="1" stop-opacity="0"/></radialGradient></defs><ellipse fill="url(#glow)" cx="160" cy="132" rx="160" ry="132"/><ellipse class="floor" cx="160" cy="230" rx="150" ry="22"/><path class="light" d="M150 224h66l56 36H116z"/><path class="frame" d="M92 226V88a68 68 0 0 1 136 0v138z"/><path class="room" d="M104 224V88a56 56 0 0 1 112 0v136z"/><path class="leaf" d="M104 224V88c0-31 25-56 56-57v210z"/><path class="hinge" d="M104 96v14M104 190v14"/><circle class="knob" cx="149" cy="150" r="4.5"/></svg>`;

/** What to do after asking for a link by e-mail; the same whether or not the address is known. */
export function renderCheckMail({ session, hasInbox }: Pick<HomeFacts, "session" | "hasInbox">): string {
  const main = html`<section class="message card"><h1>Check your e-mail</h1><p class="lead">We’ve sent you a sign-in link. It works once, for 24 hours; in this browser it signs you in directly.</p><p class="actions">${hasInbox ? TO_INBOX : TO_HOME}</p></section>`;
  return renderLayout({ title: "Check your e-mail", main, session });
}

const TO_HOME = html`<a class="button main" href="/">Go to the start page</a>`;
const TO_INBOX = html`<a class="button main" href="/inbox">Open the demo’s inbox</a>`;

/** A page that only says something. */
export function renderMessage(title: string, text: string, session: MemberSession | null = null): string {
  const main = html`<section class="message card"><h1>${title}</h1><p class="lead">${text}</p><p class="actions">${TO_HOME}</p></section>`;
  return renderLayout({ title, main, session });
}
