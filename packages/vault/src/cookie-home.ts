import type { RequestTools } from "@cardea/extend";
import type { AccountKey, Home, Reading } from "./home.ts";
import { parseTokens } from "./store-home.ts";
import { type KeptTokens, NO_TOKENS } from "./tokens.ts";

/** A cookie holds 4096 bytes; encryption adds a little more than a third (RFC 6265 §6.1). */
const PART = 2300;
const MAX_PARTS = 6;

/**
 * How long the successor of a set of tokens is remembered, because a browser may send several requests with the same
 * cookie.
 */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 1000;

/** Successors by hash of the cookie content, by application. */
const successors = new WeakMap<object, Map<string, { readonly text: string; readonly at: number }>>();

/**
 * Tokens in encrypted browser cookies, for an application with neither a database nor a store. They are refreshed only
 * if a cookie can be set. Servers cannot see each other's refreshes.
 */
export function cookieHome(t: RequestTools, sid: string, key: AccountKey, canWrite: boolean): Home {
  const swap = async ({ text }: Reading, next: KeptTokens): Promise<boolean> => {
    const written = JSON.stringify({ ...next, sid, ...key });
    const now = await readNow(t, sid);
    if (text !== null && now !== text) return false;
    await writeParts(t, written);
    if (text !== null) await remember(t, text, written);
    return true;
  };
  const read = async (): Promise<Reading> => {
    const text = await readNow(t, sid);
    if (text === null || !isOf(text, key)) return { tokens: NO_TOKENS, text: null };
    return { tokens: parseTokens(text), text };
  };
  return { name: JSON.stringify(["cookie", sid]), key, isReadOnly: !canWrite, read, swap };
}

/** The account whose tokens are in the cookies; null if none. */
export async function accountInCookie(t: RequestTools, sid: string): Promise<AccountKey | null> {
  const text = await readNow(t, sid);
  const { provider, account }: Record<string, unknown> = text === null ? {} : Object(JSON.parse(text));
  return typeof provider === "string" && typeof account === "string" ? { provider, account } : null;
}

/** Extends the lifetime of the cookies of a session, if it has any. */
export async function prolongCookies(t: RequestTools, sid: string): Promise<void> {
  const text = await readNow(t, sid);
  if (text !== null) await writeParts(t, text);
}

/** Clears the cookies of the vault. */
export function clearCookies(t: RequestTools): void {
  for (let n = 0; n < MAX_PARTS; n++) t.cookies.clear(`vault.${n}`);
}

/** The content of the cookies, or its successor; null unless it belongs to this session. */
async function readNow(t: RequestTools, sid: string): Promise<string | null> {
  let text = await readParts(t);
  const known = successors.get(t.application);
  for (let n = 0; text !== null && n < 10; n++) {
    const next = known?.get(await t.digest(text));
    if (next === undefined || Date.now() - next.at > REMEMBERED_MS) break;
    text = next.text;
  }
  return text !== null && Object(JSON.parse(text)).sid === sid ? text : null;
}

async function readParts(t: RequestTools): Promise<string | null> {
  const parts: string[] = [];
  const first = await t.cookies.read("vault.0");
  if (first === null) return null;
  for (let n = 0; n < MAX_PARTS && n < Number(first.of); n++) {
    const part = n === 0 ? first : await t.cookies.read(`vault.${n}`);
    if (part?.set !== first.set || part?.text === undefined) return null;
    parts.push(part.text);
  }
  return parts.join("");
}

async function writeParts(t: RequestTools, text: string): Promise<void> {
  const parts = Array.from({ length: Math.ceil(text.length / PART) }, (_, n) => text.slice(n * PART, (n + 1) * PART));
  if (parts.length > MAX_PARTS) {
    throw new TypeError("vault: the tokens are too long for cookies. Configure a `store` (docs/stores.md).");
  }
  const set = t.randomId();
  for (const [n, part] of parts.entries()) {
    await t.cookies.write(`vault.${n}`, { text: part, of: String(parts.length), set }, t.sessionLife);
  }
  for (let n = parts.length; n < MAX_PARTS; n++) t.cookies.clear(`vault.${n}`);
}

async function remember(t: RequestTools, before: string, text: string): Promise<void> {
  const known = successors.get(t.application) ?? new Map();
  successors.set(t.application, known);
  const now = Date.now();
  for (const [hash, { at }] of known) {
    if (now - at <= REMEMBERED_MS && known.size < MAX_REMEMBERED) break;
    known.delete(hash);
  }
  known.set(await t.digest(before), { text, at: now });
}

function isOf(text: string, key: AccountKey): boolean {
  const { provider, account }: Record<string, unknown> = Object(JSON.parse(text));
  return provider === key.provider && account === key.account;
}
