import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint, urlPath, webUrl } from "../../../testing/src/arbitrary-text.ts";
import { claims, sealExactly } from "../harness/forge.ts";
import { BASE, COOKIE, cookieHeader, ORIGIN, PASSWORD, recordOf, setUp } from "../harness/harness.ts";

/** `FUZZ_MINUTES=10 npx vitest run packages/core/test/hostile/fuzz` goes on for as long. */
const MINUTES = Number(process.env.FUZZ_MINUTES ?? 0);
const TIMEOUT = MINUTES * 60_000 + 60_000;
/** Requests of one case: it remembers every visit. */
const SHOTS = 150;

/** Once, or for as long as was asked, each time from another seed. */
async function again(fuzz: () => Promise<void>): Promise<void> {
  const until = performance.now() + (MINUTES * 60_000) / 2;
  do await fuzz();
  while (performance.now() < until);
}

const nasty = fc.oneof(
  fc.constantFrom(
    ...[
      "",
      " ",
      "%",
      "%00",
      "%2f",
      "%0d%0a",
      "..",
      "//",
      "\\",
      "\u0000",
      "\r\n",
      "\u2028",
      "é",
      "😀",
      "null",
      "[]",
      "{}",
    ],
    ...[
      "__proto__",
      "constructor",
      "toString",
      "<script>",
      '"',
      "'",
      "javascript:x",
      "data:,x",
      "//evil.example",
      ORIGIN,
    ],
    ...["https://evil.example", "op", "credentials", "mail", "true", "-1", "1e999", "NaN", "x".repeat(5_000)],
  ),
  fc.string({ unit: codePoint, maxLength: 30 }),
  webUrl,
);
const name = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom("callbackUrl", "csrfToken", "error", "code", "state", "iss", "email", "token", "data"),
  },
  { weight: 1, arbitrary: nasty },
);
const pairs = fc.array(fc.tuple(name, nasty), { maxLength: 4 });
const action = fc.constantFrom(
  ...["csrf", "providers", "session", "signin", "signin/op", "signin/credentials", "signin/x", "signout", "error"],
  ...["callback/op", "callback/credentials", "callback/x", "verify-request", "webauthn-options", "nothing"],
);
const path = fc.oneof(
  { weight: 8, arbitrary: action.map((one) => `${BASE}/${one}`) },
  {
    weight: 1,
    arbitrary: fc.array(nasty, { maxLength: 3 }).map((parts) => `${BASE}/${parts.map(encodeURIComponent).join("/")}`),
  },
  { weight: 1, arbitrary: urlPath },
);
const header = fc.tuple(
  fc.constantFrom(
    ...[
      "host",
      "origin",
      "referer",
      "x-forwarded-host",
      "x-forwarded-proto",
      "sec-fetch-site",
      "sec-purpose",
      "authorization",
    ],
    ...["x-auth-return-redirect", "content-type", "accept", "user-agent", "x-http-method-override", "content-length"],
  ),
  fc.oneof(
    fc.constantFrom(
      "app.example.com",
      ORIGIN,
      "null",
      "https",
      "same-origin",
      "cross-site",
      "prefetch",
      "1",
      "application/json",
    ),
    nasty,
  ),
);
const body = fc.oneof(
  pairs.map((fields) => ["application/x-www-form-urlencoded", new URLSearchParams(fields).toString()] as const),
  fc.jsonValue().map((value) => ["application/json", JSON.stringify(value)] as const),
  pairs.map((fields) => ["application/json", JSON.stringify(Object.fromEntries(fields))] as const),
  nasty.map(
    (text) =>
      [
        "multipart/form-data; boundary=x",
        `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${text}\r\n--x--`,
      ] as const,
  ),
  fc.tuple(nasty, nasty).map(([type, text]) => [type, text] as const),
);
const cookie = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      ...Object.values(COOKIE),
      `${COOKIE.session}.0`,
      `${COOKIE.session}.1`,
      `${COOKIE.state}.t3abcdAAAAAAAA`,
    ),
    nasty,
  ),
  nasty,
);

interface Shot {
  readonly method: string;
  readonly path: string;
  readonly query: [string, string][];
  readonly headers: [string, string][];
  readonly body: readonly [string, string];
  readonly cookies: [string, string][];
  /** Whether the shot carries the token and the cookies of a person who is signed in. */
  readonly known: boolean;
}

const shot: fc.Arbitrary<Shot> = fc.record({
  method: fc.constantFrom("GET", "POST", "HEAD", "PUT", "OPTIONS"),
  path,
  query: pairs,
  headers: fc.array(header, { maxLength: 3 }),
  body,
  cookies: fc.array(cookie, { maxLength: 4 }),
  known: fc.boolean(),
});

/** Turns a shot into a request; what the Fetch API itself refuses is left out. */
function aim({ method, path: to, query, headers, body: [type, text], cookies, known }: Shot, own: Own): Request {
  const url = new URL(URL.canParse(to, ORIGIN) ? to : "/", ORIGIN);
  if (url.origin !== ORIGIN) url.href = ORIGIN;
  for (const [key, value] of query) url.searchParams.append(key, value);
  const all = new Headers();
  const set = (key: string, value: string) =>
    all.set(key, Buffer.from(value.replaceAll(/[\r\n\0]/g, " ")).toString("latin1"));
  const jar = [...(known ? [own.cookie] : []), ...cookies.map((pair) => pair.join("="))].join("; ");
  set("cookie", jar);
  set("content-type", type);
  for (const [key, value] of headers) set(key, value);
  const isForm = type.startsWith("application/x-www-form-urlencoded");
  const sent = known && isForm ? `csrfToken=${own.token}&username=ann&password=${PASSWORD}&${text}` : text;
  return new Request(url, { method, headers: all, ...(method === "GET" || method === "HEAD" ? {} : { body: sent }) });
}

interface Own {
  readonly cookie: string;
  readonly token: string;
}

// Any host may be asked for, so any may be redirected to; what a location looks like is asserted all the same.
const ANYWHERE = { alsoTo: ["*"] };

async function fuzzRequests(): Promise<void> {
  const c = setUp(ANYWHERE);
  await c.signIn();
  const own = { cookie: cookieHeader(c.browser), token: await c.csrfToken() };
  await fc.assert(
    fc.asyncProperty(shot, async (one) => {
      const answer = await c.visit(aim(one, own));
      const { events, logs, headers } = recordOf(answer);
      expect(logs.filter(({ level }) => level === "error")).toEqual([]);
      if (!one.known) expect(events.map(({ name: event }) => event)).not.toContain("signIn");
      for (const line of headers.getSetCookie()) expect(line).toMatch(/^__Host-cardea\.|^cardea\./);
    }),
    { numRuns: SHOTS },
  );
  await c.end();
}

async function fuzzTokens(): Promise<void> {
  const c = setUp();
  const real = await sealExactly(claims());
  const part = fc.constantFrom(...real.split("."), "", "e30", "AAAA");
  const place = fc.nat(real.length - 1);
  const token = fc.oneof(
    fc.array(part, { minLength: 3, maxLength: 6 }).map((parts) => parts.join(".")),
    fc.tuple(place, place).map(([from, to]) => real.slice(from, to)),
    fc.tuple(place, fc.stringMatching(/^[\w.-]{1,4}$/)).map(([at, text]) => real.slice(0, at) + text + real.slice(at)),
    fc.tuple(place, fc.stringMatching(/^[\w-]$/)).map(([at, text]) => real.slice(0, at) + text + real.slice(at + 1)),
  );
  await fc.assert(
    fc.asyncProperty(token, async (text) => {
      fc.pre(text !== real);
      const answer = await c.send(`${BASE}/session`, { headers: { cookie: `${COOKIE.session}=${text}` } });
      expect([answer.status, await answer.json()]).toEqual([200, null]);
    }),
    { numRuns: SHOTS },
  );
  await c.end();
}

describe("fuzz", () => {
  it("no request makes the engine fail, or signs anybody in who may not", () => again(fuzzRequests), TIMEOUT);
  it("no token but our own is a session", () => again(fuzzTokens), TIMEOUT);
});
