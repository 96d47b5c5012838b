// Makes requests that no browser would send, of what earlier answers gave. A request is `{ method, target, headers, body }`;
// `write` turns it into bytes.

import { below, bytesOf, chance, mutate, nasty, noise, pick, some } from "./random.mjs";

/** What earlier answers gave: mutated requests are made of it. Sessions are kept apart, to know who sent one. */
export const harvest = { cookies: new Map(), sessions: [], tokens: [], targets: [] };

const METHODS = "GET GET GET GET POST POST POST POST HEAD PUT DELETE OPTIONS PATCH PROPFIND get QUERY CONNECT".split(
  " ",
);
const ACTIONS = [
  ...["csrf", "providers", "session", "signin", "signout", "callback", "error", "verify-request", "confirm-address"],
  ...["webauthn-options", "webauthn-script", "callback", "signin", "x"],
];
const IDS = [
  "op",
  "credentials",
  "email",
  "passkey",
  "nope",
  "__proto__",
  "constructor",
  "..",
  "%2e%2e",
  "op/x",
  "OP",
  "",
];
const FIELDS = [
  ...[
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
    "step",
  ],
  ...["username", "password", "action", "redirect", "json", "__proto__", "scope", "redirect_uri", "client_id"],
];
const VALUES = ["start-fresh", "start-fresh-confirmed", "register", "authenticate", "false", "user@example.com"];
const HEADERS = [
  ...[
    "Origin",
    "Referer",
    "Sec-Fetch-Site",
    "Sec-Purpose",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "Forwarded",
    "Host",
  ],
  ...["X-Auth-Return-Redirect", "Authorization", "X-HTTP-Method-Override", "Accept", "User-Agent", "X-Original-URL"],
  ...["X-Rewrite-URL", "X-Middleware-Subrequest", "Range", "If-None-Match", "Expect", "X-Forwarded-Uri", "Next-Action"],
];
const TYPES = [
  ...["application/x-www-form-urlencoded", "application/json", "application/json; charset=utf-16", "text/plain", ""],
  ...["multipart/form-data; boundary=b", "multipart/form-data", "application/xml", "text/plain; x=application/json"],
];
const PIECES = [
  // A guard that resolves paths is walked around by these.
  ...["auth", "auth", "auth", "session", "..", "..", "%2e%2e", "%2e%2e", "%2E."],
  ...[
    "admin",
    "auth",
    "session",
    "signin",
    "members",
    "files",
    "api",
    "one",
    "secret.txt",
    "x",
    "public",
    "guarded",
    "deep",
  ],
  ...[
    "..",
    "%2e%2e",
    ".%2E",
    "%252e%252e",
    ".",
    "%2e",
    "..%2f",
    "..%5c",
    "..\\",
    "%2F",
    "",
    "%61dmin",
    "ADMIN",
    "Auth",
  ],
  ...["%", "%00", "a%20b", "{x}", "%zz", "x@y", "#", "?x", ";", "\xe9", "%c3%a9", "\0", "\t", "_next", "free", "%6d"],
];
const STARTS = ["/", "/", "/", "/", "/", "//", "//a@b/", "http://localhost/", "http://a;b/", "http:/", "", "/%2f", "*"];

const text = () => (chance(0.5) ? nasty() : chance(0.5) ? mutate(pick([...harvest.tokens, ...VALUES])) : noise());
const pairs = () => some(6, () => [chance(0.9) ? pick(FIELDS) : text(), chance(0.2) ? pick(VALUES) : text()]);
const percent = (value) => value.replace(/[^\w.~-]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, "0")}`);
const form = (list) =>
  list.map(([name, value]) => `${percent(name)}=${chance(0.95) ? percent(value) : value}`).join("&");

function someTarget() {
  if (chance(0.12) && harvest.targets.length > 0) return mutate(pick(harvest.targets));
  if (chance(0.4)) {
    const joints = () => `${pick(PIECES)}${pick(["/", "/", "/", "/", "//", "\\", "%2f", "%5C", ""])}`;
    return `${pick(STARTS)}${some(6, joints).join("")}${pick(["", "", "", "?x=1", "#", "?a=/../b", "#/../x"])}`;
  }
  const base = chance(0.9) ? "/auth/" : pick(["/auth", "/authx/", "//auth/", "/auth//", "/AUTH/", "/", "/api/auth/"]);
  const query = form(pairs());
  const path = `${base}${pick(ACTIONS)}${chance(0.6) ? `/${pick(IDS)}` : ""}${query && `?${query}`}`;
  return chance(0.1) ? mutate(path) : path;
}

function makeBody(type) {
  const list = pairs();
  if (chance(0.5)) list.push(["csrfToken", pick([...harvest.tokens, ""])]);
  if (chance(0.1)) return noise();
  if (chance(0.02)) return "a".repeat(2_000_000);
  if (type.includes("json")) return chance(0.2) ? text() : bytesOf(JSON.stringify(Object.fromEntries(list)));
  if (!type.includes("multipart")) return form(list);
  const part = ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  return list.map(part).join("") + (chance(0.8) ? "--b--\r\n" : "");
}

/** A `Cookie` header: pieces of what was set before, mixed up. With a session only where one is asked for. */
function someCookies(session) {
  const names = [...harvest.cookies.keys()];
  const pair = () => {
    const name = names.length > 0 && chance(0.9) ? pick(names) : text();
    const own = chance(0.7) ? name : pick(names);
    const value = names.length > 0 && chance(0.8) ? (harvest.cookies.get(own) ?? "") : text();
    return `${chance(0.05) ? `${name}.${below(30)}` : name}=${chance(0.3) ? mutate(value) : value}`;
  };
  const list = some(8, pair);
  if (session !== undefined) list.push(`${session.name}=${session.value}`);
  else if (chance(0.2) && harvest.sessions.length > 0) {
    const { name, value } = pick(harvest.sessions);
    const at = below(value.length);
    list.push(`${name}=${value.slice(0, at)}${pick(["A", "", "..", "\0", "%41"])}${value.slice(at + 1 + below(3))}`);
  }
  if (chance(0.03)) list.push(`x=${"y".repeat(below(15_000))}`);
  return list.join(pick(["; ", "; ", ";", ", "]));
}

/** What Node's parser lets through, mostly: it refuses most control characters itself. */
const sendable = (value) => (chance(0.97) ? value.replace(/[^\x20-\x7e\x80-\xff]/g, "") : value);

/** One request of any kind, a fifth of them with a session. */
export function someRequest() {
  const method = pick(METHODS);
  const session = chance(0.2) && harvest.sessions.length > 0 ? pick(harvest.sessions) : undefined;
  const headers = [["Host", chance(0.97) ? "localhost" : text()]];
  if (chance(0.9)) headers.push(["Cookie", someCookies(session)]);
  if (chance(0.05)) headers.push(["cookie", someCookies(session)]);
  for (const name of HEADERS) if (chance(0.05)) headers.push([name, chance(0.4) ? "http://localhost" : text()]);
  if (chance(0.02)) headers.push([text(), text()]);
  if (chance(0.02)) headers.push(...Array.from({ length: 300 }, (_, index) => [`x-${index}`, "1"]));
  const type = pick(TYPES);
  const hasBody = method === "GET" || method === "HEAD" ? chance(0.05) : chance(0.9);
  if (hasBody && type !== "") headers.push(["Content-Type", type]);
  const target = sendable(chance(0.97) ? someTarget().replaceAll(" ", "+") : someTarget());
  const sent = headers.map(([name, value]) => [sendable(name), sendable(value)]);
  return { method, target, headers: sent, ...(hasBody ? { body: makeBody(type) } : {}) };
}

/** A request of a journey with one of its parts changed. */
export function distort(request) {
  const { target, headers, body } = request;
  const part = below(4);
  if (part === 0) return { ...request, target: mutate(target) };
  if (part === 1 && body !== undefined) return { ...request, body: mutate(body) };
  if (part === 2)
    return { ...request, headers: headers.map(([name, value]) => [name, chance(0.5) ? value : mutate(value)]) };
  return { ...request, headers: [...headers, [pick(HEADERS), text()]] };
}

/** The bytes of a request, and whether they are a complete one that a server must answer. */
export function write({ method, target, headers, body }, isPlain = false) {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  lines.push("Connection: close");
  const framing =
    body === undefined ? "none" : isPlain || chance(0.8) ? "length" : pick(["chunks", "wrong", "both", "twice"]);
  if (framing !== "none" && framing !== "chunks") lines.push(`Content-Length: ${body.length}`);
  if (framing === "wrong") lines.push(`Content-Length: ${body.length + 1 + below(9)}`);
  if (framing === "twice") lines.push(`Content-Length: ${body.length}`);
  if (framing === "chunks" || framing === "both") lines.push("Transfer-Encoding: chunked");
  const sent = framing === "chunks" || framing === "both" ? inChunks(body) : (body ?? "");
  const bytes = `${lines.join("\r\n")}\r\n\r\n${sent}`;
  const isExact =
    ["none", "length", "chunks"].includes(framing) && !/[\r\n\0]/.test(lines.join("")) && method !== "CONNECT";
  if (isPlain || chance(0.95)) return { bytes, isExact: isExact && !lines.some((line) => /^expect:/i.test(line)) };
  const at = below(bytes.length);
  const cut = chance(0.5) ? bytes.slice(0, at) : `${bytes.slice(0, at)}${noise()}${bytes.slice(at + below(20))}`;
  return { bytes: cut, isExact: false };
}

function inChunks(body) {
  const middle = below(body.length + 1);
  const chunks = [body.slice(0, middle), body.slice(middle)].filter((one) => one !== "");
  return [...chunks.map((one) => `${one.length.toString(16)}${pick(["", ";a=b"])}\r\n${one}\r\n`), "0\r\n\r\n"].join(
    "",
  );
}
