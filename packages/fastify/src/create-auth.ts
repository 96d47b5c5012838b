import type { AuthorizationParams, ConfigSource, Session, SessionFirst, SignInOptions } from "@cardea/core";
import { InvalidConfiguration } from "@cardea/core/errors";
import {
  addNodeCookies,
  attachHandle,
  type Cookie,
  createConfigResolver,
  guardRequest,
  type ResolvedConfig,
  readSession,
  refusal,
  respond,
  signOut,
  startSignIn,
  toFields,
  updateSession,
} from "@cardea/core/operations";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { readTarget } from "./request-target.ts";
import { originOf, sendResponse, toHeaders, toNodeAnswer, toToldRequest, toWebRequest } from "./web-request.ts";

/** The result of `createAuth`, for the requests and replies of Fastify. */
export interface FastifyAuth<S = Session> {
  /** All endpoints, at the base path: `app.register(plugin)`. Encapsulated: it changes nothing outside of itself. */
  readonly plugin: FastifyPluginAsync;
  /**
   * A hook: `app.addHook("onRequest", guard)` for all routes of a plugin, or the option `onRequest` of one route. Sets
   * `request.auth` and renews the session when due. The request continues if `callbacks.authorized` allows it;
   * otherwise browsers are redirected to the sign-in page and API clients get 401.
   */
  readonly guard: onRequestAsyncHookHandler;
  /**
   * Resolves to the session of a request, or null. Rejects with `SessionUnavailable` if it cannot be read.
   *
   * @param reply if given and not yet sent, the session is renewed when due.
   */
  readonly auth: (request: FastifyRequest, reply?: FastifyReply) => Promise<S | null>;
  /** Starts a sign-in, redirects, and resolves to the URL. Without a provider: to the sign-in page. Rejects with AuthError. */
  readonly signIn: (
    request: FastifyRequest,
    reply: FastifyReply,
    provider?: string,
    options?: FormData | SignInOptions,
    authorizationParams?: AuthorizationParams,
  ) => Promise<string>;
  /** Ends the session, redirects, and resolves to the URL. Rejects with SignOutError. */
  readonly signOut: (
    request: FastifyRequest,
    reply: FastifyReply,
    options?: Pick<SignInOptions, "redirectTo" | "redirect">,
  ) => Promise<string>;
  /** Changes the session and resolves to it. Unstable (docs/configuration.md). */
  readonly unstable_update: (request: FastifyRequest, reply: FastifyReply, data: unknown) => Promise<S | null>;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The session, set by `guard` of `@cardea/fastify`. */
    auth?: Session | null;
  }
}

/**
 * Sets up authentication for a Fastify application.
 *
 * @param config a configuration, or a function that returns one for a request.
 * @throws InvalidConfiguration, MissingSecretError immediately for a configuration object; for a function, at the request.
 */
export function createAuth<S = Session, A = S>(
  config: ConfigSource<S, A> & SessionFirst<S, A>,
): FastifyAuth<Awaited<S>>;
export function createAuth<S>(config: ConfigSource<S>): FastifyAuth<S> {
  const resolve = createConfigResolver(config, "/auth");
  const headOf = (request: FastifyRequest) => ({ url: `${originOf(request)}/`, headers: toHeaders(request) });
  const configOf = async (request: FastifyRequest): Promise<ResolvedConfig> =>
    resolve(typeof config === "function" ? toToldRequest(request) : undefined);
  return attachHandle<FastifyAuth<S>>(async () => resolve(), {
    plugin: async (scope) => {
      // The body is core's to read, within its own limit.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
      scope.all(`${pathWithin(scope.prefix, (await resolve()).basePath)}/*`, async (request, reply) =>
        sendResponse(reply, await respond(toWebRequest(request, reply), () => configOf(request))),
      );
    },
    guard: async (request, reply) => {
      const target = readTarget(request);
      if (target === null) return sendResponse(reply, refusal());
      const { sent, routed, query } = target;
      const { method } = request;
      const url = `${originOf(request)}/${query}`;
      const guarded = { url, method, headers: toHeaders(request), sent, routed };
      const answer = await guardRequest(() => configOf(request), guarded);
      addNodeCookies(toNodeAnswer(reply), answer.cookies);
      if (answer.kind === "deny") return sendResponse(reply, answer.response);
      request.auth = answer.session;
    },
    auth: async (request, reply) => {
      const mode = reply === undefined || reply.sent ? "look" : "renew";
      const { session, cookies } = await readSession(await configOf(request), headOf(request), mode);
      if (reply?.sent === false) addNodeCookies(toNodeAnswer(reply), cookies);
      return assumeSession<S>(session);
    },
    signIn: async (request, reply, provider, options, params) => {
      const fields = toFields(options);
      const begun = await startSignIn(await configOf(request), headOf(request), provider, fields, params);
      return leave(reply, begun, fields.get("redirect") !== false);
    },
    signOut: async (request, reply, { redirectTo, redirect = true } = {}) =>
      leave(reply, await signOut(await configOf(request), headOf(request), redirectTo), redirect),
    unstable_update: async (request, reply, data) => {
      const { session, cookies } = await updateSession(await configOf(request), headOf(request), data);
      addNodeCookies(toNodeAnswer(reply), cookies);
      return assumeSession<S>(session);
    },
  });
}

/** The base path, without what the plugin's own registration puts before it. */
function pathWithin(prefix: string, basePath: string): string {
  if (`${basePath}/`.startsWith(`${prefix}/`)) return basePath.slice(prefix.length);
  throw new InvalidConfiguration(
    `The plugin is registered below ${prefix}, but \`basePath\` is ${basePath || "/"}. Set \`basePath\` to a path below ${prefix}.`,
  );
}

function leave(reply: FastifyReply, to: { url: string; cookies: readonly Cookie[] }, redirect: boolean): string {
  addNodeCookies(toNodeAnswer(reply), to.cookies);
  if (redirect) reply.redirect(to.url, 302);
  return to.url;
}

/** The return value of `callbacks.session` has its type; without the callback it is `Session`. */
function assumeSession<S>(session: Session | null): S | null {
  return session as S | null;
}
