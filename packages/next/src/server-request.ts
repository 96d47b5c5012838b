import type { Cookie, OperationRequest } from "@cardea/core/operations";

/**
 * The current request in a server component, server action or route handler, with cookies that were set in the meantime.
 * Next provides no URL; its server sets the public origin in the headers.
 */
export async function currentRequest(): Promise<OperationRequest> {
  // Loaded on demand: the Pages Router has neither.
  const next = await import("next/headers.js");
  const headers = new Headers(await receivedHeaders(next));
  headers.set("cookie", mergeCookies(headers.get("cookie") ?? "", (await next.cookies()).getAll()));
  return { url: "http://localhost/", headers };
}

/** Next's own signals, with which it finds out during the build that a page needs a request, pass unchanged. */
async function receivedHeaders(next: typeof import("next/headers.js")): Promise<Headers> {
  try {
    return await next.headers();
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes("outside a request scope")) throw error;
    const where = "Call auth(), signIn() and signOut() in a server component, server action or route handler";
    throw new Error(`There is no request here. ${where}, not when a module is loaded.`, { cause: error });
  }
}

/** Sets cookies on the response of a server action or route handler. */
export async function setCookies(cookies: readonly Cookie[]): Promise<void> {
  const store = await (await import("next/headers.js")).cookies();
  // Next percent-encodes values; ours are already encoded where necessary.
  for (const { name, value, options } of cookies) store.set({ ...options, name, value: decodeURIComponent(value) });
}

/** Redirects the browser by throwing Next's redirect error. */
export async function redirectTo(url: string): Promise<never> {
  // With this specifier, server code gets its own variant, which does not need a page.
  const { redirect } = await import("next/navigation");
  return redirect(url);
}

/** The `Cookie` header that the browser will send next: the original one with changes applied. Empty values are removed. */
function mergeCookies(header: string, current: readonly { readonly name: string; readonly value: string }[]): string {
  // Spaces and tabs alone: a cookie named `\u00a0__Host-x`, which a sibling domain may set, is not `__Host-x`.
  const sent = new Set(header.split(/;[ \t]*/).filter((pair) => pair !== ""));
  const encoded = current.map(({ name, value }) => ({ name, value, pair: `${name}=${encodeURIComponent(value)}` }));
  const changed = encoded.filter(({ name, value, pair }) => !sent.has(pair) && !sent.has(`${name}=${value}`));
  const names = new Set(changed.map(({ name }) => name));
  const kept = [...sent].filter((pair) => !names.has(pair.split("=", 1)[0] ?? ""));
  return [...kept, ...changed.filter(({ value }) => value !== "").map(({ pair }) => pair)].join("; ");
}
