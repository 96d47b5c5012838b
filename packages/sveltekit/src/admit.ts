import type { Awaitable, Session } from "@cardea/core";
import {
  type Cookie,
  guardRequest,
  matchAction,
  type ResolvedConfig,
  readSession,
  refusePath,
} from "@cardea/core/operations";
import type { RequestEvent } from "@sveltejs/kit";

/** Whether an event may continue. */
interface Admission {
  /** Absent if the path was rejected before it was needed. */
  readonly config?: ResolvedConfig;
  /** For the response; what a loader reads later is added. */
  readonly cookies: readonly Cookie[];
  /** The response instead of the page. */
  readonly denied?: Response | undefined;
}

/**
 * Reads the session of an event for `event.locals.auth()`, and calls `callbacks.authorized` to decide whether it may continue.
 *
 * 1. Without the callback, the session is read when a page asks for it, once.
 * 2. SvelteKit takes the suffix of data requests off the path that its router matches, and so does the guard. Of a denied data
 *    request the client expects a redirect, which it follows itself.
 * 3. The client of a remote function names the page that it is on; the guard sees the path of the function.
 */
export async function admit(event: RequestEvent, resolve: () => Awaitable<ResolvedConfig>): Promise<Admission> {
  const { request, locals } = event;
  const denied = refusePath(new URL(request.url).pathname);
  if (denied !== null) return { cookies: [], denied };
  const config = await resolve();
  const cookies: Cookie[] = [];
  if (config.callbacks.authorized === undefined) {
    let reading: Promise<Session | null> | undefined;
    const read = async () => {
      const { session, cookies: renewed } = await readSession(config, request, "renew");
      cookies.push(...renewed);
      return session;
    };
    locals.auth = () => {
      reading ??= read();
      return reading;
    };
    return { config, cookies };
  }
  const headers = new Headers(request.headers);
  if (event.isDataRequest) headers.set("sec-fetch-mode", "navigate");
  const { href: url } = Reflect.get(event, "isRemoteRequest") === true ? new URL(request.url) : event.url;
  const answer = await guardRequest(() => config, { url, method: request.method, headers });
  if (answer.kind === "deny") return { config, cookies: answer.cookies, denied: answer.response };
  locals.auth = async () => answer.session;
  return { config, cookies: answer.cookies };
}

/** Whether an event is for an action: pages of the application may also be below the base path. */
export function isEndpoint({ request, url }: RequestEvent, config: ResolvedConfig | undefined): boolean {
  if (config === undefined) return false;
  return matchAction(request.method, url.pathname, config.basePath, config.extensions).kind !== "not-found";
}
