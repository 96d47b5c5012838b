import { parseUrl } from "../../parse-url.ts";
import type { Check, Facts, Probe, ProbedResponse } from "../facts.ts";

/** Clocks further apart than this break tokens and codes. */
const MAX_SKEW_MS = 60_000;

/** The bridge of a configuration shares sessions. */
const EMIT = /\bbridge\(\{[^}]*\bemit:/;

const one = (where: string, what: string, remedy: string) => [{ where, what, remedy }];

/** Looks at one answer of the application; nothing without `--url`, or where there was no answer. */
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

/** Faults that only show in answers of the running application: with `--url`. */
export const runningChecks: Readonly<Record<string, Check>> = {
  unreachable: ({ probe }) =>
    probe !== undefined && probe.session === undefined
      ? one(probe.url.href, "there was no answer", "Is the application running, and does the proxy lead to it?")
      : [],
  "actions-not-found": of("session", ({ status }, { url }) =>
    status === 404
      ? one(
          url.href,
          "the session action answers 404",
          "Is the router mounted there, and is `basePath` the same? Pass the path in --url.",
        )
      : [],
  ),
  "server-error": of("session", ({ status, text }, { url }) =>
    status >= 500
      ? one(
          url.href,
          `the session action answers ${status}`,
          `See the log of the application. It said: ${text.slice(0, 120)}`,
        )
      : [],
  ),
  "cache-control": of("session", ({ status, headers }, { url }) =>
    status === 200 && !/\b(?:no-store|private)\b/.test(headers.get("cache-control") ?? "")
      ? one(
          url.href,
          `the session may be cached (Cache-Control: ${headers.get("cache-control") ?? "absent"})`,
          "Let the proxy or CDN keep the Cache-Control of the application.",
        )
      : [],
  ),
  "served-from-cache": of("session", ({ headers }, { url }) =>
    Number(headers.get("age") ?? 0) > 0 ||
    /\bhit\b/i.test(headers.get("x-cache") ?? headers.get("cf-cache-status") ?? "")
      ? one(
          url.href,
          "the answer came from a cache: one user may get another user's session",
          "Exclude the path of the actions from the cache.",
        )
      : [],
  ),
  "visitor-cookie": of("session", ({ cookies }, { url }) =>
    cookies.length > 0
      ? one(
          url.href,
          `a visitor gets the cookie ${cookies[0]?.split("=")[0]}`,
          "Something in front of the application sets it; pages with it are not cacheable.",
        )
      : [],
  ),
  "origin-host": of("providers", (response, { url }) => {
    const wrong = callbackUrls(response).find((callback) => new URL(callback).host !== url.host);
    return wrong === undefined
      ? []
      : one(
          wrong,
          `callback URLs name ${new URL(wrong).host}, and browsers use ${url.host}`,
          "Set AUTH_URL, or let the proxy pass the host in X-Forwarded-Host with `trustHost`.",
        );
  }),
  "origin-scheme": of("providers", (response, { url }) => {
    const wrong = callbackUrls(response).find((callback) => new URL(callback).protocol !== url.protocol);
    return wrong === undefined
      ? []
      : one(
          wrong,
          `callback URLs have ${new URL(wrong).protocol}//, and browsers use ${url.protocol}//`,
          "Set AUTH_URL, or let the proxy pass X-Forwarded-Proto with `trustHost`.",
        );
  }),
  "clock-server": of("session", (response, { url, at }) =>
    Math.abs(skewOf(response, at)) > MAX_SKEW_MS
      ? one(
          url.href,
          `its clock differs by ${Math.round(skewOf(response, at) / 1000)} s`,
          "Let the server follow a time server: tokens and links would seem expired.",
        )
      : [],
  ),
  discovery: ({ probe }) =>
    [...(probe?.discovery ?? [])]
      .filter(([, response]) => response?.status !== 200)
      .flatMap(([issuer, response]) =>
        one(
          issuer,
          `discovery answers ${response?.status ?? "nothing"}`,
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
            `the provider calls itself ${found}`,
            "Configure that text exactly, slash included (OpenID Connect Discovery §4.3).",
          );
    }),
  "clock-provider": ({ probe }) =>
    [...(probe?.discovery ?? [])].flatMap(([issuer, response]) =>
      response !== undefined && probe !== undefined && Math.abs(skewOf(response, probe.at)) > MAX_SKEW_MS
        ? one(
            issuer,
            `its clock differs by ${Math.round(skewOf(response, probe.at) / 1000)} s`,
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
          `${sides.join(" and ")} both answer the actions`,
          "Let the balancer send this path to one side: a sign-in that began on one side cannot end on the other.",
        );
  },
  "mixed-not-shared": ({ probe, configurations }) =>
    probe?.mixed === undefined ||
    configurations.some(({ literals }) => literals.some((one) => EMIT.test(one.getText())))
      ? []
      : one(
          probe.url.href,
          "Auth.js runs beside it, and no configuration shares its sessions",
          'Add `emit` to the bridge, such as `bridge({ emit: "authjs-v5" })`: a sign-out on one side must count on the other.',
        ),
};
