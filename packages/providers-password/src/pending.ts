import type { EpochSeconds, RequestTools, Seconds, Store, Tools } from "@cardea/extend";

/** A pending step. Times are in milliseconds. */
export type Pending =
  /** A registration: the hash of the submitted password, valid in the browser that submitted it. */
  | {
      readonly kind: "register";
      readonly email: string;
      /** The address as it was submitted. Absent in entries of earlier versions. */
      readonly spelling?: string;
      readonly hash: string;
      /** See `PasswordState`. */
      readonly short: boolean;
      readonly browser: string;
      readonly at: number;
      /** See `standOf()`. Another one, or none, in entries of earlier versions, whose links of existing users are void. */
      readonly stand?: string;
      readonly callbackUrl: string;
    }
  /** A link to reset a password. */
  | {
      readonly kind: "reset";
      readonly email: string;
      readonly spelling?: string;
      readonly at: number;
      readonly stand?: string;
      readonly callbackUrl: string;
    }
  /** The permission to choose a new password, after the address was verified. */
  | {
      readonly kind: "choose";
      readonly email: string;
      /** The user's epoch, with which the permission ends. Absent in entries of earlier versions. */
      readonly epoch?: number;
      /** The session that was issued by this proof; absent until then. */
      readonly sid?: string;
      readonly callbackUrl: string;
    };

/** The spelling under which the user of a link may be stored. */
export function spellingOf({
  email,
  spelling = email,
}: {
  readonly email: string;
  readonly spelling?: string;
}): string {
  return spelling;
}

/** What is stored with a step. */
interface Kept {
  readonly expires: EpochSeconds;
  /** Absent in entries of earlier versions. */
  readonly origin?: string;
}

/** A step with its stored text, used to consume it once. */
export interface FoundPending<P extends Pending = Pending> {
  readonly pending: P;
  readonly text: string;
  readonly expires: EpochSeconds;
}

/**
 * Stores a step under the hash of a random token, so that read access to the store does not reveal a link. It belongs to the
 * origin that its link leads to: another application, whose operator sees its own links, may use the same store.
 *
 * @returns The token.
 * @throws errors of the store.
 */
export async function keepPending(t: RequestTools, pending: Pending, lifetime: Seconds): Promise<string> {
  const token = `${t.randomId()}${t.randomId()}`;
  const text = JSON.stringify({ ...pending, origin: t.origin, expires: t.now() + lifetime });
  await storeOf(t).set(await keyOf(t, pending.kind, token), text, { ttl: lifetime });
  return token;
}

/** Finds a step by its token, without consuming it. @throws errors of the store. */
export async function findPending<K extends Pending["kind"]>(
  t: RequestTools,
  kind: K,
  token: string,
): Promise<FoundPending<Extract<Pending, { kind: K }>> | null> {
  if (!/^[A-Za-z0-9_-]{20,100}$/.test(token)) return null;
  const text = await storeOf(t).get(await keyOf(t, kind, token));
  if (text === null) return null;
  // Written by `keepPending`, under a key derived from the token.
  const { expires, origin, ...pending } = JSON.parse(text) as Extract<Pending, { kind: K }> & Kept;
  const found = pending as unknown as Extract<Pending, { kind: K }>;
  return expires > t.now() && (origin ?? t.origin) === t.origin ? { pending: found, text, expires } : null;
}

/** Consumes a step. Only one of several concurrent requests succeeds. @throws errors of the store. */
export async function takePending(t: Tools, token: string, { pending, text }: FoundPending): Promise<boolean> {
  return storeOf(t).swap(await keyOf(t, pending.kind, token), text, null, { ttl: null });
}

/** Changes a step, unless it was consumed. @throws errors of the store. */
export async function changePending(t: RequestTools, token: string, next: Pending, found: FoundPending): Promise<void> {
  const { text, expires } = found;
  const changed = JSON.stringify({ ...next, origin: t.origin, expires });
  await storeOf(t).swap(await keyOf(t, next.kind, token), text, changed, { ttl: Math.max(1, expires - t.now()) });
}

/** Restores a step after an outage. */
export async function restorePending(t: Tools, token: string, { pending, text, expires }: FoundPending): Promise<void> {
  const ttl = Math.max(1, expires - t.now());
  await storeOf(t).set(await keyOf(t, pending.kind, token), text, { ttl, ifAbsent: true });
}

/** The maximum number of e-mails to one address per interval. */
const MAX_MAILS = 5;
const MAIL_INTERVAL: Seconds = 600;

/**
 * Counts an e-mail to an address; returns whether it may be sent. Each kind of request has its own count, so that
 * registrations, which anyone can request, do not keep the owner of an account from resetting the password.
 *
 * @throws errors of the store.
 */
export async function mayMail(t: Tools, email: string, request: "register" | "reset"): Promise<boolean> {
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  const key = await t.key("mail", request, `${local.split("+")[0]}@${domain}`);
  return (await storeOf(t).add(key, 1, { ttl: MAIL_INTERVAL })).value <= MAX_MAILS;
}

function storeOf({ store }: Tools): Store {
  if (store === undefined) throw new Error("Password() requires a `store` (docs/stores.md).");
  return store;
}

function keyOf(t: Tools, kind: Pending["kind"], token: string): Promise<string> {
  return t.permanentKey(kind, token);
}
