/**
 * The dearest anonymous request, as a multiple of the 404 that an unknown action answers to the same bytes: CPU time of a server process
 * with Express, to which requests are written over a socket. A seeded search over shapes of requests: cookies, paths, queries, bodies, with
 * a database that works and one that fails. Forged cookies begin as real ones do, so that they are refused at the last moment. What the
 * search finds is measured again, twice: those that stay dear beside a 404 of Express as well, which runs nothing of this library.
 * Needs built packages: `node dearest.mjs --seconds 600`. With `--ratio` it prints nothing but the multiple.
 */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CookieJar } from "./browser.mjs";
import { median } from "./measure-interleaved.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    ratio: { type: "boolean", default: false },
  },
});

/** Rounds and requests a round while searching, for the dearest of what was found, and for the dearest of those. */
const SEARCH = { rounds: 3, requests: 24 };
const SIFT = { rounds: 7, requests: 24 };
const AGAIN = { rounds: 15, requests: 40 };
/** Before that, uncounted: the 404 is part of every measurement and compiled long before. */
const SETTLE = { rounds: 8, requests: 120 };
/**
 * How many of the dearest shapes are measured again. The highest of thousands of short measurements is one that was disturbed: without a
 * second sifting, half of the finalists are no dear shapes at all, and dearer ones are left out.
 */
const SIFTED = 32;
const FINALISTS = 6;

let state = Number(values.seed) >>> 0 || 1;
/** A number below `limit`; mulberry32, so that a run can be repeated. */
const below = (limit) => {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
};
const pick = (list) => list[below(list.length)];
/** The content of a forgery does not matter, so it need not be repeatable. */
const random = (length) => randomBytes(Math.ceil(length)).toString("base64url").slice(0, length);

const server = fork(join(import.meta.dirname, "dearest-server.mjs"), {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
const message = () => new Promise((resolve) => server.once("message", resolve));
const { port, apps } = await message();
const clock = async () => {
  server.send("clock");
  return (await message()).microseconds;
};

const SESSION = "__Host-cardea.session-token";
const CSRF = "__Host-cardea.csrf-token";

/** The first part of real cookies: anyone with one account knows it, and for the CSRF token every visitor. */
async function headersOfRealCookies() {
  const base = `http://127.0.0.1:${port}/jwt/auth`;
  const jar = new CookieJar();
  const { csrfToken } = await jar.keep(await fetch(`${base}/csrf`)).json();
  const csrf = jar.header(/csrf-token/);
  const body = new URLSearchParams({ csrfToken, password: "right" });
  const headers = { cookie: jar.header(), "sec-fetch-site": "same-origin" };
  jar.keep(await fetch(`${base}/callback/password`, { method: "POST", headers, body, redirect: "manual" }));
  const headerOf = (cookie) => /=([^.]+)\./.exec(cookie)[1];
  return { csrf: headerOf(csrf), session: headerOf(jar.header(/session-token/)), pair: csrf, csrfToken };
}

const real = await headersOfRealCookies();
const forged = (header, length) => `${header}..${random(16)}.${random(Math.max(8, length))}.${random(21)}A`;
const repeat = (count, make) => Array.from({ length: count }, (_, n) => make(n)).join("; ");

const COOKIES = {
  none: () => "",
  many: (bytes) => repeat(bytes / 40, (n) => `c${n}=${random(33)}`),
  tiny: (bytes) => repeat(bytes / 8, (n) => `${n}=${random(3)}`),
  one: (bytes) => `x=${random(bytes)}`,
  same: (bytes) => `x=${"a".repeat(bytes)}`,
  escaped: (bytes) => repeat(bytes / 60, (n) => `e${n}=${"%00%ff".repeat(8)}`),
  session: (bytes) => `${SESSION}=${random(Math.min(bytes, 900))}; y=${random(bytes)}`,
  foreign: (bytes) => `${SESSION}=${forged("eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0", bytes)}`,
  sealed: (bytes) => `${SESSION}=${forged(real.session, bytes)}`,
  repeated: (bytes) => repeat(30, () => `${SESSION}=${forged(real.session, bytes / 30 - 180)}`),
  foreigners: (bytes) =>
    repeat(40, () => `${SESSION}=${forged("eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0", bytes / 50)}`),
  chunks: (bytes) => repeat(32, (n) => `${SESSION}.${n % 4}=${random(bytes / 40)}`),
  row: (bytes) => {
    const token = forged(real.session, bytes);
    return repeat(4, (n) => `${SESSION}.${n}=${token.slice((n * token.length) / 4, ((n + 1) * token.length) / 4)}`);
  },
  csrf: (bytes) => repeat(24, () => `${CSRF}=${forged(real.csrf, bytes / 24 - 180)}`),
  both: (bytes) =>
    `${repeat(12, () => `${CSRF}=${forged(real.csrf, bytes / 30)}`)}; ${repeat(12, () => `${SESSION}=${forged(real.session, bytes / 30)}`)}`,
  joined: () =>
    `${repeat(24, () => `${SESSION}=${forged(real.session, 8)}; ${SESSION}.0=${forged(real.session, 8).slice(0, -22)}`)}; ${SESSION}.1=${random(21)}A`,
  pending: (bytes) => repeat(30, (n) => `__Host-cardea.state.abc${n}${random(8)}=${random(bytes / 40)}`),
};
const JSON_TYPE = "application/json";
const FORM_DATA = "multipart/form-data; boundary=b";
const part = (name, value) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const list = (length, make) => Array.from({ length }, (_, n) => make(n));
const TARGETS = [
  () => ["GET", "/session"],
  () => ["GET", "/csrf"],
  () => ["GET", "/providers"],
  () => ["GET", "/signin"],
  () => ["GET", `/signin?callbackUrl=/${random(900)}`],
  () => ["GET", "/signout"],
  () => ["GET", "/verify-request"],
  () => ["GET", "/confirm-address"],
  () => ["GET", `/error?error=${random(20)}`],
  () => ["GET", "/callback/op?error=access_denied&state=x"],
  () => ["GET", `/callback/op?error=x&state=${random(43)}&error_description=${random(2000)}`],
  () => ["GET", `/callback/op?code=${random(500)}&state=${random(43)}`],
  () => ["GET", `/callback/email?token=${random(64)}&email=a@example.com&callbackUrl=/${random(1500)}`],
  () => ["GET", `/${random(4000)}`],
  () => ["POST", "/signout", `csrfToken=${random(64)}`],
  () => ["POST", "/session", JSON.stringify({ csrfToken: random(64), data: { a: random(10_000) } }), JSON_TYPE],
  () => ["POST", "/callback/password", `csrfToken=x&password=${random(30_000)}`],
  () => ["POST", "/callback/password", Array.from({ length: 8_000 }, (_, n) => `${n.toString(36)}=1`).join("&")],
  () => ["POST", "/signin/email", `email=${random(1000)}@example.com`],
  () => ["POST", "/confirm-address", `csrfToken=${random(64)}`],
  () => ["POST", "/session", `{"data":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, JSON_TYPE],
  () => ["GET", `/session?${"%ff=%ff&".repeat(1_200)}`],
  () => ["GET", `/signin?${"%ff=%ff&".repeat(1_200)}`],
  () => ["GET", `/signin?${"a=b&".repeat(2_400)}`],
  () => ["GET", `/callback/op?state=x&code=${"%ff".repeat(3_000)}`],
  () => ["POST", "/signout", list(200, (n) => `%ff${n}=%ff${n}`).join("&")],
  () => ["POST", "/signout", list(200, (n) => `%41${n}=+${n}`).join("&")],
  () => ["POST", "/signout", `a=${"%ff".repeat(20_000)}`],
  () => ["POST", "/session", JSON.stringify({ data: list(4_900, (n) => n) }), JSON_TYPE],
  () => ["POST", "/session", JSON.stringify(Object.fromEntries(list(200, (n) => [n, { a: `b${n}` }]))), JSON_TYPE],
  () => ["POST", "/signout", `${list(200, (n) => part(n, "1")).join("")}--b--\r\n`, FORM_DATA],
  () => ["POST", "/signout", `${part("a", random(40_000))}--b--\r\n`, FORM_DATA],
];

/** The bytes of a request. */
function bytesOf([method, target, body, type = "application/x-www-form-urlencoded"], cookie) {
  const lines = [`${method} ${target} HTTP/1.1`, `host: 127.0.0.1:${port}`, "accept: text/html", "user-agent: bench"];
  if (cookie !== "") lines.push(`cookie: ${cookie}`);
  if (body !== undefined) lines.push(`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`, "latin1");
}

/** Writes one request after the other to a kept connection, and waits for each whole answer. */
function openConnection() {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  let received = "";
  let settle;
  const isWhole = () => {
    const end = received.indexOf("\r\n\r\n");
    if (end === -1) return false;
    const head = received.slice(0, end).toLowerCase();
    const length = /^content-length: (\d+)/m.exec(head)?.[1];
    if (length !== undefined) return received.length >= end + 4 + Number(length);
    return head.includes("chunked") ? received.endsWith("\r\n0\r\n\r\n") : true;
  };
  socket.setEncoding("latin1");
  socket.on("data", (data) => {
    received += data;
    if (isWhole()) settle?.resolve(Number(received.slice(9, 12)));
  });
  socket.on("error", () => undefined);
  socket.on("close", () => settle?.reject(new Error("the server closed the connection")));
  const send = (bytes) =>
    new Promise((resolve, reject) => {
      if (socket.destroyed) reject(new Error("the server closed the connection"));
      settle = { resolve, reject };
      received = "";
      socket.write(bytes);
    });
  return { send, close: () => socket.destroy() };
}

/** CPU microseconds of the server for one request of each, in turns. */
async function compare(sent, { rounds, requests }) {
  const names = Object.keys(sent);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const statuses = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const connection = openConnection();
      const started = await clock();
      for (let n = 0; n < requests; n += 1) statuses[name] = await connection.send(sent[name]).catch(() => 0);
      times[name].push(((await clock()) - started) / requests);
      connection.close();
    }
  }
  const ratioTo = (other) => median(times.dear.map((time, round) => time / times[other][round]));
  const microseconds = Object.fromEntries(names.map((name) => [name, Math.round(median(times[name]))]));
  return { ratio: ratioTo("unknown"), toExpress: sent.outside && ratioTo("outside"), microseconds, statuses };
}

const end = Date.now() + Number(values.seconds) * 1000;
const found = [];
do {
  const kind = pick(apps);
  const [shape, cookies] = pick(Object.entries(COOKIES));
  const [method, target, ...rest] = pick(TARGETS)();
  // Node.js refuses more than 16 kB of headers.
  const cookie = cookies(pick([200, 2_000, 7_000, 12_000])).slice(0, Math.min(12_500, 15_500 - target.length));
  const dear = bytesOf([method, `/${kind}/auth${target}`, ...rest], cookie);
  const unknown = bytesOf([method, `/${kind}/auth/nope${target.slice(1)}`, ...rest], cookie);
  const outside = bytesOf([method, `/${kind}/nope${target}`, ...rest], cookie);
  const what = { kind, shape, bytes: cookie.length, method, target: target.slice(0, 40), body: rest[0]?.length ?? 0 };
  found.push({ ...(await compare({ dear, unknown }, SEARCH)), what, sent: { dear, unknown, outside } });
} while (Date.now() < end);

const byRatio = (a, b) => b.ratio - a.ratio;
const sifted = [];
for (const one of found.sort(byRatio).slice(0, SIFTED)) sifted.push({ ...one, ...(await compare(one.sent, SIFT)) });
const finalists = [];
for (const one of sifted.sort(byRatio).slice(0, FINALISTS)) {
  await compare(one.sent, SETTLE);
  finalists.push({ ...one, ...(await compare(one.sent, AGAIN)) });
}
finalists.sort(byRatio);
server.disconnect();
server.kill();

if (values.ratio) console.log(finalists[0].ratio);
else {
  console.log(
    `${found.length} shapes, seed ${values.seed}; the dearest ÷ the 404 of an unknown action, and ÷ one of Express:`,
  );
  for (const { ratio, toExpress, microseconds, statuses, what } of finalists) {
    const ratios = [ratio, toExpress].map((one) => one.toFixed(2).padStart(6));
    const columns = Object.keys(microseconds).map((name) => `${name} ${statuses[name]} ${microseconds[name]} µs`);
    console.log(...ratios, columns.join(", "), JSON.stringify(what));
  }
}
