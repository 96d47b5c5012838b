import { html } from "../html.ts";

/**
 * A page whose form posts the authorization response back to the client (OAuth 2.0 Form Post Response Mode §2), with a
 * button instead of a script.
 */
export function renderFormPost(action: URL, form: URLSearchParams): string {
  const inputs = [...form].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const page = html`<!doctype html><title>Back to the application</title>
<form method="post" action="${action.href}">${inputs}<button>Continue</button></form>`;
  return page.text;
}
