import type { Cookie, OperationRequest } from "@cardea/core/operations";

/**
 * The request that a server component, server action or route handler runs for, with the cookies that were set meanwhile.
 * Next gives no URL; its server names the public origin in the headers.
 */
export async function currentRequest(): Promise<OperationRequest> {
  // Loaded when needed: the Pages Router has neither.
  const next = await import("next/headers.js");
  const headers = new Headers(await next.headers());
  headers.set("cookie", mergeCookies(headers.get("cookie") ?? "", (await next.cookies()).getAll()));
  return { url: "http://localhost/", headers };
}

/** Sets cookies on the answer of a server action or route handler. */
export async function setCookies(cookies: readonly Cookie[]): Promise<void> {
  const store = await (await import("next/headers.js")).cookies();
  // Next percent-encodes values; ours are encoded already where they have to be.
  for (const { name, value, options } of cookies) store.set({ ...options, name, value: decodeURIComponent(value) });
}

/** Leads the browser elsewhere: throws what Next understands as a redirect. */
export async function redirectTo(url: string): Promise<never> {
  // By this name Next gives server code its own, which needs no page.
  const { redirect } = await import("next/navigation");
  return redirect(url);
}

/** The `Cookie` header that the browser will send next: as it was sent, but for what was changed. Empty values are gone. */
function mergeCookies(header: string, current: readonly { readonly name: string; readonly value: string }[]): string {
  const sent = new Set(header.split(/;\s*/).filter((pair) => pair !== ""));
  const encoded = current.map(({ name, value }) => ({ name, value, pair: `${name}=${encodeURIComponent(value)}` }));
  const changed = encoded.filter(({ name, value, pair }) => !sent.has(pair) && !sent.has(`${name}=${value}`));
  const names = new Set(changed.map(({ name }) => name));
  const kept = [...sent].filter((pair) => !names.has(pair.split("=", 1)[0] ?? ""));
  return [...kept, ...changed.filter(({ value }) => value !== "").map(({ pair }) => pair)].join("; ");
}
