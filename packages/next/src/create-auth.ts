import type { AuthorizationParams, Session, SessionFirst, SignInContext } from "@cardea/core";
import {
  attachHandle,
  createConfigResolver,
  errorUrl,
  respond,
  signOut,
  startSignIn,
  toFields,
  updateSession,
} from "@cardea/core/operations";
import type { NextRequest } from "next/server.js";
import { strippedPathOf } from "./app-path.ts";
import { assume } from "./assume.ts";
import { createAuthFunction } from "./auth-function.ts";
import { createResolver } from "./create-resolver.ts";
import { currentRequest, redirectTo, setCookies } from "./server-request.ts";
import type { NextAuth, NextConfigSource, Redirected, SignInOptions, SignOutOptions } from "./types.ts";

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
  const resolve = createResolver(createConfigResolver, config);
  const handle = (request: NextRequest) => respond(request, resolve, {}, strippedPathOf(request));
  const instance: NextAuth<S> = {
    handlers: { GET: handle, POST: handle, OPTIONS: handle },
    auth: createAuthFunction<S>(resolve, typeof config === "function"),
    signIn: async <Redirect extends boolean = true>(
      provider?: string,
      options?: FormData | SignInOptions<Redirect> | null,
      authorizationParams?: AuthorizationParams,
      context?: SignInContext,
    ) => {
      const request = await currentRequest();
      const config = await resolve();
      // `$ACTION_…` identifies the server action of a form, and is internal to Next.
      const fields = new Map([...toFields(options)].filter(([name]) => !name.startsWith("$ACTION_")));
      const stays = fields.get("redirect") === false;
      const begun = startSignIn(config, request, provider, fields, authorizationParams, context);
      const { url, cookies } = await (stays ? begun.catch(errorUrl(config, request, fields)) : begun);
      await setCookies(cookies);
      return assume<Awaited<Redirected<Redirect>>>(stays ? url : await redirectTo(url));
    },
    signOut: async <Redirect extends boolean = true>(options?: SignOutOptions<Redirect> | null) => {
      const request = await currentRequest();
      const { url, cookies } = await signOut(await resolve(), request, options);
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
