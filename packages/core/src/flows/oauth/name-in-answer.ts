import type { Profile } from "../../model/records.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-provider.ts";

/**
 * Apple sends a user's name once, as JSON in the form that the browser posts. It is unsigned, so nothing else is read from
 * it, and the provider's own claims take precedence.
 */
export function nameInAnswer(provider: ResolvedOAuthProvider, response: URLSearchParams): Profile {
  const posted = provider.formPost ? response.get("user") : null;
  if (posted === null) return {};
  try {
    const { name } = Object(JSON.parse(posted));
    return typeof name === "object" && name !== null ? { user: { name } } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
