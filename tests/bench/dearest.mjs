/**
 * The dearest anonymous request, as a multiple of a 404 with the same bytes. A seeded search over shapes of requests: cookies,
 * paths, queries, bodies, with a database that works and one that fails. Needs the built core: `node dearest.mjs --seconds 600`.
 * With `--ratio` it prints nothing but the multiple.
 */
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    ratio: { type: "boolean", default: false },
  },
});
const { createAuth } = await import("@cardea/core");

const ORIGIN = "https://app.example.com";
const COOKIE = "__Host-cardea.session-token";
const ROUNDS = 12;

let state = Number(values.seed) >>> 0 || 1;
/** A number below `limit`; mulberry32, so that a run can be repeated. */
const below = (limit) => {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit);
};
const pick = (list) => list[below(list.length)];
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
const random = (length) => Array.from({ length }, () => pick(LETTERS)).join("");

const adapterOf = (answer) =>
  new Proxy({}, { has: () => true, get: (_, name) => (name === "then" ? undefined : async () => answer(name)) });
const methods = [
  "createUser getUser getUserByEmail getUserByAccount updateUser linkAccount createSession getSessionAndUser updateSession",
  "deleteSession createVerificationToken useVerificationToken",
].flatMap((line) => line.split(" "));
const plain = (answer) => {
  const adapter = adapterOf(answer);
  return Object.fromEntries(methods.map((name) => [name, adapter[name]]));
};
const failing = plain((name) => {
  throw new Error(`${name}: connection refused`);
});
const empty = plain(() => null);
const silent = { error: () => undefined, warn: () => undefined };
const providers = [
  {
    id: "op",
    name: "Provider",
    type: "oauth",
    clientId: "id",
    clientSecret: "a-client-secret-0123456789",
    authorization: "https://op.example.com/authorize",
    token: "https://op.example.com/token",
    userinfo: "https://op.example.com/userinfo",
    profile: ({ id }) => ({ id }),
  },
  { id: "email", name: "E-mail", type: "email", sendVerificationRequest: () => undefined },
  { id: "password", name: "Password", type: "credentials", credentials: {}, authorize: () => null },
];
const secret = "a secret of more than thirty-two bytes for the bench";
const common = { secret, trustHost: true, basePath: "/auth", providers, logger: silent };
const APPS = {
  jwt: createAuth({ ...common, adapter: empty, session: { strategy: "jwt" } }),
  database: createAuth({ ...common, adapter: empty }),
  outage: createAuth({ ...common, adapter: failing }),
};

const COOKIES = {
  none: () => "",
  many: (bytes) => Array.from({ length: bytes / 40 }, (_, n) => `c${n}=${random(33)}`).join("; "),
  tiny: (bytes) => Array.from({ length: bytes / 8 }, (_, n) => `${n}=${random(3)}`).join("; "),
  one: (bytes) => `x=${random(bytes)}`,
  same: (bytes) => `x=${"a".repeat(bytes)}`,
  escaped: (bytes) => Array.from({ length: bytes / 60 }, (_, n) => `e${n}=${"%00%ff".repeat(8)}`).join("; "),
  session: (bytes) => `${COOKIE}=${random(Math.min(bytes, 900))}; y=${random(bytes)}`,
  sealed: (bytes) => `${COOKIE}=eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..${random(16)}.${random(bytes)}.${random(22)}`,
  repeated: (bytes) =>
    Array.from(
      { length: 40 },
      () => `${COOKIE}=eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..${random(16)}.${random(bytes / 50)}.${random(22)}`,
    ).join("; "),
  chunks: (bytes) => Array.from({ length: 32 }, (_, n) => `${COOKIE}.${n % 4}=${random(bytes / 40)}`).join("; "),
  csrf: (bytes) =>
    Array.from({ length: 20 }, () => `__Host-cardea.csrf-token=eyJ${random(bytes / 30)}..a.b.c`).join("; "),
  pending: (bytes) =>
    Array.from({ length: 30 }, (_, n) => `__Host-cardea.state.abc${n}${random(8)}=${random(bytes / 40)}`).join("; "),
};
const TARGETS = [
  () => ["GET", "/auth/session"],
  () => ["GET", "/auth/csrf"],
  () => ["GET", "/auth/providers"],
  () => ["GET", "/auth/signin"],
  () => ["GET", "/auth/signout"],
  () => ["GET", `/auth/error?error=${random(20)}`],
  () => ["GET", "/auth/callback/op?error=access_denied&state=x"],
  () => ["GET", `/auth/callback/op?error=x&state=${random(43)}&error_description=${random(2000)}`],
  () => ["GET", `/auth/callback/op?code=${random(500)}&state=${random(43)}`],
  () => ["GET", `/auth/callback/email?token=${random(64)}&email=a@example.com&callbackUrl=/${random(1500)}`],
  () => ["GET", `/auth/${random(4000)}`],
  () => ["POST", "/auth/signout", `csrfToken=${random(64)}`],
  () => [
    "POST",
    "/auth/session",
    JSON.stringify({ csrfToken: random(64), data: { a: random(10_000) } }),
    "application/json",
  ],
  () => ["POST", "/auth/callback/password", `csrfToken=x&password=${random(30_000)}`],
  () => ["POST", "/auth/signin/email", `email=${random(1000)}@example.com`],
  () => ["POST", "/auth/session", `{"data":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "application/json"],
];

/** The CPU time of one request in microseconds: the least of some rounds, since a busy machine only adds. */
async function cost(app, make) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const started = process.cpuUsage();
    for (let n = 0; n < 5; n++) {
      const request = make();
      const answer = await (request.method === "POST" ? app.handlers.POST(request) : app.handlers.GET(request));
      await answer.text();
    }
    const { user, system } = process.cpuUsage(started);
    least = Math.min(least, (user + system) / 5);
  }
  return least;
}

function requestOf([method, target, body, type = "application/x-www-form-urlencoded"], cookie) {
  const headers = { ...(cookie === "" ? {} : { cookie }), ...(body === undefined ? {} : { "content-type": type }) };
  return () => new Request(`${ORIGIN}${target}`, { method, headers, ...(body === undefined ? {} : { body }) });
}

const end = Date.now() + Number(values.seconds) * 1000;
const found = [];
do {
  const [kind, app] = pick(Object.entries(APPS));
  const [shape, cookies] = pick(Object.entries(COOKIES));
  const cookie = cookies(pick([200, 2_000, 7_000, 14_000])).slice(0, 14_500);
  const [method, target, ...rest] = pick(TARGETS)();
  const unknown = `/nope/${target.slice(6)}`;
  const dear = await cost(app, requestOf([method, target, ...rest], cookie));
  const missing = await cost(app, requestOf([method, unknown, ...rest], cookie));
  found.push({
    ratio: dear / missing,
    microseconds: dear,
    missing,
    kind,
    shape,
    bytes: cookie.length,
    method,
    target: target.slice(0, 48),
  });
} while (Date.now() < end);

found.sort((a, b) => b.ratio - a.ratio);
if (values.ratio) {
  console.log(found[0].ratio);
  process.exit();
}
console.log(`${found.length} shapes, seed ${values.seed}; the dearest as a multiple of a 404 with the same bytes:`);
for (const { ratio, microseconds, missing, ...what } of found.slice(0, 10)) {
  console.log(
    ratio.toFixed(2).padStart(6),
    `${Math.round(microseconds)} of ${Math.round(missing)} µs`,
    JSON.stringify(what),
  );
}
