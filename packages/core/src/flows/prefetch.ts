import type { ParsedRequest } from "../model/context.ts";

/** Whether a request is a prefetch, as declared by browsers and link checkers. It must not change anything. */
export function isPrefetch({ headers }: ParsedRequest): boolean {
  return ["sec-purpose", "purpose", "x-moz"].some((name) => headers.get(name)?.toLowerCase().includes("prefetch"));
}
