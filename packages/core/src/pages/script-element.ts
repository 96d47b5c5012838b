import type { PageScript } from "../model/result.ts";
import { type Html, html } from "./html.ts";

/** The element that loads a script, restricted to its hash (SRI §3.1). Its end tag is in parts: bundlers rewrite templates that hold one. */
export function renderScript({ url, integrity }: PageScript): Html {
  return html`<script src="${url}?v=${versionOf(integrity)}" integrity="${integrity}" defer></${"script"}>`;
}

/** A part of the hash that needs no escaping in a query, so that a new script has a new URL. */
export function versionOf(hash: string): string {
  return hash.replace(/^sha256-|[^A-Za-z0-9]/g, "").slice(0, 16);
}
