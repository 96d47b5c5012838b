import type { AuthConfig, Awaitable, Session, SessionFirst } from "@cardea/core";
import {
  attachHandle,
  type Cookie,
  createConfigResolver,
  respond,
  signOut,
  startSignIn,
  withCookies,
} from "@cardea/core/operations";
import { type Action, type Handle, type RequestEvent, redirect } from "@sveltejs/kit";
import { building } from "$app/environment";
import { resolve as resolvePath } from "$app/paths";
import { admit, isEndpoint } from "./admit.ts";

/** A configuration, or a function that returns one for an event. */
export type SvelteKitConfigSource<S = Session, A = S> =
  | AuthConfig<S, A>
  | ((event?: RequestEvent) => Awaitable<AuthConfig<S, A>>);

/** The result of `SvelteKitAuth`. */
export interface SvelteKitAuthResult {
  /**
   * For `hooks.server.ts`: answers the endpoints, and sets `event.locals.auth()`. With `callbacks.authorized` it is the guard of
   * all pages and endpoints: browsers are redirected to the sign-in page, API clients get 401.
   */
  readonly handle: Handle;
  /** A form action: its fields are `providerId`, `redirectTo` and those of the provider. */
  readonly signIn: Action;
  /** A form action: its field is `redirectTo`. */
  readonly signOut: Action;
}

/** Its type is made of the routes of an application, which a package does not know. */
const pathOf = resolvePath as unknown as (path: string) => string;

/** Prefix of fields that are parameters of the authorization request. */
const PARAMETER = "authorizationParams-";

/**
 * Sets up authentication for a SvelteKit application.
 *
 * @param config a configuration, or a function that returns one for an event; the event is absent outside a request.
 * @throws InvalidConfiguration, MissingSecretError immediately for a configuration object; for a function, and while the
 *   application is built, when secrets may be missing, at the request.
 */
export function createAuth<S = Session, A = S>(
  config: SvelteKitConfigSource<S, A> & SessionFirst<S, A>,
): SvelteKitAuthResult;
export function createAuth(config: SvelteKitConfigSource): SvelteKitAuthResult {
  const events = new WeakMap<Request, RequestEvent>();
  const source = (request?: Request) =>
    typeof config === "function" ? config(request && events.get(request)) : config;
  const isEager = !building && typeof config !== "function";
  const resolve = createConfigResolver(isEager ? config : source, `${pathOf("/").replace(/\/$/, "")}/auth`);
  const configOf = (event: RequestEvent) => {
    events.set(event.request, event);
    return resolve(event.request);
  };
  return attachHandle<SvelteKitAuthResult>(async () => resolve(), {
    handle: async ({ event, resolve: proceed }) => {
      // A page that is rendered once for all visitors has no session, and gets no cookie.
      event.locals.auth = async () => null;
      if (building) return proceed(event);
      const { config, cookies, denied } = await admit(event, () => configOf(event));
      const answer = () => (isEndpoint(event, config) ? respond(event.request, () => configOf(event)) : proceed(event));
      const response = denied ?? (await answer());
      // Now, and not before: a loader may have read the session in the meantime.
      return withCookies(response, cookies);
    },
    signIn: async (event) => {
      const fields = new Map<string, unknown>([
        ["redirectTo", event.request.headers.get("referer")],
        ...(await event.request.formData()),
      ]);
      const params = [...fields].filter(([name]) => name.startsWith(PARAMETER));
      const named = params.map(([name, value]): [string, string] => [name.slice(PARAMETER.length), String(value)]);
      const provider = fields.get("providerId");
      for (const name of ["providerId", ...params.map(([param]) => param)]) fields.delete(name);
      const id = typeof provider === "string" && provider !== "" ? provider : undefined;
      leave(event, await startSignIn(await configOf(event), event.request, id, fields, named));
    },
    signOut: async (event) => {
      const target = (await event.request.formData()).get("redirectTo") ?? event.request.headers.get("referer");
      leave(
        event,
        await signOut(await configOf(event), event.request, typeof target === "string" ? target : undefined),
      );
    },
  });
}

/** Values of our cookies are encoded already where necessary. */
function leave(event: RequestEvent, { url, cookies }: { url: string; cookies: readonly Cookie[] }): never {
  for (const { name, value, options } of cookies) {
    event.cookies.set(name, value, { ...options, path: options.path ?? "/", encode: (text) => text });
  }
  redirect(303, url);
}
