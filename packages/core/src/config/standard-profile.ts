import type { Profile, TokenSet, User } from "../model/records.ts";

/** The standard claims (OIDC Core §5.1). A missing id causes an error later; it is never invented. */
export function standardProfile(profile: Profile, _tokens: TokenSet): User {
  const { sub, id, name, nickname, preferred_username, email, picture } = profile;
  return {
    id: sub ?? id ?? "",
    name: name ?? nickname ?? preferred_username ?? null,
    email: email ?? null,
    image: typeof picture === "string" ? picture : null,
  };
}

/** The tokens that are stored unless the provider selects others. */
export function standardAccount(tokens: TokenSet): Partial<TokenSet> {
  const { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state: state } = tokens;
  const session_state = typeof state === "string" ? state : undefined;
  return { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state };
}
