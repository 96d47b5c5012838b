/** `form-action` of a page's Content-Security-Policy: allowed targets of its forms, including redirects, as in Chromium. */

/** The page's policy does not allow the target of a form or of a redirect. A browser stays on the page. */
export class FormActionBlocked extends Error {
  /** Identifies the error. */
  override readonly name = "FormActionBlocked";
}

/** Whether a form may be sent to a URL. */
export type FormActionRule = (url: URL) => boolean;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

function portOf(url: URL): string {
  return url.port === "" ? (DEFAULT_PORTS[url.protocol] ?? "") : url.port;
}

/** `http:` in a policy also allows `https:` (CSP3 §6.7.2.9). */
function schemeMatches(allowed: string, scheme: string): boolean {
  return scheme === allowed || (allowed === "http:" && scheme === "https:");
}

/** Matches scheme, host and port of a host source. Its path is ignored, as browsers do after redirects. */
function hostMatches(source: string, url: URL, page: URL): boolean {
  const [, scheme = page.protocol, host = "", port] =
    /^(?:([a-z][a-z\d+.-]*:)\/\/)?([^:/]+)(?::(\d+|\*))?/i.exec(source) ?? [];
  if (!schemeMatches(scheme.toLowerCase(), url.protocol)) return false;
  const name = host.toLowerCase();
  const isHost = name.startsWith("*.") ? url.hostname.endsWith(name.slice(1)) : name === "*" || name === url.hostname;
  return isHost && (port === "*" || portOf(url) === (port ?? DEFAULT_PORTS[url.protocol]));
}

function sourceMatches(source: string, url: URL, page: URL): boolean {
  if (source === "'self'") return url.origin === page.origin;
  if (source === "'none'") return false;
  if (source === "*") return ["http:", "https:", page.protocol].includes(url.protocol);
  return /^[a-z][a-z\d+.-]*:$/i.test(source)
    ? schemeMatches(source.toLowerCase(), url.protocol)
    : hostMatches(source, url, page);
}

/** The allowed targets of a page's forms, from the policies of its response; without a `form-action`, all. */
export function readFormAction(headers: Headers, page: URL): FormActionRule {
  const policies = (headers.get("content-security-policy") ?? "").split(",");
  const lists = policies.flatMap((policy) => {
    const directives = policy.split(";").map((directive) => directive.trim().split(/\s+/));
    const found = directives.find(([name]) => name?.toLowerCase() === "form-action");
    return found === undefined ? [] : [found.slice(1)];
  });
  return (url) => lists.every((sources) => sources.some((source) => sourceMatches(source, url, page)));
}
