import type { Application } from "./application.ts";

/** A reference to a module of the former library in a file that the parser does not read. */
export interface ComponentReference {
  readonly path: string;
  readonly at: number;
  readonly specifier: string;
}

/** Components and pages whose scripts are part of another language. */
const COMPONENT = /\.(?:svelte|vue|astro|mdx)$/;

/** `from "…"`, `import "…"`, `import("…")` and `require("…")`. */
const REFERENCE =
  /\b(?:from|import|require)\s*\(?\s*(["'])((?:next-auth|@auth\/[\w-]+|@next-auth\/[\w-]+|@hono\/auth-js)(?:\/[\w./-]*)?)\1/g;

/** The modules of the former library that components import. */
export function componentReferences({ texts }: Pick<Application, "texts">): readonly ComponentReference[] {
  return [...texts].flatMap(([path, text]) => {
    if (!COMPONENT.test(path)) return [];
    return [...text.matchAll(REFERENCE)].map((match) => ({ path, at: match.index, specifier: match[2] ?? "" }));
  });
}
