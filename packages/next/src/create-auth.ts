import type { AuthorizationParams, Session, SessionFirst, SignInContext } from "@cardea/core";
import {
  attachHandle,
  createConfigResolver,
  errorUrl,
  respond,
  signOut,
  startSignIn,
  updateSession,
} from "@cardea/core/operations";
import type { NextRequest } from "next/server.js";
import { strippedPathOf } from "./app-path.ts";
import { assume } from "./assume.ts";
import { createAuthFunction } from "./auth-function.ts";
import { createResolver } from "./create-resolver.ts";
import { currentRequest, redirectTo, setCookies } from "./server-request.ts";
import type { NextAuth, NextConfigSource, Redirected, SignInOptions, SignOutOptions } from "./types.ts";
import { watchRoute } from "./watch-route.ts";

/**
 * Sets up authentication for a Next.js application.
 *
 * @param config a configuration, or a function that returns one for a request.
 * @throws InvalidConfiguration, MissingSecretError: immediately for a configuration object, with a function on each request. In an
 *   application that is being built, where secrets may be missing, on the first request. InvalidConfiguration in a browser.
 */
export function createAuth<S = Session, A = S>(
  config: NextConfigSource<S, A> & SessionFirst<S, A>,
): NextAuth<Awaited<S>>;
export function createAuth<S>(config: NextConfigSource<S>): NextAuth<S> {
  const { source, resolve } = createResolver(createConfigResolver, config);
  const watch = watchRoute();
  const handle = async (request: NextRequest) => {
    const strippedPath = strippedPathOf(request);
    // A function is called by `respond`, once.
    if (typeof source !== "function") watch(await resolve(), `${strippedPath}${new URL(request.url).pathname}`);
    return respond(request, resolve, {}, strippedPath);
  };
  const instance: NextAuth<S> = {
    handlers: { GET: handle, POST: handle, OPTIONS: handle },
    auth: createAuthFunction<S>(resolve, typeof config === "function"),
    signIn: async <Redirect extends boolean = true>(
      provider?: string,
      options: FormData | SignInOptions<Redirect> = {},
      authorizationParams?: AuthorizationParams,
      context?: SignInContext,
    ) => {
      const request = await currentRequest();
      const config = await resolve();
      const fields = toFields(options, request.headers.get("referer"));
      const stays = fields.get("redirect") === false;
      const begun = startSignIn(config, request, provider, fields, authorizationParams, context);
      const { url, cookies } = await (stays ? begun.catch(errorUrl(config, request)) : begun);
      await setCookies(cookies);
      return assume<Awaited<Redirected<Redirect>>>(stays ? url : await redirectTo(url));
    },
    signOut: async <Redirect extends boolean = true>(options?: SignOutOptions<Redirect> | null) => {
      const request = await currentRequest();
      const target = options?.redirectTo ?? request.headers.get("referer") ?? undefined;
      const { url, cookies } = await signOut(await resolve(), request, target, options?.federated);
      await setCookies(cookies);
      return assume<Awaited<Redirected<Redirect>>>(options?.redirect === false ? url : await redirectTo(url));
    },
    unstable_update: async (data) => {
      const { session, cookies } = await updateSession(await resolve(), await currentRequest(), data);
      await setCookies(cookies);
      return assume<S | null>(session);
    },
  };
  return attachHandle(resolve, instance, { read: currentRequest, redirect: redirectTo });
}

/** Fields of a form or an object; without `redirectTo` the user returns to the page they were on. */
function toFields(options: FormData | SignInOptions, referer: string | null): ReadonlyMap<string, unknown> {
  const given = options instanceof FormData ? [...options.entries()] : Object.entries(options ?? {});
  // `$ACTION_…` identifies the server action of a form, and is internal to Next.
  const fields = given.filter(([name, value]) => value !== undefined && !name.startsWith("$ACTION_"));
  return new Map<string, unknown>([["redirectTo", referer], ...fields]);
}
