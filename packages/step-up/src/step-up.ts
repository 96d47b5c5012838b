import { defineExtension, type Extension, type Handled, handleOf, type OpenedSession } from "@cardea/core/extend";
import { ACTION, stepUpActions } from "./action.ts";
import { type Bind, keepQuestion, requireBind, takeGrant } from "./confirmation.ts";
import {
  isStepUpRequired,
  type NodeRequest,
  type NodeResponse,
  partsOf,
  type RequestParts,
  sendRequired,
  sendUnavailable,
  toResponse,
  unavailable,
} from "./guard.ts";
import { isMet, type Level, type ResolvedLevel, resolveLevels } from "./levels.ts";
import { StepUpRequired } from "./required.ts";

/** A handler of `Request` and `Response`; further arguments are passed on. */
export type FetchHandler<A extends readonly unknown[]> = (request: Request, ...rest: A) => Response | Promise<Response>;

/** A handler of Express. */
export type ExpressHandler<Q extends NodeRequest, S extends NodeResponse> = (
  request: Q,
  response: S,
  next: (error?: unknown) => void,
) => unknown;

/** What of a request is confirmed, for a level with `bind`: the same that the handler carries out. */
export interface GuardOptions<Q> {
  readonly bind?: (request: Q) => Bind | Promise<Bind>;
}

/** For which request a level is required. */
export interface RequireOptions {
  readonly request: RequestParts;
  /** Where the user goes afterwards; default: the page that sent the request, else the home page. */
  readonly callbackUrl?: string | null;
  /** What the user confirms; for a level with `bind`, and only for such a level. Values have to be what JSON holds exactly. */
  readonly bind?: Bind;
}

/** Levels, and what asks for them. List it in `extensions`. */
export interface StepUp<Name extends string> extends Extension {
  /**
   * Requires a level for the session of a request. A grant of a level with `bind` is taken by it: an action that fails afterwards needs
   * another one.
   *
   * @param auth the result of `createAuth`, or its `auth`.
   * @returns the session.
   * @throws StepUpRequired when a fresh proof is missing, or no one is signed in; TypeError for a `bind` that cannot be confirmed;
   *   SessionUnavailable.
   */
  require(auth: Handled, level: Name, o: RequireOptions): Promise<OpenedSession>;
  /**
   * Puts a level in front of a handler. A visit is redirected; everything else gets 401 (RFC 9470 §3).
   *
   * @param o `bind` is given a copy of the request, whose body it may read.
   * @throws TypeError at once, for a level with `bind` and no function for it.
   */
  guard<A extends readonly unknown[]>(
    auth: Handled,
    level: Name,
    handler: FetchHandler<A>,
    o?: GuardOptions<Request>,
  ): FetchHandler<A>;
  /** Puts a level in front of an Express handler. */
  guardExpress<Q extends NodeRequest, S extends NodeResponse>(
    auth: Handled,
    level: Name,
    handler: ExpressHandler<Q, S>,
    o?: GuardOptions<Q>,
  ): ExpressHandler<Q, S>;
}

/** As the browser has it: the origin may be that of a proxy. */
function pathOf({ url }: RequestParts): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** Id of the extension. */
const ID = "step-up";

/** The level that is asked for where something about signing in is changed, if there is one of this name. */
const SETTINGS = "settings";

/**
 * Asks for a fresh proof before an important action (ASVS 7.5.1, 7.5.3). A level `settings` is also required by the other extensions before
 * a user's factors, passwords and sessions are changed.
 *
 * @throws TypeError for a level that cannot be meant.
 */
export function stepUp<const L extends Readonly<Record<string, Level>>>(levels: L): StepUp<keyof L & string> {
  type Name = keyof L & string;
  const resolved = resolveLevels(levels);
  const levelOf = (name: string, hasBind: boolean): ResolvedLevel => {
    const level = resolved.get(name);
    if (level === undefined) throw new TypeError(`There is no level "${name}".`);
    if (level.bind === hasBind) return level;
    throw new TypeError(
      `The level "${name}" ${level.bind ? "needs `bind`: what" : "has no `bind`: nothing"} is confirmed.`,
    );
  };
  const require: StepUp<Name>["require"] = async (auth, name, o) =>
    requireLevel(auth, name, levelOf(name, o.bind !== undefined), o);
  const guard: StepUp<Name>["guard"] = (auth, name, handler, { bind } = {}) => {
    levelOf(name, bind !== undefined);
    return async (request, ...rest) => {
      try {
        const bound = bind === undefined ? {} : { bind: await bind(request.clone()) };
        await require(auth, name, { request, ...backTo(request.method, request), ...bound });
      } catch (error) {
        if (isStepUpRequired(error)) return toResponse(error, request);
        return unavailable(error);
      }
      return handler(request, ...rest);
    };
  };
  const guardExpress: StepUp<Name>["guardExpress"] = (auth, name, handler, { bind } = {}) => {
    levelOf(name, bind !== undefined);
    return async (request, response, next) => {
      try {
        const parts = partsOf(request);
        const bound = bind === undefined ? {} : { bind: await bind(request) };
        await require(auth, name, { request: parts, ...backTo(request.method, parts), ...bound });
      } catch (error) {
        if (isStepUpRequired(error)) sendRequired(error, request, response);
        else if (!sendUnavailable(error, response)) next(error);
        return;
      }
      return handler(request, response, next);
    };
  };
  return { ...createExtension(resolved), require, guard, guardExpress };
}

function createExtension(levels: ReadonlyMap<string, ResolvedLevel>): Extension {
  const settings = levels.get(SETTINGS);
  const binds = [...levels.values()].some(({ bind }) => bind);
  const passkeys = ["getAuthenticator", "listAuthenticatorsByUserId"] as const;
  if (settings?.bind === true)
    throw new TypeError(
      `stepUp(): the level "${SETTINGS}" has \`bind\`; changes of settings have no content that is confirmed.`,
    );
  return defineExtension({
    id: ID,
    needs: { sessionInfo: true, ...(binds ? { store: true as const, adapter: passkeys } : {}) },
    actions: stepUpActions(levels),
    ...(settings === undefined
      ? {}
      : {
          mayChange: async (session, given, { callbackUrl }, t) => {
            const { f = [] } = (await session.facts()) ?? {};
            if (isMet(settings, [...f, ...given], t.now())) return true;
            return { ask: `${ACTION}?${new URLSearchParams({ level: SETTINGS, callbackUrl })}` };
          },
        }),
  });
}

/** A visit is repeated where it was; after everything else the user is back on the page that sent it. */
function backTo(method: string | undefined, request: RequestParts): { readonly callbackUrl?: string } {
  return method === "GET" ? { callbackUrl: pathOf(request) } : {};
}

/**
 * 1. The session is read as it is now, whatever this process remembers of it.
 * 2. What the user confirms is plain data, before anything is asked.
 * 3. A level with `bind`: a grant for exactly this content is taken, once.
 * 4. Any other level: the session holds a fresh proof.
 */
async function requireLevel(
  auth: Handled,
  name: string,
  level: ResolvedLevel,
  { request, bind, callbackUrl = request.headers.get("referer") }: RequireOptions,
): Promise<OpenedSession> {
  const handle = handleOf(auth, ID);
  const session = await handle.session(request, { isFresh: true });
  const { tools: t } = await handle.requestTools(request);
  if (bind !== undefined) requireBind(bind);
  const query = new URLSearchParams({ level: name, ...(callbackUrl ? { callbackUrl } : {}) });
  if (session !== null && bind !== undefined) {
    if (await takeGrant(t, session, name, bind)) return session;
    query.set("confirm", await keepQuestion(t, session, name, bind));
  } else if (session !== null && isMet(level, (await session.facts())?.f ?? [], t.now())) {
    return session;
  }
  throw new StepUpRequired(name, level, `${t.basePath}/${ACTION}?${query}`);
}
