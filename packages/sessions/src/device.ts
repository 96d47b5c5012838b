import type { SessionInfoPatch } from "@cardea/core/extend";
import type { SessionSettings } from "./settings.ts";

/** What a session runs on, as far as its `User-Agent` tells. */
export interface Device {
  /** `Firefox`, `Chrome`, `Edge`, `Safari` or `Samsung Internet`, else what the browser sent; null where nothing is recorded. */
  readonly browser: string | null;
  /** `Windows`, `macOS`, `iOS`, `Android`, `ChromeOS` or `Linux`; null where it is another one. */
  readonly os: string | null;
}

/** As much of a `User-Agent` as is recorded. */
const MAX_LENGTH = 256;

/** What is recorded of the device of a request; null for nothing. */
export function deviceOf(
  { userAgent, ip, hops }: Pick<SessionSettings, "userAgent" | "ip" | "hops">,
  headers: Pick<Headers, "get">,
): Pick<SessionInfoPatch, "userAgent" | "ip"> | null {
  const text = userAgent ? headers.get("user-agent")?.slice(0, MAX_LENGTH) : undefined;
  const address = ip && hops !== undefined ? truncateAddress(forwarded(headers, hops)) : null;
  if (text === undefined && address === null) return null;
  return { ...(text === undefined ? {} : { userAgent: text }), ...(address === null ? {} : { ip: address }) };
}

/** Only what the own proxies wrote is believed: they append, so that it is read from the right. */
function forwarded(headers: Pick<Headers, "get">, hops: number): string {
  return headers.get("x-forwarded-for")?.split(",").at(-hops)?.trim() ?? "";
}

/**
 * An address without what tells one household from another: the last octet of IPv4, and of IPv6 all but the first 48 bits. Null for
 * anything else. Never throws.
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

/** In this order: browsers name those that they are like, too. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\/\d/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/\d/],
  ["Samsung Internet", /\bSamsungBrowser\/\d/],
  ["Chrome", /\b(?:Chrome|CriOS|Chromium)\/\d/],
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

/** The browser and the system of a `User-Agent`; where it names none of the usual ones, the text itself. Never throws. */
export function readDevice(userAgent: string | null | undefined): Device {
  if (!userAgent) return { browser: null, os: null };
  const find = (table: typeof BROWSERS) => table.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;
  return { browser: find(BROWSERS) ?? userAgent, os: find(SYSTEMS) };
}
