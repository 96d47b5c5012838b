import type { MemberSession } from "./auth.ts";
import { type Html, html } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderAvatar, renderLayout } from "./layout.ts";

/** What the first page tells a visitor. */
export interface HomeFacts {
  readonly session: MemberSession | null;
  readonly providerUrl: string;
  readonly username: string;
  readonly password: string;
}

/** The first page, for everyone. */
export function renderHome({ session, providerUrl, username, password }: HomeFacts): string {
  const main = html`<section class="hero">
<div>
${session === null ? WELCOME : renderWelcomeBack(session)}
</div>
${DOOR}
</section>
<section class="ways" aria-labelledby="ways">
<h2 id="ways">Two ways in</h2>
<div class="card">
<h3>With an account elsewhere</h3>
<p>An OpenID Provider on this machine, at <code>${providerUrl}</code>, stands in for the one your people use. Choose anyone there: nobody has a password.</p>
</div>
<div class="card">
<h3>With a user name and password</h3>
<p>One person has both:</p>
<dl class="facts"><div><dt>User name</dt><dd><code>${username}</code></dd></div><div><dt>Password</dt><dd><code>${password}</code></dd></div></dl>
</div>
</section>
<section class="try" aria-labelledby="try">
<h2 id="try">Worth a try</h2>
<ul>
<li>Type a wrong password.</li>
<li>Go to the provider, and cancel there.</li>
<li>Begin to sign in in two tabs, then finish both.</li>
<li>Open the sign-in page, delete this site’s cookies, then send the form.</li>
<li>Switch scripts off: nothing here needs them.</li>
</ul>
</section>`;
  return renderLayout({ title: "Welcome", main, session });
}

const WELCOME = html`<h1>One door, and you hold the key</h1>
<p class="lead">Behind it is a page that only members see. Sign in, look at your session from the inside, and leave again.</p>
<p class="actions"><a class="button main" href="/auth/signin?callbackUrl=/members">Sign in</a><a class="button" href="/members">Try the door without</a></p>`;

function renderWelcomeBack({ user }: MemberSession): Html {
  return html`<h1>Welcome back, ${user?.name ?? "member"}</h1>
<p class="lead">The door is open. Your session stays with this browser until you sign out.</p>
<p class="actions"><a class="button main" href="/members">Go to the members’ page</a></p>`;
}

/** A door ajar, and the light behind it. */
const DOOR = html`<svg class="door" viewBox="0 0 320 264" aria-hidden="true"><defs><radialGradient id="glow" class="glow"><stop offset=".2" stop-opacity=".5"/><stop offset="1" stop-opacity="0"/></radialGradient></defs><ellipse fill="url(#glow)" cx="160" cy="132" rx="160" ry="132"/><ellipse class="floor" cx="160" cy="230" rx="150" ry="22"/><path class="light" d="M150 224h66l56 36H116z"/><path class="frame" d="M92 226V88a68 68 0 0 1 136 0v138z"/><path class="room" d="M104 224V88a56 56 0 0 1 112 0v136z"/><path class="leaf" d="M104 224V88c0-31 25-56 56-57v210z"/><path class="hinge" d="M104 96v14M104 190v14"/><circle class="knob" cx="149" cy="150" r="4.5"/></svg>`;

/** The page behind the door. */
export function renderMembers(session: MemberSession): string {
  const { user, expires, signedInWith } = session;
  const main = html`<section class="hello card">
${renderAvatar(user)}
<div><h1>Hello, ${user?.name ?? "member"}</h1><p class="lead">Only members see this page.</p></div>
</section>
<div class="columns">
<section class="card" aria-labelledby="you">
<h2 id="you">You</h2>
<dl class="facts">
<div><dt>Name</dt><dd>${user?.name ?? "not told"}</dd></div>
<div><dt>E-mail</dt><dd>${user?.email ?? "not told"}</dd></div>
<div><dt>Signed in with</dt><dd><code>${signedInWith}</code></dd></div>
<div><dt>Session ends</dt><dd><time datetime="${expires}">${formatTime(expires)}</time></dd></div>
</dl>
<form method="post" action="/name" class="rename">
<label for="name">What shall we call you?</label>
<div class="row"><input id="name" name="name" value="${user?.name}" required maxlength="60" autocomplete="name"><button class="button">Save</button></div>
</form>
</section>
<section class="card" aria-labelledby="session">
<h2 id="session">Your session</h2>
<p>What <code>await auth(req, res)</code> gives the application:</p>
<pre><code>${renderJson(session)}</code></pre>
<p>The same as JSON: <a href="/auth/session">/auth/session</a></p>
</section>
</div>`;
  return renderLayout({ title: "Members", main, session });
}

const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

function formatTime(iso: string): string {
  return `${TIME.format(new Date(iso))} UTC`;
}

/** A page that only says something. */
export function renderMessage(title: string, text: string, session: MemberSession | null = null): string {
  const main = html`<section class="message card"><h1>${title}</h1><p class="lead">${text}</p><p class="actions"><a class="button main" href="/">Go to the first page</a></p></section>`;
  return renderLayout({ title, main, session });
}
