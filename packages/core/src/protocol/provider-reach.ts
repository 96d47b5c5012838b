import { isLoopbackHost, parseUrl } from "./parse-url.ts";

/** Addresses without a host, which connect to the local machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5.2). */
const UNSPECIFIED = ["0.0.0.0", "[::]"];

/**
 * Decides where a provider may lead the server and its users. Metadata are another party's input: they may name any https host, but
 * must not reach into the network of the application (RFC 9700 §2.6, RFC 9728 §7.7).
 *
 * 1. Only http and https.
 * 2. The local machine: what the configuration spells; what metadata name only if the issuer is on the local machine too.
 * 3. http to other hosts: only origins in `insecureOrigins`, which contains those that the configuration spells.
 *
 * @param source who named the URL.
 * @returns why the URL must not be used, or null.
 */
export function checkReach(
  { issuer, insecureOrigins }: { readonly issuer: string | undefined; readonly insecureOrigins: readonly string[] },
  url: unknown,
  source: "configuration" | "metadata",
): string | null {
  const target = typeof url === "string" ? parseUrl(url) : null;
  if (target === null || !/^https?:$/.test(target.protocol)) return "it is not an https URL";
  if (isLocal(target)) {
    const home = parseUrl(issuer ?? "");
    if (source === "configuration" || (home !== null && isLocal(home))) return null;
    return "metadata of an issuer on another host must not lead to the local machine. If it is meant, configure this endpoint";
  }
  if (target.protocol === "https:" || insecureOrigins.includes(target.origin)) return null;
  return "it is not https. If the network is trusted, list its origin in `insecureOrigins`";
}

function isLocal({ hostname }: URL): boolean {
  return isLoopbackHost(hostname) || UNSPECIFIED.includes(hostname);
}

/** The origins of http URLs on other hosts among the given ones. */
export function insecureOriginsOf(urls: readonly (string | undefined)[]): readonly string[] {
  const found = urls.map((url) => parseUrl(url ?? "")).filter((url) => url?.protocol === "http:" && !isLocal(url));
  return [...new Set(found.map((url) => url?.origin ?? ""))];
}
