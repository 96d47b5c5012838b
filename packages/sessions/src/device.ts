import type { SessionInfoPatch } from "@cardea/extend";
import type { SessionSettings } from "./settings.ts";

/** The device of a session, derived from its `User-Agent`. */
export interface Device {
  /**
   * `Firefox`, `Chrome`, `Edge`, `Safari` or `Samsung Internet`, otherwise the `User-Agent` itself; null if none is
   * recorded.
   */
  readonly browser: string | null;
  /** `Windows`, `macOS`, `iOS`, `Android`, `ChromeOS` or `Linux`; null if it is not recognized. */
  readonly os: string | null;
}

/** The maximum number of recorded characters of a `User-Agent`. */
const MAX_LENGTH = 256;

/** The device data recorded for a request; null if nothing is recorded. */
export function deviceOf(
  { userAgent, ip, hops }: Pick<SessionSettings, "userAgent" | "ip" | "hops">,
  headers: Pick<Headers, "get">,
): Pick<SessionInfoPatch, "userAgent" | "ip"> | null {
  const text = userAgent ? headers.get("user-agent")?.slice(0, MAX_LENGTH) : undefined;
  const address = ip && hops !== undefined ? truncateAddress(forwarded(headers, hops)) : null;
  if (text === undefined && address === null) return null;
  return { ...(text === undefined ? {} : { userAgent: text }), ...(address === null ? {} : { ip: address }) };
}

/** Only entries written by your own proxies are trusted; proxies append, so the header is read from the right. */
function forwarded(headers: Pick<Headers, "get">, hops: number): string {
  return headers.get("x-forwarded-for")?.split(",").at(-hops)?.trim() ?? "";
}

/**
 * Truncates an address so that it no longer identifies a household: removes the last octet of IPv4, and all but the
 * first 48 bits of IPv6. Null for anything else. Never throws.
 */
export function truncateAddress(text: string): string | null {
  const bare = text.replace(/^\[([^\]]*)\](?::\d+)?$/, "$1").replace(/%.*$/, "");
  const [, v4] = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}(?::\d+)?$/i.exec(bare) ?? [];
  if (v4 !== undefined) return `${v4}.0`;
  if (!/^[\da-f:]+$/i.test(bare) || !bare.includes(":")) return null;
  const [head = "", tail, more] = bare.split("::");
  const first = head.split(":").filter((group) => group !== "");
  const last = tail?.split(":").filter((group) => group !== "") ?? [];
  const missing = 8 - first.length - last.length;
  const isWhole = tail === undefined ? missing === 0 : missing > 0;
  const groups = [...first, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...last];
  if (!isWhole || more !== undefined || groups.some((group) => group.length > 4)) return null;
  return `${groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::`;
}

/** Order matters: a browser also names the browsers it is compatible with. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\/\d/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/\d/],
  ["Samsung Internet", /\bSamsungBrowser\/\d/],
  ["Chrome", /\b(?:(?:Headless)?Chrome|CriOS|Chromium)\/\d/],
  ["Safari", /\bVersion\/\d\S* .*Safari\/|\bSafari\/\d/],
];

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ["iOS", /\b(?:iPhone|iPad|iPod)\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b/],
];

/**
 * Reads browser and operating system from a `User-Agent`. If the browser is not recognized, the text is used instead.
 * Never throws.
 */
export function readDevice(userAgent: string | null | undefined): Device {
  if (!userAgent) return { browser: null, os: null };
  const find = (table: typeof BROWSERS) => table.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;
  return { browser: find(BROWSERS) ?? userAgent, os: find(SYSTEMS) };
}
