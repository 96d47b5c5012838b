import type { IncomingMessage, ServerResponse } from "node:http";
import { type Cookie, type OperationRequest, serializeCookie } from "@cardea/core/operations";

/**
 * The request of an API route or of `getServerSideProps`, as far as reading a session needs it. Next's server names the
 * public origin in the headers, so the URL names none.
 */
export function toOperationRequest({ url, headers: given }: IncomingMessage): OperationRequest {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    for (const item of [value ?? []].flat()) headers.append(name, item);
  }
  return { url: `http://localhost${url?.startsWith("/") === true ? url : "/"}`, headers };
}

/** Adds cookies to those that the answer sets already; of two with one name the later is kept. No cache may keep it (CVE-2025-48947). */
export function appendCookies(response: ServerResponse, cookies: readonly Cookie[]): void {
  if (cookies.length === 0 || response.headersSent) return;
  const before = [response.getHeader("set-cookie") ?? []].flat().map(String);
  const kept = before.filter((line) => !cookies.some(({ name }) => line.startsWith(`${name}=`)));
  response.setHeader("set-cookie", [...kept, ...cookies.map(serializeCookie)]);
  response.setHeader("cache-control", "private, no-cache, no-store");
}
