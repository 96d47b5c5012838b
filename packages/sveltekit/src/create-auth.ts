import type { Session, SessionFirst } from "@cardea/core";
import * as core from "@cardea/core/operations";
import { type Action, error, type Handle, type RequestEvent, redirect } from "@sveltejs/kit";
import { building } from "$app/environment";
import { APP_BASE, admit, isEndpoint } from "./admit.ts";
import { settleAnswer } from "./settle-answer.ts";

/** A configuration, or a function that returns one for an event. */
export type SvelteKitConfigSource<S = Session, A = S> = core.EventConfigSource<RequestEvent, S, A>;

/** The result of `SvelteKitAuth`. */
export interface SvelteKitAuthResult {
  /**
   * For `hooks.server.ts`: handles the endpoints and sets `event.locals.auth()`. With `callbacks.authorized` it guards all pages
   * and endpoints: if access is denied, browsers are redirected to the sign-in page and API clients get 401.
   */
  readonly handle: Handle;
  /** A form action with the fields `providerId`, `redirectTo` and those of the provider. */
  readonly signIn: Action;
  /** A form action with the fields `redirectTo` and `federated` (whether to also end the provider's session, see `@cardea/logout`). */
  readonly signOut: Action;
}

/** Prefix of fields that are parameters of the authorization request. Visitors can write them. */
const PARAMETER = "authorizationParams-";

/**
 * Sets up authentication for a SvelteKit application.
 *
 * @param config a configuration, or a function that returns one for an event; the event is absent outside a request.
 * @throws InvalidConfiguration, MissingSecretError: immediately for a configuration object, with a function on each request. In an
 *   application that is being built, where secrets may be missing, on the first request.
 */
export function createAuth<S = Session, A = S>(
  config: SvelteKitConfigSource<S, A> & SessionFirst<S, A>,
): SvelteKitAuthResult;
export function createAuth(config: SvelteKitConfigSource): SvelteKitAuthResult {
  core.requireServer("In a page, use `page.data.session`, which a `load` function of the server returns.");
  // During the build, the configuration is resolved only when it is needed.
  const source = typeof config === "function" || !building ? config : () => config;
  const resolve = core.createEventResolver(source, `${APP_BASE}/auth`);
  return core.attachHandle<SvelteKitAuthResult>(async () => resolve(), {
    handle: async ({ event, resolve: proceed }) => {
      // A prerendered page is the same for all visitors, so it has no session and sets no cookies.
      event.locals.auth = async () => null;
      if (building) return proceed(event);
      const { config, denied } = await admit(event, () => resolve(event));
      // `@auth/sveltekit` has the function under both names, so that code may call either. One that the application set stays.
      Object.assign(event.locals, { getSession: Reflect.get(event.locals, "getSession") ?? event.locals.auth });
      const answer = () =>
        isEndpoint(event, config) ? core.respond(event.request, () => resolve(event)) : proceed(event);
      return settleAnswer(event, () => denied ?? answer());
    },
    signIn: async (event) => {
      const fields = new Map(core.toFields(await core.readForm(event.request, error)));
      const params = [...fields].filter(([name]) => name.startsWith(PARAMETER));
      const named = params.map(([name, value]): [string, string] => [name.slice(PARAMETER.length), String(value)]);
      const provider = fields.get("providerId");
      for (const name of ["providerId", ...params.map(([param]) => param)]) fields.delete(name);
      const id = typeof provider === "string" && provider !== "" ? provider : undefined;
      const config = await resolve(event);
      leave(event, await core.startSignIn(config, event.request, id, fields, named, undefined, "visitor"));
    },
    signOut: async (event) => {
      const fields = await core.readForm(event.request, error);
      const target = fields.get("redirectTo");
      const redirectTo = typeof target === "string" ? target : undefined;
      const federated = fields.has("federated") ? fields.get("federated") === "true" : undefined;
      leave(event, await core.signOut(await resolve(event), event.request, { redirectTo, federated }));
    },
  });
}

/** Redirects. Values of our cookies are already encoded where necessary. */
function leave(event: RequestEvent, { url, cookies }: { url: string; cookies: readonly core.Cookie[] }): never {
  core.holdAnswer(Object(event.locals), { cookies });
  for (const { name, value, options } of cookies)
    event.cookies.set(name, value, { ...options, path: options.path ?? "/", encode: (text) => text });
  redirect(303, url);
}
