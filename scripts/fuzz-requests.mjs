// Makes requests that no browser would send, of what earlier answers gave. Used by fuzz.mjs.

import { createHash } from "node:crypto";

/** Where the application under test is. */
export const ORIGIN = "https://app.example.com";

/** A counter hashed: the same numbers for the same seed on every machine. */
function createRandom(start) {
  let count = 0;
  const next = () => createHash("sha256").update(`${start} ${count++}`).digest().readUInt32BE() / 2 ** 32;
  const below = (limit) => Math.floor(next() * limit);
  const pick = (list) => list[below(list.length)];
  return { next, below, pick, chance: (share) => next() < share };
}

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
export const PROXY_HEADERS = new Set(["x-forwarded-host", "x-forwarded-proto"]);

let random = createRandom(0);

/** The same seed gives the same requests. */
export function seedRequests(seed) {
  random = createRandom(seed);
}

const pick = (list) => random.pick(list);
export const below = (limit) => random.below(limit);
export const chance = (share) => random.chance(share);

/** What earlier answers gave: cookies by name, tokens, authorization URLs. Mutated requests are made of them. */
export const harvest = { cookies: new Map(), tokens: [], links: [], callbacks: [] };

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

/** One request, or undefined when what came out is for another origin. */
export function someRequest() {
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
