import { parseUrl } from "../../parse-url.ts";
import type { Check, Facts, Probe, ProbedResponse } from "../facts.ts";

/** A greater clock difference breaks tokens and codes. */
const MAX_SKEW_MS = 60_000;

/** Matches a bridge that shares sessions. */
const EMIT = /\bbridge\(\{[^}]*\bemit:/;

const one = (where: string, what: string, remedy: string) => [{ where, what, remedy }];

/** Runs a check on one response of the application; finds nothing without `--url` or without a response. */
const of =
  (
    name: "session" | "providers",
    look: (
      response: ProbedResponse,
      probe: Probe,
      facts: Facts,
    ) => readonly { where: string; what: string; remedy: string }[],
  ): Check =>
  (facts) => {
    const response = facts.probe?.[name];
    return response === undefined || facts.probe === undefined ? [] : look(response, facts.probe, facts);
  };

/** Callback URLs as the application computes them. */
function callbackUrls({ text }: ProbedResponse): readonly string[] {
  return [...text.matchAll(/"callbackUrl"\s*:\s*"([^"]+)"/g)]
    .map(([, url = ""]) => url)
    .filter((url) => parseUrl(url) !== null);
}

function skewOf(response: ProbedResponse, at: number): number {
  const date = Date.parse(response.headers.get("date") ?? "");
  return Number.isNaN(date) ? 0 : date - at;
}

/** Checks of the running application's responses, with `--url`. */
export const runningChecks: Readonly<Record<string, Check>> = {
  unreachable: ({ probe }) =>
    probe !== undefined && probe.session === undefined
      ? one(probe.url.href, "no response", "Check that the application is running and that the proxy forwards to it.")
      : [],
  "actions-not-found": of("session", ({ status }, { url }) =>
    status === 404
      ? one(
          url.href,
          "the session route returns 404",
          "Check that the router is mounted at this path and that `basePath` matches. Include the path in --url. If a proxy removes the beginning of the path, set `strippedPrefix` to it.",
        )
      : [],
  ),
  "server-error": of("session", ({ status, text }, { url }) =>
    status >= 500
      ? one(
          url.href,
          `the session route returns ${status}`,
          `See the application log. The response was: ${text.slice(0, 120)}`,
        )
      : [],
  ),
  "cache-control": of("session", ({ status, headers }, { url }) =>
    status === 200 && !/\b(?:no-store|private)\b/.test(headers.get("cache-control") ?? "")
      ? one(
          url.href,
          `the session may be cached (Cache-Control: ${headers.get("cache-control") ?? "absent"})`,
          "Configure the proxy or CDN to keep the application's Cache-Control header.",
        )
      : [],
  ),
  "served-from-cache": of("session", ({ headers }, { url }) =>
    Number(headers.get("age") ?? 0) > 0 ||
    /\bhit\b/i.test(headers.get("x-cache") ?? headers.get("cf-cache-status") ?? "")
      ? one(
          url.href,
          "the response came from a cache, so a user may receive another user's session",
          "Exclude this path from the cache.",
        )
      : [],
  ),
  "visitor-cookie": of("session", ({ cookies }, { url }) =>
    cookies.length > 0
      ? one(
          url.href,
          `visitors receive the cookie ${cookies[0]?.split("=")[0]}`,
          "A proxy in front of the application sets it, which makes pages uncacheable.",
        )
      : [],
  ),
  "origin-host": of("providers", (response, { url }) => {
    const wrong = callbackUrls(response).find((callback) => new URL(callback).host !== url.host);
    return wrong === undefined
      ? []
      : one(
          wrong,
          `callback URLs use ${new URL(wrong).host}, but browsers use ${url.host}`,
          "Set AUTH_URL, or set `trustHost` and configure the proxy to send X-Forwarded-Host.",
        );
  }),
  "origin-scheme": of("providers", (response, { url }) => {
    const wrong = callbackUrls(response).find((callback) => new URL(callback).protocol !== url.protocol);
    return wrong === undefined
      ? []
      : one(
          wrong,
          `callback URLs use ${new URL(wrong).protocol}//, but browsers use ${url.protocol}//`,
          "Set AUTH_URL, or set `trustHost` and configure the proxy to send X-Forwarded-Proto.",
        );
  }),
  "page-origin": ({ probe }) => {
    const { url, page } = probe ?? {};
    const allows = (response: ProbedResponse | undefined) =>
      response?.headers.get("access-control-allow-origin") === page?.origin;
    if (url === undefined || page === undefined || page.origin === url.origin) return [];
    const where = page.origin;
    if (!allows(page.read))
      return one(
        where,
        `its pages may not read the responses of ${url.origin}`,
        `Serve both from one origin with a proxy, or add "${where}" to \`origins\` of the server (docs/single-page-applications.md).`,
      );
    return allows(page.preflight)
      ? []
      : one(
          where,
          `a preflight for ${url.origin} gets status ${page.preflight?.status ?? "0, no response"}, so scripts can read but not sign in`,
          "Route the method OPTIONS to the endpoints: in Next.js, also export `OPTIONS` of `handlers`.",
        );
  },
  "clock-server": of("session", (response, { url, at }) =>
    Math.abs(skewOf(response, at)) > MAX_SKEW_MS
      ? one(
          url.href,
          `the server's clock is off by ${Math.round(skewOf(response, at) / 1000)} s`,
          "Synchronize the server's clock (NTP); otherwise tokens and links appear expired.",
        )
      : [],
  ),
  discovery: ({ probe }) =>
    [...(probe?.discovery ?? [])]
      .filter(([, response]) => response?.status !== 200)
      .flatMap(([issuer, response]) =>
        one(
          issuer,
          `the discovery document returns ${response?.status ?? "no response"}`,
          "Check the issuer, and that this machine can reach it.",
        ),
      ),
  "discovery-issuer": ({ probe }) =>
    [...(probe?.discovery ?? [])].flatMap(([issuer, response]) => {
      const found = /"issuer"\s*:\s*"([^"]+)"/.exec(response?.text ?? "")?.[1]?.replaceAll("\\/", "/");
      return found === undefined || found === issuer
        ? []
        : one(
            issuer,
            `the provider's issuer is ${found}`,
            "Configure exactly this string, including any trailing slash (OpenID Connect Discovery §4.3).",
          );
    }),
  "clock-provider": ({ probe }) =>
    [...(probe?.discovery ?? [])].flatMap(([issuer, response]) =>
      response !== undefined && probe !== undefined && Math.abs(skewOf(response, probe.at)) > MAX_SKEW_MS
        ? one(
            issuer,
            `the provider's clock differs by ${Math.round(skewOf(response, probe.at) / 1000)} s`,
            "Check the clock of this machine.",
          )
        : [],
    ),
  "mixed-actions": ({ probe }) => {
    const names = (probe?.mixed ?? []).flatMap(({ cookies }) => cookies.map((line) => line.split("=")[0] ?? ""));
    const sides = ["cardea", "authjs", "next-auth"].filter((side) =>
      names.some((name) => name.replace(/^__(?:Host|Secure)-/, "") === `${side}.csrf-token`),
    );
    return probe === undefined || sides.length < 2
      ? []
      : one(
          probe.url.href,
          `${sides.join(" and ")} both handle the routes`,
          "Route this path to one side only: a sign-in started on one side cannot be completed on the other.",
        );
  },
  "mixed-not-shared": ({ probe, configurations }) =>
    probe?.mixed === undefined ||
    configurations.some(({ literals }) => literals.some((one) => EMIT.test(one.getText())))
      ? []
      : one(
          probe.url.href,
          "Auth.js runs alongside, but no configuration shares its sessions",
          'Add `emit` to the bridge, such as `bridge({ emit: "authjs-v5" })`: a sign-out on one side must take effect on the other.',
        ),
};
