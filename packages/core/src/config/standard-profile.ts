import type { Profile, TokenSet, User } from "../model/records.ts";

/** The standard claims (OIDC Core §5.1). A missing id is an error later on, never a made-up one. */
export function standardProfile(profile: Profile, _tokens: TokenSet): User {
  const { sub, id, name, nickname, preferred_username, email, picture } = profile;
  return {
    id: sub ?? id ?? "",
    name: name ?? nickname ?? preferred_username ?? null,
    email: email ?? null,
    image: typeof picture === "string" ? picture : null,
  };
}

/** What is kept of the tokens unless the provider says otherwise. */
export function standardAccount(tokens: TokenSet): Partial<TokenSet> {
  const { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state } = tokens;
  return { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state };
}
