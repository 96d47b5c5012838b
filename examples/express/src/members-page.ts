import type { MemberSession } from "./auth.ts";
import { type Html, html } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderAvatar, renderLayout } from "./layout.ts";
import type { Member } from "./members.ts";
import { renderPasskeys } from "./passkeys.ts";
import { renderProofs } from "./safe.ts";

/** What members see of themselves. */
export interface MemberFacts {
  readonly session: MemberSession;
  /** Null when the database has lost them. */
  readonly member: Member | null;
  readonly providers: readonly { readonly id: string; readonly name: string }[];
  /** Ids of those whose API the application calls. */
  readonly asked: readonly string[];
  /** Whether there are second factors and fresh proofs. */
  readonly hasProofs: boolean;
  /** What did not work, or null. */
  readonly problem: string | null;
}

/** The page behind the door. */
export function renderMembers(facts: MemberFacts): string {
  const { session, problem } = facts;
  const { user, expires } = session;
  const main = html`<section class="hello card">
${renderAvatar(user)}
<div><h1>Hello, ${user?.name ?? "member"}</h1><p class="lead">Only members see this page.</p></div>
</section>
${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
<div class="columns">
<section class="card" aria-labelledby="you">
<h2 id="you">You</h2>
<dl class="facts">
<div><dt>Name</dt><dd>${user?.name ?? "not provided"}</dd></div>
<div><dt>E-mail</dt><dd>${user?.email ?? "not provided"}</dd></div>
<div><dt>Session ends</dt><dd><time datetime="${expires}">${formatTime(expires)}</time></dd></div>
</dl>
<form method="post" action="/name" class="rename">
<label for="name">Display name</label>
<div class="row"><input id="name" name="name" value="${user?.name}" required maxlength="60" autocomplete="name"><button class="button">Save</button></div>
</form>
</section>
${renderAccounts(facts)}
${renderPasskeys(facts.member?.passkeys ?? [])}
${facts.hasProofs && renderProofs()}
<section class="card wide" aria-labelledby="session">
<h2 id="session">Your session</h2>
<p>What <code>await auth(req, res)</code> returns:</p>
<pre><code>${renderJson(session)}</code></pre>
<p>The same as JSON: <a href="/auth/session">/auth/session</a></p>
<form method="post" action="/sign-out/everywhere" class="actions"><button class="button">Sign out here and at the provider</button></form>
</section>
</div>`;
  return renderLayout({ title: "Members", main, session, script: "/scripts/members.js" });
}

function renderAccounts({ member, providers, asked }: MemberFacts): Html {
  const connected = new Set(member?.accounts.map(({ provider }) => provider));
  const rows = providers.map(({ id, name }) => renderAccount(id, name, connected.has(id), asked.includes(id)));
  return html`<section class="card" aria-labelledby="accounts">
<h2 id="accounts">Connected accounts</h2>
<p>You can sign in with any of them.</p>
<ul class="accounts">${rows}${renderAddress(member)}</ul>
</section>`;
}

function renderAccount(id: string, name: string, isConnected: boolean, isAsked: boolean): Html {
  const data =
    isAsked && html`<a class="button small" href="/profile/${id}">Your data<span class="hidden"> at ${name}</span></a>`;
  if (isConnected) return html`<li><span>${name} <span class="state on">Connected</span></span>${data}</li>`;
  return html`<li><span>${name}</span><form method="post" action="/connect/${id}"><button class="button small">Connect<span class="hidden"> ${name}</span></button></form></li>`;
}

function renderAddress(member: Member | null): Html | false {
  const { email = null, emailVerified = null } = member?.user ?? {};
  if (email === null) return false;
  return html`<li><span>Link to ${email}</span><span class="state${emailVerified !== null && " on"}">${emailVerified === null ? "Not verified" : "Verified"}</span></li>`;
}

const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

function formatTime(iso: string): string {
  return `${TIME.format(new Date(iso))} UTC`;
}
