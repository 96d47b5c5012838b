import type { Application } from "./application.ts";

/** A reference to a module of the former library in a file that the parser does not read. */
export interface ComponentReference {
  readonly path: string;
  readonly at: number;
  readonly specifier: string;
  /** Position of the specifier, without its quotes. */
  readonly start: number;
  /** What is imported or exported, as it is written; undefined for `import("…")`, `require("…")` and what was not recognized. */
  readonly clause: string | undefined;
}

/** Components and pages whose scripts are part of another language. */
const COMPONENT = /\.(?:svelte|vue|astro|mdx)$/;

/** `import … from "…"`, `from "…"` behind another clause, `import "…"`, `import("…")` and `require("…")`. */
const REFERENCE =
  /\b(?:(?:import|export)\b(?<clause>[\s\w{},*$]*?)\bfrom|(?<word>from|import|require))\s*(?<call>\()?\s*(["'])(?<specifier>(?:next-auth|@auth\/[\w-]+|@next-auth\/[\w-]+|@hono\/auth-js)(?:\/[\w./-]*)?)\4/g;

/** The modules of the former library that components import. */
export function componentReferences({ texts }: Pick<Application, "texts">): readonly ComponentReference[] {
  return [...texts].flatMap(([path, text]) => {
    if (!COMPONENT.test(path)) return [];
    return [...text.matchAll(REFERENCE)].map((match): ComponentReference => {
      const { clause, word, call, specifier = "" } = match.groups ?? {};
      const start = match.index + match[0].length - specifier.length - 1;
      const isBare = word === "import" && call === undefined;
      return { path, at: match.index, specifier, start, clause: isBare ? "" : clause };
    });
  });
}
