import type { Session } from "@cardea/core";
import * as core from "@cardea/core/operations";
import type { RequestEvent } from "@sveltejs/kit";
import { resolve as resolvePath } from "$app/paths";

/**
 * `paths.base` of SvelteKit's configuration. Read before the first request: while a page is rendered, it may be relative. The type of
 * `resolve` is made of the routes of an application, which a package does not know.
 */
export const APP_BASE: string = (resolvePath as unknown as (path: string) => string)("/").replace(/\/$/, "");

/** Whether an event may continue. */
interface Admission {
  /** Absent if the path was rejected before it was needed. */
  readonly config?: core.ResolvedConfig;
  /** The response to send instead of the page. */
  readonly denied?: Response | undefined;
}

/**
 * Reads the session of an event for `event.locals.auth()`, and calls `callbacks.authorized` to decide whether it may continue.
 * `event.locals` keeps what the response must have, for `settleResponse()`.
 *
 * 1. Without the callback, the session is read once, on demand.
 * 2. SvelteKit removes the suffix of data requests from the path before its router matches it, and so does the guard. If a data
 *    request is denied, the client expects a redirect, which it follows itself.
 * 3. In a call of a remote function, SvelteKit's URL is that of the current page; the guard uses the function's path instead.
 * 4. Browsers without scripts post a remote form to a page, and SvelteKit runs it on any page. Both paths must then be allowed: the
 *    function's and the page's.
 */
export async function admit(event: RequestEvent, resolve: () => ReturnType<core.ConfigResolver>): Promise<Admission> {
  const { request, locals } = event;
  const denied = core.rejectRequest(request, Object(event.platform).req);
  if (denied !== null) return { denied };
  const config = await resolve();
  if (config.callbacks.authorized === undefined) {
    let reading: Promise<Session | null> | undefined;
    const read = async () => {
      const { session, cookies: renewed } = await core.readSession(config, request, "renew");
      core.holdAnswer(locals, { cookies: renewed });
      return session;
    };
    locals.auth = () => (reading ??= read());
    return { config };
  }
  const headers = new Headers(request.headers);
  if (event.isDataRequest) headers.set("sec-fetch-mode", "navigate");
  const { href: url } = Reflect.get(event, "isRemoteRequest") === true ? new URL(request.url) : event.url;
  const judge = (at: string) => core.guardRequest(() => config, { url: at, method: request.method, headers });
  const page = await judge(url);
  const posted = page.kind === "allow" ? remoteFormOf(event) : null;
  const answer = posted === null ? page : await judge(posted);
  core.holdAnswer(locals, answer);
  locals.auth = async () => answer.session;
  return answer.kind === "deny" ? { config, denied: answer.response } : { config };
}

/** Set by SvelteKit's bundler: `appDir` of the configuration. */
declare const __SVELTEKIT_APP_DIR__: string | undefined;

/** The URL of the remote form that is posted to a page, or null: https://svelte.dev/docs/kit/remote-functions#form */
function remoteFormOf({ request, url }: RequestEvent): string | null {
  const id = request.method === "POST" ? url.searchParams.get("/remote") : null;
  // A third part, if there is one, is the key of one of several forms.
  const [hash = "", name = ""] = id?.split("/").map(encodeURIComponent) ?? [];
  const appDir = typeof __SVELTEKIT_APP_DIR__ === "string" ? __SVELTEKIT_APP_DIR__ : "_app";
  return id ? `${url.origin}${APP_BASE}/${appDir}/remote/${hash}/${name}` : null;
}

/** Whether an event is for an action. The application may also have pages below the base path. */
export function isEndpoint({ request, url }: RequestEvent, config: core.ResolvedConfig | undefined): boolean {
  if (config === undefined) return false;
  return core.matchAction(request.method, url.pathname, config.receivedPath, config.extensions).kind !== "not-found";
}
