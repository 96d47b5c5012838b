// Throws mutated requests at the built engine until the time is up: `pnpm fuzz --seconds 600`. Whatever a client sends, the
// engine answers, with no 5xx and no location that leaves the application. Prints the seed, so that a run can be repeated.

import { createHash } from "node:crypto";

const ORIGIN = "https://app.example.com";
const PROVIDER_ORIGIN = "https://op.example.com";
const option = (name, fallback) => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? fallback : Number(process.argv[index + 1]);
};
const seconds = option("seconds", 10);
const seed = option("seed", Date.now() % 2 ** 31);

const { Auth, customFetch } = await import("../packages/core/dist/index.js");
const { createMemoryAdapter, createScriptedProvider } = await import("../packages/testing/dist/index.js");

/** A counter hashed: the same numbers for the same seed on every machine. */
function createRandom(start) {
  let count = 0;
  const next = () => createHash("sha256").update(`${start} ${count++}`).digest().readUInt32BE() / 2 ** 32;
  const below = (limit) => Math.floor(next() * limit);
  const pick = (list) => list[below(list.length)];
  return { next, below, pick, chance: (share) => next() < share };
}

const random = createRandom(seed);
const { pick, below, chance } = random;

const METHODS = ["GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"];
const ACTIONS = [
  "csrf",
  "providers",
  "session",
  "signin",
  "signout",
  "callback",
  "error",
  "verify-request",
  "webauthn-options",
  "x",
];
const IDS = ["op", "credentials", "email", "nope", "__proto__", "constructor", "..", "%2e%2e", "op/extra", "OP", ""];
const NASTY = [
  "",
  "%",
  "%%%",
  "\u0000",
  "\r\nSet-Cookie: x=1",
  "<script>",
  "\"'",
  "//evil.example",
  "/\\evil.example",
  "javascript:x",
  "https://evil.example",
  "/ok",
  "/日本?q=ü",
  "__proto__",
  "constructor",
  "x".repeat(9000),
  "🦉",
  "\ud800",
  "null",
  "[]",
  "{}",
  "-1",
  "1e999",
  "a@evil.example,b@x.io",
  "eyJhbGciOiJub25lIn0.e30.",
];
const FIELDS = [
  "csrfToken",
  "callbackUrl",
  "email",
  "token",
  "code",
  "state",
  "iss",
  "error",
  "error_description",
  "data",
  "username",
  "password",
  "action",
  "redirect",
  "json",
  "__proto__",
  "scope",
  "redirect_uri",
  "client_id",
];
const HEADERS = [
  "origin",
  "referer",
  "sec-fetch-site",
  "sec-purpose",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-auth-return-redirect",
  "authorization",
  "x-http-method-override",
  "accept",
  "user-agent",
  "forwarded",
];
const TYPES = [
  "application/x-www-form-urlencoded",
  "application/json",
  "application/json; charset=utf-8",
  "multipart/form-data; boundary=b",
  "text/plain",
  "",
  "application/xml",
  "text/plain; x=application/json",
];
/** Headers by which a proxy in front would speak; an application that believes them is answered accordingly. */
const PROXY_HEADERS = new Set(["x-forwarded-host", "x-forwarded-proto"]);

/** What earlier answers gave: cookies by name, tokens, authorization URLs. Mutated requests are made of them. */
const harvest = { cookies: new Map(), tokens: [], links: [], callbacks: [] };

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

const someText = () =>
  chance(0.5) ? pick(NASTY) : chance(0.5) ? mutate(pick([...harvest.tokens, "x"])) : String(below(1e9));

function mutate(text) {
  if (text.length === 0 || chance(0.4)) return text;
  const at = below(text.length);
  const cut = below(4);
  return text.slice(0, at) + pick(["", "A", "=", ".", "%", pick(NASTY)]) + text.slice(at + cut);
}

function somePairs() {
  return Array.from({ length: below(6) }, () => [chance(0.9) ? pick(FIELDS) : someText(), someText()]);
}

function somePath() {
  if (chance(0.1) && harvest.callbacks.length > 0) return mutate(pick(harvest.callbacks));
  if (chance(0.1) && harvest.links.length > 0) return mutate(pick(harvest.links).replace(ORIGIN, ""));
  const base = chance(0.9) ? "/auth/" : pick(["/auth", "/authx/", "//auth/", "/auth//", "/AUTH/", "/"]);
  const query = somePairs().map(
    ([name, value]) =>
      `${encodeURIComponent(safe(name))}=${chance(0.9) ? encodeURIComponent(safe(value)) : safe(value)}`,
  );
  return `${base}${pick(ACTIONS)}${chance(0.6) ? `/${pick(IDS)}` : ""}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

const safe = (text) => text.toWellFormed?.() ?? text.replace(/\p{Surrogate}/gu, "?");

function someBody(type) {
  const pairs = somePairs();
  if (chance(0.5)) pairs.push(["csrfToken", pick([...harvest.tokens, ""])]);
  if (chance(0.1)) return new Uint8Array(Array.from({ length: below(400) }, () => below(256)));
  if (type.includes("json")) return chance(0.2) ? someText() : JSON.stringify(Object.fromEntries(pairs));
  if (type.includes("multipart"))
    return (
      pairs
        .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
        .join("") + (chance(0.8) ? "--b--\r\n" : "")
    );
  return new URLSearchParams(pairs.map(([name, value]) => [safe(name), safe(value)])).toString();
}

function someCookies() {
  const names = [...harvest.cookies.keys()];
  return Array.from({ length: below(8) }, () => {
    const name = names.length > 0 && chance(0.9) ? pick(names) : someText();
    const value =
      names.length > 0 && chance(0.8) ? harvest.cookies.get(pick(chance(0.7) ? [name] : names)) : someText();
    return `${chance(0.05) ? `${name}.${below(30)}` : name}=${chance(0.3) ? mutate(value ?? "") : (value ?? "")}`;
  }).join("; ");
}

function someRequest() {
  const method = pick(METHODS);
  const headers = new Headers();
  const set = (name, value) => {
    try {
      headers.set(name, value);
    } catch {
      headers.set(name, "x"); // Not every text can be a header; a real client could not send it either.
    }
  };
  set("cookie", someCookies());
  for (const name of HEADERS) if (chance(0.08)) set(name, chance(0.5) ? ORIGIN : someText());
  const type = pick(TYPES);
  const hasBody = method !== "GET" && method !== "HEAD";
  if (hasBody && type !== "") set("content-type", type);
  const url = new URL(somePath(), ORIGIN);
  if (url.origin !== ORIGIN) return undefined;
  return new Request(url, { method, headers, ...(hasBody ? { body: someBody(type) } : {}) });
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
