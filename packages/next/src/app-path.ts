import type { NextRequest } from "next/server.js";

/** `basePath` of `next.config`: Next writes it here when it bundles, as it does into its own links. */
export const APP_PATH: string = process.env.__NEXT_ROUTER_BASEPATH ?? "";

/** What Next took off the path of a request: route handlers get it without `basePath`, middleware with it. */
export const strippedPathOf = ({ nextUrl }: NextRequest): string => (nextUrl.basePath === "" ? APP_PATH : "");
