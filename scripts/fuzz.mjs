// Throws mutated requests at the built engine until the time is up: `pnpm fuzz --seconds 600`. Whatever a client sends, the
// engine answers, with no 5xx and no location that leaves the application. Prints the seed, so that a run can be repeated.

import { below, chance, harvest, ORIGIN, PROXY_HEADERS, seedRequests, someRequest } from "./fuzz-requests.mjs";

const PROVIDER_ORIGIN = "https://op.example.com";
const option = (name, fallback) => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? fallback : Number(process.argv[index + 1]);
};
const seconds = option("seconds", 10);
const seed = option("seed", Date.now() % 2 ** 31);

const { Auth, customFetch } = await import("../packages/core/dist/index.js");
const { createMemoryAdapter, createScriptedProvider } = await import("../packages/testing/dist/index.js");

seedRequests(seed);

const op = createScriptedProvider();
const config = {
  secret: ["a secret of more than thirty-two bytes for fuzzing", "an older secret of more than thirty-two bytes!"],
  trustHost: true,
  adapter: createMemoryAdapter().adapter,
  session: { strategy: chance(0.5) ? "jwt" : "database" },
  logger: { error: (error) => remember(error), warn: () => undefined, debug: () => undefined },
  providers: [
    {
      id: "op",
      name: "P",
      type: "oidc",
      issuer: op.issuer,
      clientId: op.clientId,
      clientSecret: op.clientSecret,
      [customFetch]: op.fetch,
    },
    {
      id: "email",
      name: "Mail",
      type: "email",
      rateLimit: () => true,
      sendVerificationRequest: ({ url }) => void harvest.links.push(url),
    },
    { id: "credentials", name: "C", type: "credentials", credentials: {}, authorize: () => null },
  ],
};

let lastError;
function remember(error) {
  lastError = error;
}

/** Walks a valid flow now and then, so that there is something to mutate. */
async function feed() {
  const csrf = await Auth(new Request(`${ORIGIN}/auth/csrf`), config);
  keepCookies(csrf);
  const { csrfToken } = await csrf.json();
  harvest.tokens = [csrfToken, ...harvest.tokens].slice(0, 50);
  const cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const post = (path, fields) =>
    Auth(
      new Request(`${ORIGIN}${path}`, {
        method: "POST",
        headers: { cookie },
        body: new URLSearchParams({ csrfToken, ...fields }),
      }),
      config,
    );
  const started = await post("/auth/signin/op", {});
  keepCookies(started);
  const answer = await op.authorize(started.headers.get("location"));
  const callback = new URL(answer.url);
  harvest.callbacks = [`${callback.pathname}${callback.search}`, ...harvest.callbacks].slice(0, 20);
  harvest.tokens.push(callback.searchParams.get("state"), callback.searchParams.get("code"));
  if (chance(0.5)) {
    const jar = started.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    keepCookies(await Auth(new Request(callback, { headers: { cookie: jar } }), config));
  }
  keepCookies(await post("/auth/signin/email", { email: `user${below(50)}@example.com` }));
  harvest.links = harvest.links.slice(-20);
}

function keepCookies(response) {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ""] = line.split(";");
    const at = pair.indexOf("=");
    if (pair.length > at + 1) harvest.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
  while (harvest.cookies.size > 60) harvest.cookies.delete(harvest.cookies.keys().next().value);
}

/** What is wrong with an answer, or undefined. */
function faultOf(request, response) {
  if (response.status >= 500) return `status ${response.status}`;
  const location = response.headers.get("location");
  if (location === null) return undefined;
  if (/[\r\n\t\\]/.test(location)) return `raw characters in ${JSON.stringify(location)}`;
  const believesProxy = [...request.headers.keys()].some((name) => PROXY_HEADERS.has(name));
  const { origin } = new URL(location, ORIGIN);
  return origin === ORIGIN || origin === PROVIDER_ORIGIN || believesProxy ? undefined : `leads to ${origin}`;
}

const unhandled = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));
console.log(`fuzzing for ${seconds} s with --seed ${seed}`);
const ends = Date.now() + seconds * 1000;
const counts = {};
const slow = { ms: 0, url: "" };
let failures = 0;
for (let round = 0; Date.now() < ends; round++) {
  if (round % 200 === 0) await feed();
  const request = someRequest();
  if (request === undefined) continue;
  const copy = request.clone();
  lastError = undefined;
  const began = performance.now();
  const response = await Auth(request, config).catch((error) => error);
  const ms = performance.now() - began;
  if (ms > slow.ms) Object.assign(slow, { ms, url: request.url.slice(0, 100) });
  const fault = response instanceof Response ? faultOf(copy, response) : `threw ${response}`;
  if (response instanceof Response) keepCookies(response);
  counts[response.status ?? "threw"] = (counts[response.status ?? "threw"] ?? 0) + 1;
  if (fault === undefined && unhandled.length === 0) continue;
  failures += 1;
  const body = await copy.text().catch(() => "");
  console.error(
    JSON.stringify(
      {
        round,
        fault,
        unhandled: unhandled.splice(0).map(String),
        method: copy.method,
        url: copy.url,
        headers: [...copy.headers],
        body: body.slice(0, 2000),
        error: String(lastError?.stack),
        cause: String(lastError?.cause?.err?.stack),
      },
      null,
      1,
    ),
  );
  if (failures >= 5) break;
}
console.log(`answers by status: ${JSON.stringify(counts)}; slowest ${slow.ms.toFixed(0)} ms (${slow.url})`);
console.log(`${failures} failures`);
process.exitCode = failures > 0 ? 1 : 0;
