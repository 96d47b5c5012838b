import {
  AccessDenied,
  type ApplicationHandle,
  type NodeRequest,
  type OpenedSession,
  type OperationRequest,
  partsOf,
  type RequestTools,
  type Tools,
} from "@cardea/extend";
import { accountHome, accountsOf, keepingOf, sessionHome } from "./accounts.ts";
import { accountInCookie, cookieHome } from "./cookie-home.ts";
import type { AccountKey, Home } from "./home.ts";
import { resolveSettings, type Settings } from "./settings.ts";

/** The owner of the tokens: the user of a request, or a user by id. */
export type TokenOwner =
  | {
      /**
       * The request of the user: a `Request`, its URL and headers, or a Node.js or Express request. Default in Next.js:
       * the current request. Required elsewhere.
       */
      readonly request?: OperationRequest | NodeRequest | undefined;
      /** Response headers, for applications with neither a database nor a store: new tokens are set as cookies. */
      readonly headers?: Headers | undefined;
      /** Selects one of several accounts at the provider. */
      readonly accountId?: string | undefined;
    }
  | {
      /** The user's id, for background jobs. */
      readonly userId: string;
      /** Selects one of several accounts at the provider. */
      readonly accountId?: string | undefined;
    };

/** The resolved context of a call. */
export interface Found {
  readonly t: Tools;
  readonly settings: Settings;
  /** Null if the user has no such account. */
  readonly home: Home | null;
  /** Base URL of the actions; undefined without a request. */
  readonly baseUrl: string | undefined;
  /** Must be called when the work is done. */
  readonly finish: () => void;
}

const DEFAULTS = resolveSettings({});

/** The settings of the configured extension. A cast: those of `vault()`. */
export function findSettings(t: Tools): Settings {
  return (t.settings as Settings | undefined) ?? DEFAULTS;
}

/**
 * Finds the location of the tokens.
 *
 * @throws AccessDenied if no one is signed in; SessionUnavailable; TypeError if there are several accounts and none was
 * selected, or unless exactly one of request and user id is given.
 */
export async function findHome(handle: ApplicationHandle, provider: string, owner: TokenOwner): Promise<Found> {
  if ("userId" in owner) {
    // The session of a request determines whose tokens may be used; a user id would override that.
    if ("request" in owner || !owner.userId) {
      throw new TypeError("vault: pass either `request` or, in a background job, `userId`.");
    }
    return findForUser(await handle.tools(), provider, owner);
  }
  const request = owner.request === undefined ? await handle.current?.read() : partsOf(owner.request);
  if (request === undefined) {
    throw new TypeError("vault: pass either `request` or, in a background job, `userId`.");
  }
  const session = await handle.session(request);
  if (session === null) throw new AccessDenied("No one is signed in, so there are no tokens.");
  const { tools: t, addCookies } = await handle.requestTools(request);
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
    throw new TypeError("vault: without a database, tokens belong to a session. Pass `request`.");
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
    // Without a database, the user id of a session identifies the account: `<provider>|<id>` (decisions/006).
    const account = session.userId.slice(provider.length + 1);
    const isIt = origin?.provider === provider && (accountId === undefined || accountId === account);
    return isIt ? sessionHome(t, session.sid, { provider, account }) : null;
  }
  const from = origin?.provider === provider ? origin.sub : undefined;
  const key = choose(await accountsOf(t, session.userId, provider, from), accountId, from);
  return key === null ? null : accountHome(t, key, findSettings(t));
}

/** The requested account, otherwise the one the session came from, otherwise the only one. */
function choose(keys: readonly AccountKey[], asked: string | undefined, origin: string | undefined): AccountKey | null {
  if (asked !== undefined) return keys.find(({ account }) => account === asked) ?? null;
  const [first, second] = keys;
  if (second === undefined) return first ?? null;
  const own = keys.find(({ account }) => account === origin);
  if (own !== undefined) return own;
  throw new TypeError(
    `vault: the user has ${keys.length} accounts at "${second.provider}". Select one with \`accountId\`.`,
  );
}
