import type { MemberSession } from "./auth.ts";
import { type Html, html } from "./html.ts";

/** A page: what stands in the window's title and what comes below the header. */
export interface PageContent {
  readonly title: string;
  readonly main: Html;
  /** Of the person who is signed in, or null. */
  readonly session: MemberSession | null;
  /** A script that the page can do without. */
  readonly script?: string;
}

const MARK = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M6 3h11a1 1 0 0 1 1 1v16M3 20h3m8 0h7"/><path d="M6 3l8 3v16l-8-2z" fill="currentColor" fill-opacity=".25"/><path d="M11 13v1.5"/></svg>`;

/** The document around a page. */
export function renderLayout({ title, main, session, script }: PageContent): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · The Green Room</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
${script !== undefined && html`<script type="module" src="${script}"></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="/"><span class="mark">${MARK}</span>The Green Room</a>
<nav aria-label="Main"><a href="/members">Members</a>${session === null ? SIGN_IN : renderAccount(session)}</nav>
</header>
<main id="main">
${main}
</main>
<footer>An example of Cardea for Express. It runs on your machine, as do its provider and mail server.</footer>
</body>
</html>
`.text;
}

const SIGN_IN = html`<a class="button small" href="/auth/signin?callbackUrl=/members">Sign in</a>`;

function renderAccount({ user }: MemberSession): Html {
  return html`<form method="post" action="/sign-out"><a class="me" href="/auth/account">${renderAvatar(user)}<span class="name">${nameOf(user)}</span></a><button class="button small quiet">Sign out</button></form>`;
}

/** Anyone who came by e-mail has no name at first. */
function nameOf(user: MemberSession["user"]): string {
  return user?.name ?? user?.email ?? "Member";
}

/** The picture of a person, or else their initials. Only pictures that come within the session are shown: nothing is fetched from elsewhere. */
export function renderAvatar(user: MemberSession["user"]): Html {
  const words = nameOf(user)
    .split(/[\s@]+/)
    .filter((word) => word !== "");
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0] ?? "");
  const image = user?.image?.startsWith("data:image/") === true ? user.image : null;
  return image === null
    ? html`<span class="avatar" aria-hidden="true">${initials}</span>`
    : html`<img class="avatar" src="${image}" alt="">`;
}
