import {
  defineExtension,
  type EndedSession,
  type Extension,
  type GrantedTokens,
  type RequestTools,
  type StoredSession,
  type Tools,
} from "@cardea/core/extend";
import { accountHome, keepingOf, noteAccount, sessionHome } from "./accounts.ts";
import { clearCookies, cookieHome } from "./cookie-home.ts";
import { rememberSettings } from "./find-home.ts";
import { type Home, put } from "./home.ts";
import { resolveSettings, type Settings, type VaultOptions } from "./settings.ts";
import { requireStore } from "./store-home.ts";
import { merge } from "./tokens.ts";

/** Applications that were told that only one process may refresh. */
const warned = new WeakSet<object>();

/**
 * Keeps the tokens of providers: sealed, refreshed once on however many servers share the store, and never sent to the browser. Server code
 * gets them with `tokenOf` and `fetchAs`.
 *
 * @throws TypeError that names an option that cannot be read.
 */
export function vault(options: VaultOptions = {}): Extension {
  const settings = resolveSettings(options);
  const extension = defineExtension({
    id: "vault",
    keepsTokens: true,
    onTokens: (granted, t) => keep(settings, granted, t),
    onSession: (session, t) => prolong(session, t),
    async onSignOut(ended, t) {
      await forget(ended, t);
      return undefined;
    },
  });
  return rememberSettings(extension, settings);
}

/** Stores what a sign-in brought. A provider that gives no new refresh token leaves the former one good. */
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

/** Tokens of a session live as long as it does. */
async function prolong(session: StoredSession, t: Tools): Promise<void> {
  if (session.cause !== "renewal" || keepingOf(t) !== "session-store") return;
  const provider = (await session.facts())?.idp?.provider;
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
    "vault-one-process: without a store that is shared, tokens may be refreshed by one process only. Set `store` (docs/stores.md).",
  );
}
