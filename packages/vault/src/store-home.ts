import type { Store, Tools } from "@cardea/extend";
import type { AccountKey, Home, Reading } from "./home.ts";
import { openText, sealText } from "./sealing.ts";
import { type KeptTokens, NO_TOKENS, textOf } from "./tokens.ts";

/**
 * Tokens in the store, encrypted in one entry, for adapters that cannot update the tokens of an account and for
 * applications without a database.
 *
 * @param about Identifies the entry.
 * @param ttl In seconds; null for no expiry.
 */
export function storeHome(t: Tools, about: readonly string[], key: AccountKey, ttl: number | null): Home {
  const name = JSON.stringify(about);
  const place = { ...key, column: name };
  const read = async (): Promise<Reading> => {
    const store = requireStore(t);
    const text = await store.get(await t.permanentKey("tokens", ...about));
    const opened = text === null ? undefined : await openText(t, text, place);
    return { tokens: opened === undefined ? NO_TOKENS : parseTokens(opened), text };
  };
  const swap = async ({ text }: Reading, next: KeptTokens): Promise<boolean> => {
    const sealed = await sealText(t, JSON.stringify(next), place);
    return requireStore(t).swap(await t.permanentKey("tokens", ...about), text, sealed, { ttl });
  };
  return { name, key, read, swap };
}

/** @throws TypeError without a store. */
export function requireStore({ store }: Tools): Store {
  if (store !== undefined) return store;
  throw new TypeError(
    "vault: this adapter cannot update the tokens of an account. Configure a `store` (docs/stores.md).",
  );
}

/** Parses the decrypted JSON, which omits undefined members. */
export function parseTokens(text: string): KeptTokens {
  const given: Record<string, unknown> = Object(JSON.parse(text));
  const { expiresAt, gone } = given;
  return {
    accessToken: textOf(given.accessToken),
    refreshToken: textOf(given.refreshToken),
    idToken: textOf(given.idToken),
    expiresAt: typeof expiresAt === "number" ? expiresAt : undefined,
    scope: textOf(given.scope),
    tokenType: textOf(given.tokenType),
    gone: gone === "lost" || gone === "revoked" ? gone : undefined,
  };
}
