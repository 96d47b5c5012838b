import type { ParsedRequest } from "../model/context.ts";

/** Whether a request only looks ahead: browsers and link checkers say so. It must change nothing. */
export function isPrefetch({ headers }: ParsedRequest): boolean {
  return ["sec-purpose", "purpose", "x-moz"].some((name) => headers.get(name)?.toLowerCase().includes("prefetch"));
}
