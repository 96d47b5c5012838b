/** A site for this package's own tests: it tells what it was sent. */
import { type Browser, type BrowserOptions, createBrowser } from "../browser.ts";

/** An origin of another site than the application's. */
export const OP = "https://op.example.org";

/** Answers with what it was sent, and does what the query says: `set` cookies, `to` redirect, `status`. */
function echo(request: Request): Response {
  const url = new URL(request.url);
  const headers = new Headers({ "referrer-policy": url.searchParams.get("policy") ?? "" });
  for (const line of url.searchParams.getAll("set")) headers.append("set-cookie", line);
  const to = url.searchParams.get("to");
  if (to !== null) headers.set("location", to);
  const status = Number(url.searchParams.get("status") ?? (to === null ? 200 : 302));
  const sent = ["cookie", "origin", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"].map((name) => [
    name,
    request.headers.get(name),
  ]);
  return new Response(status === 204 ? null : JSON.stringify({ method: request.method, ...Object.fromEntries(sent) }), {
    status,
    headers,
  });
}

/** A browser on an application, and some other origins, that all answer so. */
export function openEcho(options: BrowserOptions = {}): Browser {
  return createBrowser(echo, {
    routes: { [OP]: echo, "http://app.example.com": echo, "https://www.example.com": echo },
    ...options,
  });
}

/** A relative URL with these parameters. */
export function query(...pairs: [string, string][]): string {
  return `/?${new URLSearchParams(pairs)}`;
}

/** Sets one cookie of each `SameSite`. */
export const cookies = query(
  ["set", "lax=1; Path=/"],
  ["set", "strict=1; SameSite=Strict"],
  ["set", "none=1; SameSite=None; Secure"],
);
