import type { Response as ExpressResponse } from "express";

/** Writes a response of the Fetch API as the answer. */
export async function sendResponse(response: Response, res: ExpressResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  res.status(response.status);
  response.headers.forEach((value, name) => {
    if (name !== "set-cookie") res.setHeader(name, value);
  });
  setCookies(res, response.headers.getSetCookie());
  if (body.byteLength > 0) res.end(body);
  else res.end();
}

/**
 * Adds cookies to those that the answer sets already; of two with one name the later is kept. An answer with a session in
 * it must not end up in a shared cache (CVE-2025-48947).
 */
export function setCookies(res: ExpressResponse, cookies: readonly string[]): void {
  if (cookies.length === 0) return;
  const replaced = new Set(cookies.map(nameOf));
  const before = [res.getHeader("set-cookie") ?? []].flat().map(String);
  res.setHeader("set-cookie", [...before.filter((line) => !replaced.has(nameOf(line))), ...cookies]);
  res.setHeader("cache-control", "private, no-cache, no-store");
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf("="));
}
