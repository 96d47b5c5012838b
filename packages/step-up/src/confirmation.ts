import {
  type EpochSeconds,
  InvalidRequest,
  isFuture,
  type OpenedSession,
  type Seconds,
  SessionUnavailable,
  type Store,
  type Tools,
} from "@cardea/extend";
import { canonicalJson } from "./canonical-json.ts";

/** The content that a user confirms: plain data that JSON represents exactly. */
export type Bind = Readonly<Record<string, unknown>>;

/** The maximum length, in characters of JSON. Users would not read more before confirming. */
const MAX_LENGTH = 3000;

/** Lifetime of a confirmation and of the resulting grant. */
const LIFETIME: Seconds = 300;

/**
 * A confirmation, as it is signed. Its canonical JSON is stored, and the SHA-256 of that JSON is the passkey challenge.
 */
export interface Question {
  readonly v: 1;
  readonly level: string;
  /** Public id of the session. */
  readonly sid: string;
  /** Id of the user. */
  readonly sub: string;
  readonly origin: string;
  /** 128 random bits that make each confirmation unique. */
  readonly nonce: string;
  readonly exp: EpochSeconds;
  readonly bind: Bind;
}

/** A confirmation and its stored text. */
export interface FoundQuestion {
  readonly question: Question;
  readonly text: string;
}

/**
 * The content that a guard reads from a request.
 *
 * @throws InvalidRequest for a body that is not JSON, or content that cannot be confirmed: the sender's errors. Other errors of `read`.
 */
export async function bindOf(read: () => Bind | Promise<Bind>): Promise<Bind> {
  let bind: Bind;
  try {
    bind = await read();
  } catch (error) {
    if (error instanceof SyntaxError) throw new InvalidRequest("The body of the request is not JSON.", 400);
    throw error;
  }
  try {
    requireBind(bind);
  } catch (error) {
    throw error instanceof TypeError ? new InvalidRequest(error.message, 400) : error;
  }
  return bind;
}

/** @throws TypeError for content that JSON cannot represent exactly, or that is too long. */
export function requireBind(bind: Bind): void {
  const { length } = canonicalJson(bind);
  if (length > MAX_LENGTH)
    throw new TypeError(`\`bind\` has ${length} characters as JSON; the limit is ${MAX_LENGTH}.`);
  if (bind === null || Array.isArray(bind) || typeof bind !== "object")
    throw new TypeError("`bind` must be an object.");
}

type Asker = Pick<OpenedSession, "sid" | "userId">;

/**
 * Stores a confirmation for a session.
 *
 * @returns Its id. The id is not secret: it is only valid in this session.
 * @throws TypeError for content that JSON cannot represent exactly; SessionUnavailable while the store is unavailable.
 */
export async function keepQuestion(
  t: Tools & { readonly origin: string },
  { sid, userId }: Asker,
  level: string,
  bind: Bind,
): Promise<string> {
  const exp = t.now() + LIFETIME;
  const question: Question = { v: 1, level, sid, sub: userId, origin: t.origin, nonce: t.randomId(), exp, bind };
  const id = t.randomId();
  const key = await t.permanentKey("confirm", id);
  await withStore(t, (store) => store.set(key, canonicalJson(question), { ttl: LIFETIME }));
  return id;
}

/**
 * Finds the confirmation with an id for this session and level; null if it does not exist or has expired. @throws
 * SessionUnavailable.
 */
export async function findQuestion(
  t: Tools & { readonly origin: string },
  { sid, userId }: Asker,
  level: string,
  id: string,
): Promise<FoundQuestion | null> {
  if (!/^[\w-]{22}$/.test(id)) return null;
  const key = await t.permanentKey("confirm", id);
  const text = await withStore(t, (store) => store.get(key));
  if (text === null) return null;
  // Written by `keepQuestion`.
  const question = JSON.parse(text) as Question;
  const isOwn = question.sid === sid && question.sub === userId && question.level === level;
  return isOwn && question.origin === t.origin && isLive(question.exp, t) ? { question, text } : null;
}

/** Whether a confirmation or grant is valid. One of a server whose clock is ahead would be valid for longer than users expect. */
function isLive(exp: EpochSeconds, { now }: Pick<Tools, "now">): boolean {
  return exp > now() && !isFuture(exp - LIFETIME, now());
}

/** Stores that a user confirmed the content. The grant can be consumed once. @throws SessionUnavailable. */
export async function storeGrant(t: Tools, { level, sid, sub, bind, exp }: Question): Promise<void> {
  const key = await keyOf(t, { sid, userId: sub }, level, bind);
  // The grant expires when the confirmation would have, which limits the time since the user saw the content.
  await withStore(t, (store) => store.set(key, String(exp), { ttl: Math.max(1, exp - t.now()) }));
}

/** Whether a grant exists, without consuming it. @throws SessionUnavailable. */
export async function hasGrant(t: Tools, asker: Asker, level: string, bind: Bind): Promise<boolean> {
  const key = await keyOf(t, asker, level, bind);
  return isLive(Number(await withStore(t, (store) => store.get(key))), t);
}

/** Consumes a grant. Only one of several concurrent requests succeeds. @throws TypeError, SessionUnavailable. */
export async function takeGrant(t: Tools, asker: Asker, level: string, bind: Bind): Promise<boolean> {
  const key = await keyOf(t, asker, level, bind);
  return withStore(t, async (store) => {
    const exp = await store.get(key);
    return exp !== null && isLive(Number(exp), t) && store.swap(key, exp, null, { ttl: LIFETIME });
  });
}

/** A grant is for one session, one level, and exactly this content. */
function keyOf(t: Tools, { sid, userId }: Asker, level: string, bind: Bind): Promise<string> {
  return t.permanentKey("grant", sid, userId, level, canonicalJson(bind));
}

/** Without the store, nothing can be confirmed and no grant counts. */
async function withStore<T>(t: Tools, run: (store: Store) => Promise<T>): Promise<T> {
  try {
    if (t.store === undefined) throw new Error("No store is configured.");
    return await run(t.store);
  } catch (error) {
    if (error instanceof TypeError) throw error;
    const cause = { err: error instanceof Error ? error : new Error(String(error)) };
    throw new SessionUnavailable(
      "Confirmations are unavailable because the store cannot be reached. Try again later.",
      {
        cause,
      },
    );
  }
}
