import type { EpochSeconds, Seconds, Store, Tools } from "@cardea/core/extend";

/** What a step that waits is about. Times are in milliseconds. */
export type Pending =
  /** A registration: the hash of what was typed, good in the browser that typed it. */
  | {
      readonly kind: "register";
      readonly email: string;
      readonly hash: string;
      /** As in `PasswordState`. */
      readonly short: boolean;
      readonly browser: string;
      readonly at: number;
      readonly callbackUrl: string;
    }
  /** A link for a new password. */
  | { readonly kind: "reset"; readonly email: string; readonly at: number; readonly callbackUrl: string }
  /** The right to choose a new password, after the address was proven. */
  | { readonly kind: "choose"; readonly email: string; readonly at: number; readonly callbackUrl: string };

/** A step, and the text of its entry, by which it is taken once. */
export interface FoundPending<P extends Pending = Pending> {
  readonly pending: P;
  readonly text: string;
  readonly expires: EpochSeconds;
}

/**
 * Keeps a step in the store, under the hash of a random token: readers of the store have no link.
 *
 * @returns the token.
 * @throws what the store throws.
 */
export async function keepPending(t: Tools, pending: Pending, lifetime: Seconds): Promise<string> {
  const token = `${t.randomId()}${t.randomId()}`;
  const text = JSON.stringify({ ...pending, expires: t.now() + lifetime });
  await storeOf(t).set(await keyOf(t, pending.kind, token), text, { ttl: lifetime });
  return token;
}

/** Finds a step by its token, without taking it. @throws what the store throws. */
export async function findPending<K extends Pending["kind"]>(
  t: Tools,
  kind: K,
  token: string,
): Promise<FoundPending<Extract<Pending, { kind: K }>> | null> {
  if (!/^[A-Za-z0-9_-]{20,100}$/.test(token)) return null;
  const text = await storeOf(t).get(await keyOf(t, kind, token));
  if (text === null) return null;
  // It was written by `keepPending`, under a key that only its token leads to.
  const { expires, ...pending } = JSON.parse(text) as Extract<Pending, { kind: K }> & { readonly expires: number };
  const found = pending as unknown as Extract<Pending, { kind: K }>;
  return expires > t.now() ? { pending: found, text, expires } : null;
}

/** Takes a step: of several requests at the same time one does. @throws what the store throws. */
export async function takePending(t: Tools, token: string, { pending, text }: FoundPending): Promise<boolean> {
  return storeOf(t).swap(await keyOf(t, pending.kind, token), text, null, { ttl: null });
}

/** Puts a step back after a failure that was not the user's. */
export async function restorePending(t: Tools, token: string, { pending, text, expires }: FoundPending): Promise<void> {
  const ttl = Math.max(1, expires - t.now());
  await storeOf(t).set(await keyOf(t, pending.kind, token), text, { ttl, ifAbsent: true });
}

/** Mails to one address in an interval: more would only annoy its owner. */
const MAX_MAILS = 5;
const MAIL_INTERVAL: Seconds = 600;

/** Whether one more mail may go to an address; counts it. @throws what the store throws. */
export async function mayMail(t: Tools, email: string): Promise<boolean> {
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  const key = await t.key("mail", `${local.split("+")[0]}@${domain}`);
  return (await storeOf(t).add(key, 1, { ttl: MAIL_INTERVAL })).value <= MAX_MAILS;
}

function storeOf({ store }: Tools): Store {
  if (store === undefined) throw new Error("Password() needs a store (docs/stores.md).");
  return store;
}

function keyOf(t: Tools, kind: Pending["kind"], token: string): Promise<string> {
  return t.permanentKey(kind, token);
}
