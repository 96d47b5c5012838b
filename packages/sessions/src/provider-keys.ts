import type { OpenedSession, SessionOrigin, Tools } from "@cardea/extend";
import type { KnownEnds } from "./known-ends.ts";

/** Keys for looking up whether a provider ended a session. */
export interface ProviderKeys {
  /** The provider session, and the provider session with the account: if a logout token names both, both must match. */
  readonly ends: readonly string[];
  /** The account. */
  readonly account: string;
  /** How often the provider had signed the account out when the session was created. */
  readonly e: number;
}

/** More sessions than a process reads at the same time; the oldest entry is dropped first. */
const MAX_KNOWN = 20_000;

const known = new WeakMap<object, Map<string, ProviderKeys | null>>();

/** The key of a provider session, an account, or both. Hashed, so that it contains no id. */
export function providerKey({ digest }: Pick<Tools, "digest">, iss: string, sub: string | null, sid: string | null) {
  return digest(JSON.stringify([iss, sub, sid]));
}

/** The keys of an account and its provider session; null if the sign-in has no issuer. */
async function keysOfOrigin(t: Pick<Tools, "digest">, origin: SessionOrigin | undefined): Promise<ProviderKeys | null> {
  if (origin?.iss === undefined) return null;
  const { iss, sub, sid, e = 0 } = origin;
  const account = await providerKey(t, iss, sub, null);
  const ends =
    sid === undefined ? [] : await Promise.all([providerKey(t, iss, null, sid), providerKey(t, iss, sub, sid)]);
  return { ends, account, e };
}

/** The keys of a session. Cached, so that only the first read of a session in a process waits for them. */
export function keysOfSession(t: Tools, session: OpenedSession): ProviderKeys | null | Promise<ProviderKeys | null> {
  const sessions = known.get(t.application) ?? new Map<string, ProviderKeys | null>();
  known.set(t.application, sessions);
  const found = sessions.get(session.sid);
  if (found !== undefined) return found;
  return session.facts().then(async (facts) => {
    const keys = await keysOfOrigin(t, facts?.idp);
    // A session that predates the extensions gets its facts at its next renewal. The record of one in the database may not be seen yet, or
    // be that of the token that is just replacing this one: it has no proofs then.
    if (facts === null || facts.f.length === 0) return keys;
    sessions.set(session.sid, keys);
    const [oldest] = sessions.size > MAX_KNOWN ? sessions.keys() : [];
    if (oldest !== undefined) sessions.delete(oldest);
    return keys;
  });
}

/** Why a provider ended a session; undefined if it did not. */
export function whyOfProvider(ends: KnownEnds, keys: ProviderKeys | null): string | undefined {
  if (keys === null) return undefined;
  const why = keys.ends.map((key) => ends.why("idp", key)).find((one) => one !== undefined);
  return why ?? (keys.e < ends.count("idp", keys.account) ? "provider" : undefined);
}
