import type { EpochSeconds, Seconds, Store, Tools } from "@cardea/extend";

/** What a link in a message does. None of them ends with the user's epoch: only use and expiry end a link. */
export type Link =
  /** To the new address: proves it. */
  | { readonly kind: "confirm"; readonly userId: string; readonly change: string }
  /** To the current address: its owner agrees to the change, or says that it was not theirs. */
  | { readonly kind: "approve"; readonly userId: string; readonly change: string }
  /** To the former address: restores it. */
  | {
      readonly kind: "undo";
      readonly userId: string;
      /** The number of the change: undoing one also ends the links of later ones. */
      readonly change: number;
      /** The former address. */
      readonly from: string;
      /** How the user signed in then, encrypted; see `snapshot.ts`. */
      readonly before: string;
    };

/** A link with its stored text, used to consume it once. */
export interface FoundLink<L extends Link = Link> {
  readonly link: L;
  readonly text: string;
  readonly expires: EpochSeconds;
}

/** The store, which the extension requires. */
export function storeOf({ store }: Tools): Store {
  if (store === undefined) throw new Error("account() requires a `store` (docs/stores.md).");
  return store;
}

/**
 * Stores a link under the hash of a random token, so that read access to the store does not reveal it.
 *
 * @param origin The origin that the link leads to: another application may use the same store.
 * @returns The token.
 */
export async function keepLink(t: Tools, link: Link, origin: string, lifetime: Seconds): Promise<string> {
  const token = `${t.randomId()}${t.randomId()}`;
  const text = JSON.stringify({ ...link, origin, expires: t.now() + lifetime });
  await storeOf(t).set(await t.permanentKey("link", token), text, { ttl: lifetime });
  return token;
}

/** Finds a link by its token, without consuming it. @throws errors of the store. */
export async function findLink(t: Tools, token: unknown, origin: string): Promise<FoundLink | null> {
  if (typeof token !== "string" || !/^[A-Za-z0-9_-]{20,100}$/.test(token)) return null;
  const text = await storeOf(t).get(await t.permanentKey("link", token));
  if (text === null) return null;
  // Written by `keepLink`, under a key derived from the token.
  const { origin: own, expires, ...link } = JSON.parse(text) as Link & { origin: string; expires: EpochSeconds };
  return expires > t.now() && own === origin ? { link: link as Link, text, expires } : null;
}

/** Consumes a link. Only one of several concurrent requests succeeds. */
export async function takeLink(t: Tools, token: string, { text }: FoundLink): Promise<boolean> {
  return storeOf(t).swap(await t.permanentKey("link", token), text, null, { ttl: null });
}

/** Restores a link after an outage. */
export async function restoreLink(t: Tools, token: string, { text, expires }: FoundLink): Promise<void> {
  const ttl = Math.max(1, expires - t.now());
  await storeOf(t).set(await t.permanentKey("link", token), text, { ttl, ifAbsent: true });
}
