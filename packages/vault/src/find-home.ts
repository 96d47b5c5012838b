import {
  AccessDenied,
  type ApplicationHandle,
  type OpenedSession,
  type OperationRequest,
  type RequestTools,
  type Tools,
} from "@cardea/core/extend";
import { accountHome, accountsOf, keepingOf, sessionHome } from "./accounts.ts";
import { accountInCookie, cookieHome } from "./cookie-home.ts";
import type { AccountKey, Home } from "./home.ts";
import { resolveSettings, type Settings } from "./settings.ts";

/** Whose tokens: those of the user of a request, or of any user. */
export type TokenOwner =
  | {
      /** The request whose user is meant. */
      readonly request: OperationRequest;
      /** Headers of the answer, for applications without a database and a store: new tokens are set as cookies there. */
      readonly headers?: Headers | undefined;
      /** Which of several accounts at the provider. */
      readonly accountId?: string | undefined;
    }
  | {
      /** For background jobs: the user. */
      readonly userId: string;
      /** Which of several accounts at the provider. */
      readonly accountId?: string | undefined;
    };

/** What a call works with. */
export interface Found {
  readonly t: Tools;
  readonly settings: Settings;
  /** Null when the user has no such account. */
  readonly home: Home | null;
  /** Base URL of the actions; undefined without a request. */
  readonly baseUrl: string | undefined;
  /** To be called when the work is done. */
  readonly finish: () => void;
}

const settingsOf = new WeakMap<object, Settings>();
const DEFAULTS = resolveSettings({});

/** Remembers what an extension was made with. */
export function rememberSettings<E extends object>(extension: E, settings: Settings): E {
  settingsOf.set(extension, settings);
  return extension;
}

/** The settings of the configured extension. */
export function findSettings(t: Tools): Settings {
  return settingsOf.get(t.extension) ?? DEFAULTS;
}

/**
 * Finds where the tokens are.
 *
 * @throws AccessDenied when no one is signed in; SessionUnavailable; TypeError when there are several accounts and none was chosen, or
 *   when both a request and a user are named, or neither.
 */
export async function findHome(handle: ApplicationHandle, provider: string, owner: TokenOwner): Promise<Found> {
  if ("userId" in owner) {
    // A request decides by its session whose tokens it may have; a user id beside it would replace that.
    if ("request" in owner || !owner.userId) {
      throw new TypeError("vault: name either the `request`, or the `userId` of a user for a background job.");
    }
    return findForUser(await handle.tools(), provider, owner);
  }
  const session = await handle.session(owner.request);
  if (session === null) throw new AccessDenied("No one is signed in, so that there are no tokens.");
  const { tools: t, addCookies } = await handle.requestTools(owner.request);
  const home = await homeOfSession(t, provider, session, owner);
  const { headers } = owner;
  return {
    t,
    settings: findSettings(t),
    home,
    baseUrl: t.baseUrl,
    finish: () => {
      if (headers !== undefined) addCookies(headers);
    },
  };
}

async function findForUser(
  t: Tools,
  provider: string,
  { userId, accountId }: Extract<TokenOwner, { userId: string }>,
): Promise<Found> {
  const keeping = keepingOf(t);
  if (keeping === "cookie" || keeping === "session-store") {
    throw new TypeError("vault: without a database the tokens belong to a session. Name the `request`.");
  }
  const key = choose(await accountsOf(t, String(userId), provider), accountId, undefined);
  const settings = findSettings(t);
  const home = key === null ? null : accountHome(t, key, settings);
  return { t, settings, home, baseUrl: undefined, finish: () => undefined };
}

async function homeOfSession(
  t: RequestTools,
  provider: string,
  session: OpenedSession,
  { accountId, headers }: { readonly accountId?: string | undefined; readonly headers?: Headers | undefined },
): Promise<Home | null> {
  const keeping = keepingOf(t);
  if (keeping === "cookie") {
    const key = await accountInCookie(t, session.sid);
    const isIt = key?.provider === provider && (accountId === undefined || accountId === key.account);
    return key !== null && isIt ? cookieHome(t, session.sid, key, headers !== undefined) : null;
  }
  const origin = (await session.facts())?.idp;
  if (keeping === "session-store") {
    // The user's id of a session without a database names the account: `<provider>|<id>` (decisions/006).
    const account = session.userId.slice(provider.length + 1);
    const isIt = origin?.provider === provider && (accountId === undefined || accountId === account);
    return isIt ? sessionHome(t, session.sid, { provider, account }) : null;
  }
  const from = origin?.provider === provider ? origin.sub : undefined;
  const key = choose(await accountsOf(t, session.userId, provider, from), accountId, from);
  return key === null ? null : accountHome(t, key, findSettings(t));
}

/** An id that was asked for, else the account that the session came from, else the only one. */
function choose(keys: readonly AccountKey[], asked: string | undefined, origin: string | undefined): AccountKey | null {
  if (asked !== undefined) return keys.find(({ account }) => account === asked) ?? null;
  const [first, second] = keys;
  if (second === undefined) return first ?? null;
  const own = keys.find(({ account }) => account === origin);
  if (own !== undefined) return own;
  throw new TypeError(
    `vault: the user has ${keys.length} accounts at "${second.provider}". Name one as \`accountId\`.`,
  );
}
