import { publicUrl, type ResolvedConfig } from "@cardea/core/operations";
import { NextRequest } from "next/server.js";

/** `trailingSlash` of `next.config`: Next itself redirects to that spelling, and applications compare with it. */
const hasTrailingSlash = Boolean(process.env.__NEXT_TRAILING_SLASH);

/**
 * A request as application code receives it: with the origin that the browser sees. Behind a proxy, Next's own names the address that
 * its server listens on.
 *
 * @param config absent for a configuration function.
 */
export function publicRequest(request: NextRequest, config?: ResolvedConfig): NextRequest {
  const url = publicUrl(request, config);
  return url === request.url ? request : requestAt(request, url, request.bodyUsed ? null : request.body);
}

/** Creates a `NextRequest` with another path for `callbacks.authorized`, whose body can be read independently. */
export const withPathOf =
  (request: NextRequest) =>
  (_request: Request, path: string): Request => {
    const sent = new URL(request.url).pathname;
    const whole = hasTrailingSlash && sent.endsWith("/") && path !== "/" ? `${path}/` : path;
    if (whole === sent) return request;
    const url = new URL(request.url);
    url.pathname = whole;
    return requestAt(request, url.href, request.bodyUsed ? null : request.clone().body);
  };

/**
 * The same request with another URL, whose `nextUrl` is parsed as by Next: with its `basePath` and locales.
 *
 * @param body a stream that is shared with the other request is consumed for both.
 */
function requestAt(request: NextRequest, url: string, body: BodyInit | null): NextRequest {
  const { method, headers, signal } = request;
  // Next.js 14 has members that a hosting platform sets. Later ones ignore them.
  const { geo, ip } = Object(request);
  const init = { method, headers, signal, body, duplex: "half", geo, ip } as const;
  const nextUrl = request.nextUrl.clone();
  nextUrl.href = url;
  // Its own would call 127.0.0.1 `localhost`, which is another origin.
  const members = { nextUrl: { value: nextUrl }, url: { value: url } };
  const other = Object.defineProperties(new NextRequest(url, init), members);
  // What middleware of the application has added.
  const added = Object.entries(request).filter(([name]) => !(name in other));
  return Object.assign(other, Object.fromEntries(added));
}
