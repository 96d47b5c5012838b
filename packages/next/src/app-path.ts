import type { NextRequest } from "next/server.js";

/** `basePath` of `next.config`: Next inserts it here when it bundles, as in its own links. */
export const APP_PATH: string = process.env.__NEXT_ROUTER_BASEPATH ?? "";

/**
 * The prefix that Next removed from the path of a request: route handlers receive it without `basePath`, middleware with
 * it.
 */
export const strippedPathOf = ({ nextUrl }: NextRequest): string => (nextUrl.basePath === "" ? APP_PATH : "");
