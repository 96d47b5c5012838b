import {
  defineExtension,
  type EndedSession,
  type Extension,
  type GrantedTokens,
  type RequestTools,
  type StoredSession,
  type Tools,
} from "@cardea/extend";
import { accountHome, keepingOf, noteAccount, sessionHome } from "./accounts.ts";
import { clearCookies, cookieHome, prolongCookies } from "./cookie-home.ts";
import { type Home, put } from "./home.ts";
import { forgetTokens } from "./revoke-tokens.ts";
import { resolveSettings, type Settings, type VaultOptions } from "./settings.ts";
import { requireStore } from "./store-home.ts";
import { merge } from "./tokens.ts";

/** Applications for which the single-process warning was logged. */
const warned = new WeakSet<object>();

/**
 * Stores provider tokens: encrypted, refreshed once across all servers that share the store, and never sent to the
 * browser. Server code uses them with `tokenOf` and `fetchAs`.
 *
 * @throws TypeError for an invalid option.
 */
export function vault(options: VaultOptions = {}): Extension {
  const settings = resolveSettings(options);
  return defineExtension({
    id: "vault",
    settings,
    keepsTokens: true,
    onTokens: (granted, t) => keep(settings, granted, t),
    forgetTokens: (account, t) => forgetTokens(settings, account, t),
    onSession: (session, t) => prolong(session, t),
    async onSignOut(ended, t) {
      await forget(ended, t);
      return undefined;
    },
  });
}

/** Stores the tokens of a sign-in. If the provider issues no new refresh token, the previous one is kept. */
async function keep(settings: Settings, granted: GrantedTokens, t: RequestTools): Promise<void> {
  const { account, tokens, userId, sid } = granted;
  const key = { provider: account.provider, account: account.providerAccountId };
  warnOnce(t);
  await put(homeOf(settings, t, key, sid), (before) => merge(before, tokens));
  if (keepingOf(t) === "store") await noteAccount(t, userId, key);
}

function homeOf(settings: Settings, t: RequestTools, key: Home["key"], sid: string): Home {
  switch (keepingOf(t)) {
    case "cookie":
      return cookieHome(t, sid, key, true);
    case "session-store":
      return sessionHome(t, sid, key);
    default:
      return accountHome(t, key, settings);
  }
}

/** Extends the lifetime of a session's tokens with the session. Those of an account last as long as the account. */
async function prolong(session: StoredSession, t: RequestTools): Promise<void> {
  if (session.cause === "signin") return;
  const keeping = keepingOf(t);
  if (keeping === "cookie") await prolongCookies(t, session.sid);
  const provider = keeping === "session-store" ? (await session.facts())?.idp?.provider : undefined;
  if (provider === undefined) return;
  const store = requireStore(t);
  const name = await t.permanentKey("tokens", "session", session.sid, provider);
  const text = await store.get(name);
  if (text !== null) await store.swap(name, text, text, { ttl: t.sessionLife });
}

async function forget(ended: EndedSession, t: RequestTools): Promise<void> {
  const keeping = keepingOf(t);
  if (keeping === "cookie") clearCookies(t);
  const provider = keeping === "session-store" ? (await ended.facts())?.idp?.provider : undefined;
  if (provider === undefined) return;
  const store = requireStore(t);
  const name = await t.permanentKey("tokens", "session", ended.sid, provider);
  const text = await store.get(name);
  if (text !== null) await store.swap(name, text, null, { ttl: null });
}

function warnOnce(t: Tools): void {
  if (t.store?.scope !== "process" && t.store !== undefined) return;
  if (warned.has(t.application)) return;
  warned.add(t.application);
  t.logger.warn(
    "vault-one-process: without a shared store, only one process may refresh tokens. Configure a `store` (docs/stores.md).",
  );
}
