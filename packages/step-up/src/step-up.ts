import {
  checkOptions,
  defineExtension,
  type Extension,
  type Handled,
  handleOf,
  type NodeRequest,
  type OpenedSession,
  type OperationRequest,
  optionRules,
  partsOf,
} from "@cardea/extend";
import { ACTION, stepUpActions } from "./action.ts";
import { type Bind, bindOf, keepQuestion, requireBind, takeGrant } from "./confirmation.ts";
import { failed, isStepUpRequired, type NodeResponse, sendFailed, sendRequired, toResponse } from "./guard.ts";
import { isMet, type Level, mayAdd, type ResolvedLevel, resolveLevels } from "./levels.ts";
import { methodsOf } from "./methods.ts";
import { StepUpRequired } from "./required.ts";
import { type StepUpTexts, TEXTS } from "./texts.ts";

/** A Fetch API handler. Additional arguments are passed through. */
export type FetchHandler<A extends readonly unknown[]> = (request: Request, ...rest: A) => Response | Promise<Response>;

/** An Express handler. */
export type ExpressHandler<Q extends NodeRequest, S extends NodeResponse> = (
  request: Q,
  response: S,
  next: (error?: unknown) => void,
) => unknown;

/** Options of `guard`, for a level with `bind`. */
export interface GuardOptions<Q> {
  /** Returns the content that the user confirms, read from the request. It must be what the handler carries out. */
  readonly bind?: (request: Q) => Bind | Promise<Bind>;
}

/** Options of `require`. */
export interface RequireOptions {
  /** The request. Default in Next.js: the current request. Required elsewhere. */
  readonly request?: OperationRequest;
  /** Where the user is redirected afterwards; default: the page that sent the request, otherwise the home page. */
  readonly callbackUrl?: string | null;
  /** The content that the user confirms; only for levels with `bind`. JSON must represent the values exactly. */
  readonly bind?: Bind;
}

/** Options of `stepUp()`. */
export interface StepUpOptions {
  /** Texts of the page; default: English. */
  readonly texts?: Partial<StepUpTexts>;
}

/** The step-up extension. Add it to `extensions`. */
export interface StepUp<Name extends string> extends Extension {
  /**
   * Requires a level for the session of a request. With `bind`, this consumes the grant; an action that fails
   * afterwards needs a new confirmation.
   *
   * @param auth The result of `createAuth`, or its `auth`.
   * @returns The session.
   * @throws StepUpRequired if a recent proof is missing or no user is signed in; in Next.js without `o.request`, the
   * user is redirected instead. TypeError for a `bind` that cannot be confirmed, or without a request;
   * SessionUnavailable.
   */
  require(auth: Handled, level: Name, o?: RequireOptions): Promise<OpenedSession>;
  /**
   * Wraps a handler so that it requires a level. Page visits are redirected; other requests receive 401 (RFC 9470 §3).
   *
   * @param o `bind` receives a copy of the request, whose body it may read. Content that is not JSON, or that cannot be confirmed, is
   * answered with 400.
   * @throws TypeError immediately, for a level with `bind` without a `bind` function.
   */
  guard<A extends readonly unknown[]>(
    auth: Handled,
    level: Name,
    handler: FetchHandler<A>,
    o?: GuardOptions<Request>,
  ): FetchHandler<A>;
  /** Wraps an Express handler so that it requires a level. */
  guardExpress<Q extends NodeRequest, S extends NodeResponse>(
    auth: Handled,
    level: Name,
    handler: ExpressHandler<Q, S>,
    o?: GuardOptions<Q>,
  ): ExpressHandler<Q, S>;
}

/** Only path and query, because the origin may be that of a proxy. */
function pathOf({ url }: OperationRequest): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** Id of the extension. */
const ID = "step-up";

/** The level required for changes of sign-in settings, if a level with this name is configured. */
const SETTINGS = "settings";

/**
 * Requires a recent proof before sensitive actions (ASVS 7.5.1, 7.5.3). The other extensions also require a level named
 * `settings` before a user's factors, passwords or sessions are changed.
 *
 * @throws TypeError for an invalid level or option.
 */
export function stepUp<const L extends Readonly<Record<string, Level>>>(
  levels: L,
  options: StepUpOptions = {},
): StepUp<keyof L & string> {
  type Name = keyof L & string;
  const resolved = resolveLevels(levels);
  checkOptions("stepUp()", options, { texts: optionRules.object });
  const texts = { ...TEXTS, ...options.texts };
  const levelOf = (name: string, hasBind: boolean): ResolvedLevel => {
    const level = resolved.get(name);
    if (level === undefined) throw new TypeError(`Unknown level "${name}".`);
    if (level.bind === hasBind) return level;
    throw new TypeError(
      `The level "${name}" ${level.bind ? "requires" : "does not accept"} \`bind\`, the content to confirm.`,
    );
  };
  const require: StepUp<Name>["require"] = async (auth, name, { bind, ...o } = {}) => {
    const level = levelOf(name, bind !== undefined);
    if (bind !== undefined) requireBind(bind);
    return requireLevel(auth, name, level, bind === undefined ? o : { ...o, read: () => bind });
  };
  const guard: StepUp<Name>["guard"] = (auth, name, handler, { bind } = {}) => {
    const level = levelOf(name, bind !== undefined);
    return async (request, ...rest) => {
      try {
        const bound = bind === undefined ? {} : { read: () => bindOf(() => bind(request.clone())) };
        await requireLevel(auth, name, level, { request, ...backTo(request.method, request), ...bound });
      } catch (error) {
        if (isStepUpRequired(error)) return toResponse(error, request);
        return failed(error);
      }
      return handler(request, ...rest);
    };
  };
  const guardExpress: StepUp<Name>["guardExpress"] = (auth, name, handler, { bind } = {}) => {
    const level = levelOf(name, bind !== undefined);
    return async (request, response, next) => {
      try {
        const parts = partsOf(request);
        const bound = bind === undefined ? {} : { read: () => bindOf(() => bind(request)) };
        await requireLevel(auth, name, level, { request: parts, ...backTo(request.method, parts), ...bound });
      } catch (error) {
        if (isStepUpRequired(error)) sendRequired(error, request, response);
        else if (!sendFailed(error, response)) next(error);
        return;
      }
      return handler(request, response, next);
    };
  };
  return { ...createExtension(resolved, texts), require, guard, guardExpress };
}

function createExtension(levels: ReadonlyMap<string, ResolvedLevel>, texts: StepUpTexts): Extension {
  const settings = levels.get(SETTINGS);
  const binds = [...levels.values()].some(({ bind }) => bind);
  const passkeys = ["getAuthenticator", "listAuthenticatorsByUserId"] as const;
  if (settings?.bind === true)
    throw new TypeError(
      `stepUp(): the level "${SETTINGS}" has \`bind\`; changes of settings have no content to confirm.`,
    );
  return defineExtension({
    id: ID,
    needs: { sessionInfo: true, ...(binds ? { store: true as const, adapter: passkeys } : {}) },
    actions: stepUpActions(levels, texts),
    mayChange: async (session, given, { callbackUrl, adds: added }, t) => {
      // A factor or an address needs the proofs of the level, as any change.
      const adds = added === "factor" || added === "address" ? undefined : added;
      if (settings === undefined && adds === undefined) return true;
      const facts = await session.facts();
      const proofs = [...(facts?.f ?? []), ...given];
      const mayNow = adds === undefined ? false : mayAdd(settings, session.at, proofs, t.now());
      if (mayNow || (settings !== undefined && isMet(settings, proofs, t.now()))) return true;
      const prover = { userId: session.userId, callbackUrl, hasProvider: facts?.idp?.iss !== undefined };
      const canProve =
        settings !== undefined && (adds === undefined || (await methodsOf(settings, t, prover)).length > 0);
      return canProve && { ask: `${ACTION}?${new URLSearchParams({ level: SETTINGS, callbackUrl })}` };
    },
  });
}

/** A page visit is repeated; after any other request, the user returns to the page that sent it. */
function backTo(method: string | undefined, request: OperationRequest): { readonly callbackUrl?: string } {
  return method === "GET" ? { callbackUrl: pathOf(request) } : {};
}

/** What {@link requireLevel} needs besides the level. */
interface Required extends Omit<RequireOptions, "bind"> {
  /** Reads the content to confirm; called if there is a session. */
  readonly read?: () => Bind | Promise<Bind>;
}

/**
 * 1. The session is read from its source, not from a cache.
 * 2. The content to confirm is read and validated before any prompt, and without a session not at all.
 * 3. A level with `bind`: a grant for exactly this content is consumed.
 * 4. Any other level: the session has a recent proof.
 */
async function requireLevel(
  auth: Handled,
  name: string,
  level: ResolvedLevel,
  { request: given, read, ...o }: Required,
): Promise<OpenedSession> {
  const handle = handleOf(auth, ID);
  const request = given ?? (await handle.current?.read());
  if (request === undefined) throw new TypeError("stepUp().require(): `request` is missing.");
  const { callbackUrl = request.headers.get("referer") } = o;
  const session = await handle.session(request, { isFresh: true });
  const { tools: t } = await handle.requestTools(request);
  const bind = session === null ? undefined : await read?.();
  const query = new URLSearchParams({ level: name, ...(callbackUrl ? { callbackUrl } : {}) });
  if (session !== null && bind !== undefined) {
    if (await takeGrant(t, session, name, bind)) return session;
    query.set("confirm", await keepQuestion(t, session, name, bind));
  } else if (session !== null && isMet(level, (await session.facts())?.f ?? [], t.now())) {
    return session;
  }
  const url = `${t.basePath}/${ACTION}?${query}`;
  // Absolute, because a framework may prefix a path.
  if (given === undefined) await handle.current?.redirect(new URL(url, t.origin).href);
  throw new StepUpRequired(name, level, url);
}
