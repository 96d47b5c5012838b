import type { OpenedSession, SessionOrigin, Tools } from "@cardea/core/extend";
import type { KnownEnds } from "./known-ends.ts";

/** What the ends of a session at its provider are found by. */
export interface ProviderKeys {
  /** The provider's session, and the same with its account: a logout token may name both, and both must match then. */
  readonly ends: readonly string[];
  /** The account. */
  readonly account: string;
  /** How often the provider had signed the account out when the session was made. */
  readonly e: number;
}

/** More sessions than a process reads at the same time; the one that was looked for first goes first. */
const MAX_KNOWN = 20_000;

const known = new WeakMap<object, Map<string, ProviderKeys | null>>();

/** The key of a session at a provider, of an account, or of both: no name is in it. */
export function providerKey({ digest }: Pick<Tools, "digest">, iss: string, sub: string | null, sid: string | null) {
  return digest(JSON.stringify([iss, sub, sid]));
}

/** The keys of an account and its session at a provider; null for what came from no issuer. */
async function keysOfOrigin(t: Pick<Tools, "digest">, origin: SessionOrigin | undefined): Promise<ProviderKeys | null> {
  if (origin?.iss === undefined) return null;
  const { iss, sub, sid, e = 0 } = origin;
  const account = await providerKey(t, iss, sub, null);
  const ends =
    sid === undefined ? [] : await Promise.all([providerKey(t, iss, null, sid), providerKey(t, iss, sub, sid)]);
  return { ends, account, e };
}

/** The keys of a session: remembered, so that only the first read of a session in a process waits for them. */
export function keysOfSession(t: Tools, session: OpenedSession): ProviderKeys | null | Promise<ProviderKeys | null> {
  const sessions = known.get(t.application) ?? new Map<string, ProviderKeys | null>();
  known.set(t.application, sessions);
  const found = sessions.get(session.sid);
  if (found !== undefined) return found;
  return session.facts().then(async (facts) => {
    const keys = await keysOfOrigin(t, facts?.idp);
    // A session from before there were extensions gets its facts at its next renewal.
    if (facts === null) return keys;
    sessions.set(session.sid, keys);
    const [oldest] = sessions.size > MAX_KNOWN ? sessions.keys() : [];
    if (oldest !== undefined) sessions.delete(oldest);
    return keys;
  });
}

/** Why a provider ended a session; undefined where it did not. */
export function whyOfProvider(ends: KnownEnds, keys: ProviderKeys | null): string | undefined {
  if (keys === null) return undefined;
  const why = keys.ends.map((key) => ends.why("idp", key)).find((one) => one !== undefined);
  return why ?? (keys.e < ends.count("idp", keys.account) ? "provider" : undefined);
}
