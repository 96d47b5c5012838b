import { type ActionAnswer, html, type Markup, type RequestTools } from "@cardea/core/extend";
import type { Bind } from "./confirmation.ts";
import type { ResolvedLevel } from "./levels.ts";
import type { Method } from "./methods.ts";
import { visible } from "./visible.ts";

/** The values that the forms of the page submit. */
export interface StepUpForm {
  readonly level: string;
  /** Id of the confirmation; null without `bind`. */
  readonly confirm: string | null;
  readonly callbackUrl: string;
  readonly csrfToken: string | null;
}

/** Why the page is shown again. */
const ERRORS = {
  provider: "Your identity provider didn’t confirm this. Try again or use another method.",
  refused: "That didn’t work. Try again or use another method.",
  expired: "This request timed out. Go back and start again.",
} as const;

/** The text for an error code in the query. Text from the query is never shown. */
function textOf(error: string | null): string | null {
  if (error === null) return null;
  return error === "provider" || error === "expired" ? ERRORS[error] : ERRORS.refused;
}

type Part = ReturnType<typeof html>;

/** What the page shows besides the methods. */
interface AskFacts {
  readonly level: ResolvedLevel;
  readonly bind: Bind | null;
  readonly error: string | null;
  readonly username: string;
}

/** The page that requests a proof, or the confirmation of bound content. */
export function askPage(
  methods: readonly Method[],
  form: StepUpForm,
  t: RequestTools,
  { level, bind, error, username }: AskFacts,
): ActionAnswer {
  const text = textOf(error);
  const note = text === null ? null : html`<p class="note" role="alert">${text}</p>`;
  const parts = methods.map((method, n) => renderMethod(method, form, t, { isFirst: n === 0, username }));
  const none = html`<p class="next"><a class="button main" href="${form.callbackUrl}">Go back</a></p>`;
  const main = html`<p class="lead">${leadOf(methods, bind, missingFrom(level, t))}</p>${bind === null ? null : renderBind(bind)}${note}${
    methods.length === 0 ? none : parts
  }`;
  const title = bind === null ? "Confirm it’s you" : "Confirm this";
  return { kind: "page", status: 200, title, main, passkeys: methods.some(({ kind }) => kind === "passkey") };
}

function leadOf(methods: readonly Method[], bind: Bind | null, missing: readonly string[]): string {
  if (methods.length > 0)
    return bind === null ? "Confirm it’s you to continue." : "Check the details before you confirm.";
  const none = "Your account has no sign-in method that can confirm this.";
  return missing.length === 0 ? none : `${none} To continue, add ${missing.join(" or ")} to your account.`;
}

/** What a user without any of the level's methods can add here. */
function missingFrom({ factors, acr }: ResolvedLevel, t: RequestTools): readonly string[] {
  if (acr.length > 0) return [];
  const kinds = [
    ["password", t.hasExtension("password"), "a password"],
    ["totp", t.hasExtension("second-factor"), "an authenticator app"],
    ["passkey", Boolean(t.passkeys), "a passkey"],
  ] as const;
  return kinds.filter(([kind, isHere]) => isHere && factors.includes(kind)).map(([, , noun]) => noun);
}

/** The final page in a separate window, after the proof was given. */
export function donePage(): ActionAnswer {
  const main = html`<p class="lead">You can close this window and continue where you were.</p>`;
  return { kind: "page", status: 200, title: "Confirmed", main };
}

/** The page for an expired confirmation. */
export function expiredPage(callbackUrl: string): ActionAnswer {
  const main = html`<p class="lead">${ERRORS.expired}</p><p class="next"><a class="button main" href="${callbackUrl}">Go back</a></p>`;
  return { kind: "page", status: 403, title: "Confirm this", main };
}

const FIELDS = {
  password: {
    label: "Password",
    submit: "Confirm with your password",
    input: html`<input id="step-up-password" name="password" type="password" autocomplete="current-password" required autocapitalize="none" spellcheck="false">`,
  },
  totp: {
    label: "Code from your authenticator app",
    submit: "Confirm with a code",
    input: html`<input id="step-up-totp" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required>`,
  },
} as const;

function renderMethod(
  { kind, url }: Method,
  { level, confirm, callbackUrl, csrfToken }: StepUpForm,
  t: RequestTools,
  { isFirst, username }: { readonly isFirst: boolean; readonly username: string },
): Markup & Part {
  const style = isFirst ? "button main" : "button";
  const csrf: Readonly<Record<string, string>> = csrfToken === null ? {} : { csrfToken };
  const own = { ...csrf, callbackUrl, level, ...(confirm === null ? {} : { confirm }) };
  switch (kind) {
    case "sign-in":
      return html`<p class="next"><a class="${style}" href="${url}">Sign in again</a></p>`;
    case "passkey":
      return passkeyForm(t, url, own);
    case "oidc":
      return html`<form method="post" action="${url}">${hidden(own)}<button class="${style}" type="submit">Continue with your identity provider</button></form>`;
    case "password":
    case "totp": {
      const { label, submit, input } = FIELDS[kind];
      const user =
        kind === "password"
          ? html`<input hidden type="text" name="username" autocomplete="username" value="${username}" readonly>`
          : null;
      return html`<form method="post" action="${url}">${hidden({ ...csrf, callbackUrl })}${user}
<label for="step-up-${kind}">${label}</label>
${input}
<button class="${style}" type="submit">${submit}</button></form>${kind === "totp" ? recoveryLink(t, callbackUrl) : null}`;
    }
  }
}

/** The second factor page also accepts recovery codes. */
function recoveryLink({ baseUrl }: RequestTools, callbackUrl: string): Part {
  const url = `${baseUrl}/factor?${new URLSearchParams({ callbackUrl })}`;
  return html`<p class="next"><a class="button" href="${url}">Use a recovery code</a></p>`;
}

/** Markup from core was created by core's own `html`. */
function passkeyForm({ passkeys }: RequestTools, url: string, own: Readonly<Record<string, string>>): Part {
  return passkeys?.form({ options: url, action: url, hidden: own, submit: "Confirm with a passkey" }) as Part;
}

function hidden(values: Readonly<Record<string, string>>): readonly Part[] {
  return Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

/** The content to confirm, as stored on the server. */
function renderBind(bind: Bind): Part {
  const rows = Object.entries(bind).map(
    ([name, value]) =>
      html`<dt>${visible(name)}</dt><dd>${visible(typeof value === "string" ? value : JSON.stringify(value))}</dd>`,
  );
  return html`<dl>${rows}</dl>`;
}
