import { NextRequest } from "next/server.js";

/** `trailingSlash` of `next.config`: Next itself redirects to that spelling, and applications compare with it. */
const hasTrailingSlash = Boolean(process.env.__NEXT_TRAILING_SLASH);

/** Creates a `NextRequest` with another path for `callbacks.authorized`, whose `nextUrl` is parsed as by Next. */
export const withPathOf =
  (request: NextRequest) =>
  (_request: Request, path: string): Request => {
    const sent = new URL(request.url).pathname;
    const whole = hasTrailingSlash && sent.endsWith("/") && path !== "/" ? `${path}/` : path;
    if (whole === sent) return request;
    const url = new URL(request.url);
    url.pathname = whole;
    const { method, headers } = request;
    const told = new NextRequest(url, request.bodyUsed ? { method, headers } : request.clone());
    const nextUrl = request.nextUrl.clone();
    nextUrl.href = url.href;
    return Object.defineProperty(told, "nextUrl", { value: nextUrl });
  };
