import type { PageScript } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { Html, html } from "./html.ts";
import { PAGE_SCRIPT } from "./page-script.ts";

/** The element that loads a script, restricted to its hash (SRI §3.1). Its end tag is in parts: bundlers rewrite templates that hold one. */
export function renderScript({ url, integrity }: PageScript): Html {
  return html`<script src="${url}?v=${versionOf(integrity)}" integrity="${integrity}" defer></${"script"}>`;
}

/**
 * The page script, at the end of the page, with the button that it adds to each password field. It is in the page because it is smaller than
 * the headers of a request; the Content-Security-Policy names its hash.
 */
export function renderPageScript({ showPassword }: PageTexts): Html {
  return html`<template><button type="button" class="show" aria-pressed="false" title="${showPassword}">${EYE}<span class="spoken">${showPassword}</span></button></template>
<script>${Html.fromRawText(PAGE_SCRIPT)}</${"script"}>
`;
}

/** Drawn for these pages. The line is shown while the password is. */
const EYE = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" aria-hidden="true"><path d="M2.5 12C4.6 8 8 6 12 6s7.4 2 9.5 6c-2.1 4-5.5 6-9.5 6s-7.4-2-9.5-6z"/><circle cx="12" cy="12" r="3"/><path class="off" d="M4.5 4.5l15 15"/></svg>`;

/** A part of the hash that needs no escaping in a query, so that a new script has a new URL. */
export function versionOf(hash: string): string {
  return hash.replace(/^sha256-|[^A-Za-z0-9]/g, "").slice(0, 16);
}
