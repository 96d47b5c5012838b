/** The page of `response_mode=form_post` (OAuth 2.0 Form Post Response Mode §2), with a button instead of a script. */

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A page whose form posts the authorization response back to the client. */
export function renderFormPost(action: URL, form: URLSearchParams): string {
  const inputs = [...form].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const content = `${inputs.join("")}<button>Continue</button>`;
  return `<!doctype html><title>Back to the application</title><form method="post" action="${escapeHtml(action.href)}">${content}</form>`;
}
