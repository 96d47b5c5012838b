import type { ConfigSource, Session, SessionFirst, SignInArguments, SignOutOptions } from "@cardea/core";
import * as core from "@cardea/core/operations";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { pathWithin } from "./path-within.ts";
import * as web from "./web-request.ts";

/** The result of `createAuth`, for the requests and replies of Fastify. */
export interface FastifyAuth<S = Session> {
  /** All endpoints, at the base path: `app.register(plugin)`. Encapsulated: it does not affect other plugins. */
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
  /** Starts a sign-in, redirects to the provider or without one to the sign-in page, and resolves to the URL. Rejects with AuthError. */
  readonly signIn: (request: FastifyRequest, reply: FastifyReply, ...given: SignInArguments) => Promise<string>;
  /** Ends the session, redirects, and resolves to the URL. Rejects with SignOutError. */
  readonly signOut: (request: FastifyRequest, reply: FastifyReply, options?: SignOutOptions | null) => Promise<string>;
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
 * @throws InvalidConfiguration, MissingSecretError: immediately for a configuration object, with a function on each request.
 */
export function createAuth<S = Session, A = S>(
  config: ConfigSource<S, A> & SessionFirst<S, A>,
): FastifyAuth<Awaited<S>>;
export function createAuth<S>(config: ConfigSource<S>): FastifyAuth<S> {
  const resolve = core.createConfigResolver(config, "/auth");
  const configOf = async (request: FastifyRequest): Promise<core.ResolvedConfig> =>
    resolve(typeof config === "function" ? core.bodilessRequest(web.sentHead(request)) : undefined);
  const operations = core.bindOperations<web.Exchange, S, string>(([request]) => configOf(request), web.port);
  return core.attachHandle<FastifyAuth<S>>(async () => resolve(), {
    plugin: async (scope) => {
      // Core reads the body itself, within its own limit.
      scope.removeAllContentTypeParsers();
      // As hooks pass it on, which may decompress it; not as `request.body`, which hooks log.
      const payloads = new WeakMap<FastifyRequest, core.NodeBody>();
      scope.addContentTypeParser("*", (request, payload, done) => done(null, void payloads.set(request, payload)));
      scope.all(`${pathWithin(scope.prefix, (await resolve()).receivedPath)}/*`, async (request, reply) => {
        const head = web.sentHead(request);
        const body = () => core.nodeBody(payloads.get(request) ?? request.raw, head.headers, request.raw);
        const make = () => core.nodeRequest(head, body);
        const sent = await core.requestInTurn(request.method, make);
        return web.sendResponse(reply, await core.respond(sent, () => configOf(request)));
      });
    },
    guard: async (request, reply) => {
      const guarded = web.toGuardedRequest(request);
      if (guarded === null) return web.sendResponse(reply, core.rejection());
      const answer = await core.guardRequest(() => configOf(request), guarded);
      web.port.setCookies([request, reply], answer);
      if (answer.kind === "deny") return web.sendResponse(reply, answer.response);
      request.auth = answer.session;
    },
    auth: (request, reply) => operations.auth([request, reply]),
    signIn: (request, reply, ...given) => operations.signIn([request, reply], ...given),
    signOut: (request, reply, options) => operations.signOut([request, reply], options),
    unstable_update: (request, reply, data) => operations.unstable_update([request, reply], data),
  });
}
