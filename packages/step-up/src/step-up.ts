import { defineExtension, type Extension, type Handled, handleOf, type OpenedSession } from "@cardea/core/extend";
import { ACTION, stepUpActions } from "./action.ts";
import {
  isStepUpRequired,
  type NodeRequest,
  type NodeResponse,
  partsOf,
  type RequestParts,
  sendRequired,
  toResponse,
} from "./guard.ts";
import { isMet, type Level, resolveLevels } from "./levels.ts";
import { StepUpRequired } from "./required.ts";

/** A handler of `Request` and `Response`; further arguments are passed on. */
export type FetchHandler<A extends readonly unknown[]> = (request: Request, ...rest: A) => Response | Promise<Response>;

/** A handler of Express. */
export type ExpressHandler<Q extends NodeRequest, S extends NodeResponse> = (
  request: Q,
  response: S,
  next: (error?: unknown) => void,
) => unknown;

/** Levels, and what asks for them. List it in `extensions`. */
export interface StepUp<Name extends string> extends Extension {
  /**
   * Requires a level for the session of a request.
   *
   * @param auth the result of `createAuth`, or its `auth`.
   * @param o `callbackUrl`: where the user goes afterwards; default: the page that sent the request, else the home page.
   * @returns the session.
   * @throws StepUpRequired when a fresh proof is missing, or no one is signed in; SessionUnavailable.
   */
  require(
    auth: Handled,
    level: Name,
    o: { readonly request: RequestParts; readonly callbackUrl?: string | null },
  ): Promise<OpenedSession>;
  /** Puts a level in front of a handler. A visit is redirected; everything else gets 401 (RFC 9470 §3). */
  guard<A extends readonly unknown[]>(auth: Handled, level: Name, handler: FetchHandler<A>): FetchHandler<A>;
  /** Puts a level in front of an Express handler. */
  guardExpress<Q extends NodeRequest, S extends NodeResponse>(
    auth: Handled,
    level: Name,
    handler: ExpressHandler<Q, S>,
  ): ExpressHandler<Q, S>;
}

/** As the browser has it: the origin may be that of a proxy. */
function pathOf({ url }: RequestParts): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** Id of the extension. */
const ID = "step-up";

/**
 * Asks for a fresh proof before an important action (ASVS 7.5.1, 7.5.3).
 *
 * @throws TypeError for a level that cannot be meant.
 */
export function stepUp<const L extends Readonly<Record<string, Level>>>(levels: L): StepUp<keyof L & string> {
  type Name = keyof L & string;
  const resolved = resolveLevels(levels);
  const require: StepUp<Name>["require"] = async (
    auth,
    name,
    { request, callbackUrl = request.headers.get("referer") },
  ) => {
    const level = resolved.get(name);
    if (level === undefined) throw new TypeError(`There is no level "${name}".`);
    const handle = handleOf(auth, ID);
    const t = await handle.tools();
    const session = await handle.session(request);
    const proofs = (await session?.facts())?.f ?? [];
    if (session !== null && isMet(level, proofs, t.now())) return session;
    const query = new URLSearchParams({ level: name, ...(callbackUrl ? { callbackUrl } : {}) });
    throw new StepUpRequired(name, level, `${t.basePath}/${ACTION}?${query}`);
  };
  const guard: StepUp<Name>["guard"] =
    (auth, name, handler) =>
    async (request, ...rest) => {
      try {
        await require(auth, name, request.method === "GET" ? { request, callbackUrl: pathOf(request) } : { request });
      } catch (error) {
        if (isStepUpRequired(error)) return toResponse(error, request);
        throw error;
      }
      return handler(request, ...rest);
    };
  const guardExpress: StepUp<Name>["guardExpress"] = (auth, name, handler) => async (request, response, next) => {
    try {
      const parts = partsOf(request);
      await require(auth, name, request.method === "GET"
        ? { request: parts, callbackUrl: pathOf(parts) }
        : { request: parts });
    } catch (error) {
      if (isStepUpRequired(error)) sendRequired(error, request, response);
      else next(error);
      return;
    }
    return handler(request, response, next);
  };
  const extension = defineExtension({ id: ID, needs: { sessionInfo: true }, actions: stepUpActions(resolved) });
  return { ...extension, require, guard, guardExpress };
}
