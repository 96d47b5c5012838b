import { type Html, html } from "./html.ts";

/** What every form of ours sends besides its own fields. */
export interface FormTarget {
  readonly action: string;
  /** null when CSRF protection is off; then the field is left out. */
  readonly csrfToken: string | null;
  readonly callbackUrl: string;
}

/** A form that posts. The hidden fields come first, because of repeated names the first counts (docs/behaviour.md#actions). */
export function renderForm({ action, csrfToken, callbackUrl }: FormTarget, content: Html): Html {
  const csrf = csrfToken === null ? null : html`<input type="hidden" name="csrfToken" value="${csrfToken}">`;
  return html`<form method="post" action="${action}">
${csrf}<input type="hidden" name="callbackUrl" value="${callbackUrl}">
${content}
</form>
`;
}
