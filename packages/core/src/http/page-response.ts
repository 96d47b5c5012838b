import { randomHex } from "../crypto/random-hex.ts";
import type { Page, PageScript } from "../model/result.ts";
import type { PartialTexts } from "../model/texts.ts";
import type { Theme } from "../model/theme.ts";
import { PAGE_SCRIPT_HASH } from "../pages/page-script.ts";
import { renderPage } from "../pages/render-page.ts";
import { completeTexts } from "../pages/texts.ts";

/** Surroundings of a page that affect its response. */
export interface PageSurroundings {
  readonly theme: Theme;
  readonly texts: PartialTexts;
  /** The public origin; empty if it is unknown. */
  readonly origin: string;
  /** Origins, and schemes of mobile applications with a colon, to which a form may lead. */
  readonly formTargets: readonly string[];
}

/** Responds with a built-in page; `fields` are the headers that it has in common with other responses, by lower-case name. */
export function pageResponse(
  content: Page,
  status: number,
  fields: Readonly<Record<string, string>>,
  frame: PageSurroundings,
): Response {
  const nonce = randomHex(16);
  const host = frame.origin === "" ? "" : new URL(frame.origin).host;
  const page = renderPage(content, { theme: frame.theme, host, nonce }, completeTexts(frame.texts));
  const headers = {
    ...fields,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentSecurityPolicy(frame, nonce, {
      passkeys: scriptOf(content),
      hasPageScript: page.hasScript,
    }),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    // With `no-referrer` browsers send `Origin: null` with a form, and our own forms would be indistinguishable from foreign
    // ones.
    "referrer-policy": content.kind === "error" ? "no-referrer" : "same-origin",
  };
  return new Response(page.toString(), { status, headers });
}

/** The script of passkeys, or null: most pages have none. */
function scriptOf(page: Page): PageScript | null {
  if (page.kind === "rendered") return page.script;
  const options = page.kind === "signin" ? page.options : [];
  return options.find((option) => option.kind === "scripted")?.script ?? null;
}

/** The scripts of a page. */
interface Scripts {
  readonly passkeys: PageScript | null;
  /** Whether the page contains the page script. */
  readonly hasPageScript: boolean;
}

/** Each script is allowed by its hash. The URL is for browsers that support hashes of inline scripts only; the page repeats the hash (SRI). */
function scriptSources({ passkeys, hasPageScript }: Scripts): readonly string[] {
  const external = passkeys === null ? [] : [passkeys.url, `'${passkeys.integrity}'`];
  const all = [...external, ...(hasPageScript ? [`'${PAGE_SCRIPT_HASH}'`] : [])];
  return [
    ...(all.length === 0 ? [] : [`script-src ${all.join(" ")}`]),
    ...(passkeys === null ? [] : ["connect-src 'self'"]),
  ];
}

/**
 * Allows one style element by its nonce, and no script except that of passkeys and the page script, where the page has them: a nonce would
 * allow every script that obtains it, and `'self'` a file that a visitor uploaded.
 *
 * Browsers apply `form-action` to every redirect that follows a form, so it must allow the providers and the sites that they
 * redirect to, such as a company's own identity provider, which only the provider knows: https anywhere, and loopback for
 * development. Links in place of forms would let other sites start a sign-in for their visitors. Without `form-action`, plain http
 * and every other scheme would be allowed as well.
 */
function contentSecurityPolicy({ origin, formTargets }: PageSurroundings, nonce: string, scripts: Scripts): string {
  const applications = formTargets.map((target) => ` ${target}`).join("");
  const loopback = origin.startsWith("http:") ? " http://localhost:* http://*.localhost:* http://127.0.0.1:*" : "";
  return [
    "default-src 'none'",
    ...scriptSources(scripts),
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    `form-action 'self' https:${loopback}${applications}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
}

/** The script of a page: the only response that is the same for everyone, so it carries no cookie and may be cached. */
export function scriptResponse(body: string, maxAge: number): Response {
  const kept = maxAge > 0 ? `public, max-age=${maxAge}, immutable` : "no-cache";
  const headers = {
    "cache-control": kept,
    "content-type": "text/javascript; charset=utf-8",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
  return new Response(body, { status: 200, headers });
}
