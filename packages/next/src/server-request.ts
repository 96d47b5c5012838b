import type { Cookie, OperationRequest } from "@cardea/core/operations";
import * as server from "next/server.js";
import { NextRequest } from "next/server.js";

/**
 * The current request in a server component, server action or route handler, with cookies that were set in the meantime.
 * Next provides no URL; its server sets the public origin in the headers.
 */
export async function currentRequest(): Promise<OperationRequest> {
  // Loaded on demand: the Pages Router has neither.
  const next = await import("next/headers.js");
  const headers = new Headers(await receivedHeaders(next));
  await untilRequest();
  headers.set("cookie", mergeCookies(headers.get("cookie") ?? "", (await next.cookies()).getAll()));
  return { url: "http://localhost/", headers };
}

/** Next's own signals, with which it finds out during the build that a page needs a request, pass unchanged. */
async function receivedHeaders(next: typeof import("next/headers.js")): Promise<Headers> {
  try {
    return await next.headers();
  } catch (error) {
    if (!isOutsideRequest(error)) throw error;
    const where = "Call auth(), signIn() and signOut() in a server component, server action or route handler";
    throw new Error(`There is no request here. ${where}, not when a module is loaded.`, { cause: error });
  }
}

/** With `cacheComponents`, Next reports clocks and random numbers that are read while it could still prerender the page. */
async function untilRequest(): Promise<void> {
  // Next.js 14 has no `connection`. Read so, because bundlers report missing names.
  const { connection }: Partial<Pick<typeof server, "connection">> = { ...server };
  try {
    await connection?.();
  } catch (error) {
    // Tests of applications replace `next/headers` alone.
    if (!isOutsideRequest(error)) throw error;
  }
}

const isOutsideRequest = (error: unknown): error is Error =>
  error instanceof Error && error.message.includes("outside a request scope");

const IS_CHANGED = Symbol("cardea.changed");

/** Sets cookies on the response of a server action or route handler. */
export async function setCookies(cookies: readonly Cookie[]): Promise<void> {
  const store = await (await import("next/headers.js")).cookies();
  if (cookies.length > 0) Reflect.set(store, IS_CHANGED, true);
  for (const { name, value, options } of cookies) {
    // Next writes `true` as it is, which browsers take for `Lax`.
    const sameSite = options.sameSite === true ? "strict" : options.sameSite;
    // Next percent-encodes values; ours are already encoded where necessary.
    store.set({ ...options, sameSite, name, value: decodeURIComponent(value) });
  }
}

/** Whether {@link setCookies} was called for the current request. Edge API routes have no such cookies. */
export async function hasSetCookies(): Promise<boolean> {
  const read = async () => (await import("next/headers.js")).cookies();
  return Reflect.get(Object(await read().catch(() => undefined)), IS_CHANGED) === true;
}

/** Redirects the browser by throwing Next's redirect error. */
export async function redirectTo(url: string): Promise<never> {
  // With this specifier, server code gets its own variant, which does not need a page.
  const { redirect } = await import("next/navigation");
  return redirect(url);
}

/**
 * The `Cookie` header with what Next's cookies were changed to in the meantime.
 *
 * Of several cookies with one name, Next reads the last, and a part without `=` as a name. Changed is therefore what differs from
 * Next's own reading of the header: what a sibling domain adds hides no session of ours.
 */
function mergeCookies(header: string, current: readonly CookieValue[]): string {
  const sent = new Set(partsOf(header));
  const isSent = ({ name, value }: CookieValue) => sent.has(`${name}=${encodeURIComponent(value)}`);
  const differing = current.filter((one) => !isSent(one) && !sent.has(`${one.name}=${one.value}`));
  if (differing.length === 0) return header;
  const { cookies: read } = new NextRequest("http://localhost/", { headers: { cookie: header } });
  return changeCookies(
    header,
    differing.filter(({ name, value }) => read.get(name)?.value !== value),
  );
}

/** A cookie, decoded. */
interface CookieValue {
  readonly name: string;
  readonly value: string;
}

/** The `Cookie` header that the browser will send after these changes. Empty values are removed, other cookies stay as they were sent. */
export function changeCookies(header: string, changed: readonly CookieValue[]): string {
  const names = new Set(changed.map(({ name }) => name));
  const kept = partsOf(header).filter((pair) => !names.has(pair.split("=", 1)[0] ?? ""));
  const added = changed.filter(({ value }) => value !== "");
  return [...kept, ...added.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)].join("; ");
}

/** Spaces and tabs alone: a cookie named `\u00a0__Host-x`, which a sibling domain may set, is not `__Host-x`. */
const partsOf = (header: string): string[] => header.split(/;[ \t]*/).filter((pair) => pair !== "");
