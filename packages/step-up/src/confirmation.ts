import {
  type EpochSeconds,
  type OpenedSession,
  type Seconds,
  SessionUnavailable,
  type Store,
  type Tools,
} from "@cardea/core/extend";
import { canonicalJson } from "./canonical-json.ts";

/** What a user confirms: plain data that JSON holds exactly. */
export type Bind = Readonly<Record<string, unknown>>;

/** More than a user reads before they confirm, in characters of its JSON. */
const MAX_LENGTH = 3000;

/** How long a question waits, and how long the grant that comes of it counts. */
const LIFETIME: Seconds = 300;

/** What is asked, as it is signed. Its canonical JSON is the entry in the store, and its SHA-256 is the challenge of the passkey. */
export interface Question {
  readonly v: 1;
  readonly level: string;
  /** Public id of the session. */
  readonly sid: string;
  /** Id of the user. */
  readonly sub: string;
  readonly origin: string;
  /** 128 random bits, so that no two questions are equal. */
  readonly nonce: string;
  readonly exp: EpochSeconds;
  readonly bind: Bind;
}

/** A question and the text of its entry. */
export interface FoundQuestion {
  readonly question: Question;
  readonly text: string;
}

/** @throws TypeError for what cannot be confirmed: what JSON cannot hold exactly, and what no one would read. */
export function requireBind(bind: Bind): void {
  const { length } = canonicalJson(bind);
  if (length > MAX_LENGTH)
    throw new TypeError(`\`bind\` has ${length} characters as JSON; at most ${MAX_LENGTH} are confirmed at a time.`);
  if (Array.isArray(bind) || typeof bind !== "object") throw new TypeError("`bind` needs to be an object.");
}

type Asker = Pick<OpenedSession, "sid" | "userId">;

/**
 * Keeps a question for a session.
 *
 * @returns its id, which is no secret: it is of use in this session only.
 * @throws TypeError for what JSON cannot hold exactly; SessionUnavailable while the store is away.
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

/** The question with an id, of this session and level; null when there is none, or it is too old. @throws SessionUnavailable. */
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
  // It was written by `keepQuestion`.
  const question = JSON.parse(text) as Question;
  const isOwn = question.sid === sid && question.sub === userId && question.level === level;
  return isOwn && question.origin === t.origin && question.exp > t.now() ? { question, text } : null;
}

/** Notes that a user confirmed something; it can be taken once. @throws SessionUnavailable. */
export async function storeGrant(t: Tools, { level, sid, sub, bind, exp }: Question): Promise<void> {
  const key = await keyOf(t, { sid, userId: sub }, level, bind);
  // Never longer than the question would have waited: who confirmed saw it that long ago at most.
  await withStore(t, (store) => store.set(key, String(exp), { ttl: Math.max(1, exp - t.now()) }));
}

/** Whether there is a grant, without taking it. @throws SessionUnavailable. */
export async function hasGrant(t: Tools, asker: Asker, level: string, bind: Bind): Promise<boolean> {
  const key = await keyOf(t, asker, level, bind);
  return Number(await withStore(t, (store) => store.get(key))) > t.now();
}

/** Takes a grant: of several requests at the same time one does. @throws TypeError, SessionUnavailable. */
export async function takeGrant(t: Tools, asker: Asker, level: string, bind: Bind): Promise<boolean> {
  const key = await keyOf(t, asker, level, bind);
  return withStore(t, async (store) => {
    const exp = await store.get(key);
    return exp !== null && Number(exp) > t.now() && store.swap(key, exp, null, { ttl: LIFETIME });
  });
}

/** A grant is for one session, one level, and exactly this content. */
function keyOf(t: Tools, { sid, userId }: Asker, level: string, bind: Bind): Promise<string> {
  return t.permanentKey("grant", sid, userId, level, canonicalJson(bind));
}

/** Without the store nothing can be confirmed, and nothing that was counts. */
async function withStore<T>(t: Tools, run: (store: Store) => Promise<T>): Promise<T> {
  try {
    if (t.store === undefined) throw new Error("No store is configured.");
    return await run(t.store);
  } catch (error) {
    if (error instanceof TypeError) throw error;
    const cause = { err: error instanceof Error ? error : new Error(String(error)) };
    throw new SessionUnavailable("What a user confirms is kept in the store, which is away. Try again later.", {
      cause,
    });
  }
}
