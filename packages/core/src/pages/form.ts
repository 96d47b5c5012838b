import { type Html, html } from "./html.ts";

/** What every form sends in addition to its own fields. */
export interface FormTarget {
  readonly action: string;
  /** null if CSRF protection is disabled; the field is then omitted. */
  readonly csrfToken: string | null;
  readonly callbackUrl: string;
}

/**
 * A form that posts. The hidden fields come first, because the first value of a repeated name is used
 * (docs/behaviour.md#actions).
 */
export function renderForm({ action, csrfToken, callbackUrl }: FormTarget, content: Html): Html {
  const csrf = csrfToken === null ? null : html`<input type="hidden" name="csrfToken" value="${csrfToken}">`;
  return html`<form method="post" action="${action}">
${csrf}<input type="hidden" name="callbackUrl" value="${callbackUrl}">
${content}
</form>
`;
}
