import type { NextRequest } from "next/server.js";

/**
 * `basePath` of `next.config`: Next inserts it here when it bundles, as in its own links. The name is not documented, but `next/link`
 * and `next/navigation` use it; a test builds each bundler and runtime. Every path of the library, as input and as output, is the
 * path in the address bar, so this prefix is added to what lacks it. It cannot be derived from requests: `nextUrl.basePath` is
 * empty in route handlers, and server components have no request.
 */
export const APP_PATH: string = process.env.__NEXT_ROUTER_BASEPATH ?? "";

/**
 * The prefix that Next removed from the path of a request: route handlers receive it without `basePath`, middleware with
 * it.
 */
export const strippedPathOf = ({ nextUrl }: NextRequest): string => (nextUrl.basePath === "" ? APP_PATH : "");
