import type { Page } from "../model/result.ts";
import type { PartialTexts } from "../model/texts.ts";
import type { Theme } from "../model/theme.ts";
import { PASSKEY_SCRIPT_HASH } from "../pages/passkey-script.ts";
import { renderPage } from "../pages/render-page.ts";
import { completeTexts } from "../pages/texts.ts";

/** What a page needs to know beside its content. */
export interface PageSurroundings {
  readonly theme: Theme;
  readonly texts: PartialTexts;
  /** The public origin; empty when it is unknown. */
  readonly origin: string;
  /** Makes random text for the page's one style element. */
  readonly nonce: () => string;
}

/** Answers with a built-in page; the given headers are completed. */
export function pageResponse(content: Page, status: number, headers: Headers, frame: PageSurroundings): Response {
  const nonce = frame.nonce();
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set("content-security-policy", contentSecurityPolicy(frame.origin, nonce, scriptOf(content)));
  headers.set("x-content-type-options", "nosniff");
  headers.set("x-frame-options", "DENY");
  headers.set("cross-origin-opener-policy", "same-origin");
  // With `no-referrer` browsers send `Origin: null` with a form, and our own forms could not be told from foreign ones.
  headers.set("referrer-policy", content.kind === "error" ? "no-referrer" : "same-origin");
  const host = frame.origin === "" ? "" : new URL(frame.origin).host;
  return new Response(renderPage(content, { theme: frame.theme, host, nonce }, completeTexts(frame.texts)), {
    status,
    headers,
  });
}

/** The URL of the script that a page needs, or null: most need none. */
function scriptOf(page: Page): string | null {
  const options = page.kind === "signin" ? page.options : [];
  return options.find((option) => option.kind === "passkey")?.script ?? null;
}

/**
 * No script but the one for passkeys, where there are any (decisions/013), one style element by its nonce. Browsers hold `form-action` against every redirect that follows a form,
 * so that it must allow the providers, wherever they send people in turn: https anywhere, and loopback for development.
 */
function contentSecurityPolicy(origin: string, nonce: string, script: string | null): string {
  const loopback = origin.startsWith("http:") ? " http://localhost:* http://*.localhost:* http://127.0.0.1:*" : "";
  return [
    "default-src 'none'",
    // By its address for browsers that know hashes of inline scripts alone; the hash is in the page, too (SRI).
    ...(script === null ? [] : [`script-src ${script} '${PASSKEY_SCRIPT_HASH}'`, "connect-src 'self'"]),
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    `form-action 'self' https:${loopback}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
}
