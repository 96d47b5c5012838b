/** The local provider's pages, rendered from data. They have no scripts and no external resources. */
import { createHash } from "node:crypto";
import { type Html, html } from "../html.ts";
import type { Persona } from "./people.ts";
import { STYLE } from "./style.ts";

/** The content of the sign-in page. */
export interface SignInPage {
  /** Name of the application. */
  readonly client: string;
  /** Scopes that it requests. */
  readonly scopes: readonly string[];
}

const SHARED: Readonly<Record<string, string>> = {
  openid: "your user id",
  profile: "your name and picture",
  email: "your e-mail address",
  offline_access: "access while you are offline",
};

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/**
 * The page's policy: its own style, and forms that may end at `formTargets` (browsers check every redirect of a form).
 */
export function contentSecurityPolicy(formTargets: readonly string[]): string {
  const forms = ["'self'", ...formTargets].join(" ");
  return `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`;
}

/** A complete page around `content`. */
function renderLayout(title: string, content: Html): string {
  // The policy contains the hash of exactly this style, so nothing may be added between the tags.
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${html`${title}`.text} · Local OpenID Provider</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="brand"><span aria-hidden="true">◆</span> Local OpenID Provider</p>
${content.text}
</main>
<footer>For development and tests. No passwords are used.</footer>
</body>
</html>`;
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter((word) => word !== "");
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0] ?? "").join("");
}

function describe({ email, email_verified }: Persona): string {
  if (email === undefined) return "no e-mail address";
  return email_verified === true ? email : `${email} (not verified)`;
}

function renderPerson(person: Persona): Html {
  return html`<span class="avatar" aria-hidden="true">${initialsOf(person.name)}</span>
<span class="who"><span class="name">${person.name}</span><span class="detail">${describe(person)}</span></span>`;
}

function renderShared({ client, scopes }: SignInPage): Html {
  const items = scopes.flatMap((scope) => SHARED[scope] ?? []).map((text) => html`<li>${text}</li>`);
  return html`<section class="shared"><h2>${client} will see</h2><ul>${items}</ul></section>`;
}

/** The page on which the user chooses an account. `chosen` is preselected; `typed` is the content of the text field. */
export function renderChooser(
  page: SignInPage & {
    readonly people: readonly Persona[];
    readonly chosen: string | undefined;
    readonly typed: string;
    readonly problem: string | undefined;
  },
): string {
  const people = page.people.map(
    (person) => html`<label class="person">
<input type="radio" name="login" value="${person.sub}"${page.chosen === person.sub && html` checked`}>
${renderPerson(person)}
</label>`,
  );
  const content = html`<h1>Choose an account</h1>
<p class="lead">to continue to <strong>${page.client}</strong></p>
${page.problem !== undefined && html`<p class="problem" role="alert">${page.problem}</p>`}
<form method="post">
<fieldset><legend>Accounts</legend>${people}</fieldset>
<label class="other">Or type any login
<input type="text" name="other" value="${page.typed}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="200">
</label>
${renderShared(page)}
<div class="actions">
<button name="action" value="continue">Continue</button>
<button name="action" value="cancel" class="quiet">Cancel</button>
</div>
</form>`;
  return renderLayout("Choose an account", content);
}

/** The page for a user that this browser remembers. */
export function renderConsent(page: SignInPage & { readonly person: Persona }): string {
  const content = html`<h1>Continue to ${page.client}?</h1>
<p class="lead">You are signed in here.</p>
<form method="post">
<p class="person current">${renderPerson(page.person)}</p>
${renderShared(page)}
<div class="actions">
<button name="action" value="continue">Continue</button>
<button name="action" value="cancel" class="quiet">Cancel</button>
</div>
<button name="action" value="switch" class="link">Use another account</button>
</form>`;
  return renderLayout("Continue", content);
}

/** A page with a message and, optionally, a form of the provider. */
export function renderMessage(title: string, text: string, form?: Html): string {
  return renderLayout(title, html`<h1>${title}</h1><p class="lead">${text}</p>${form ?? false}`);
}
