/** For tests of framework adapters on Node.js: a request is handled like a `Request` of the Fetch API that has the same parts. */
import { type AuthConfig, createAuth, skipCSRFCheck } from "@cardea/core";
import fc from "fast-check";
import { type RawAnswer, type RawRequest, sendRaw } from "./send-raw.ts";

/** What an application answered, and what its callbacks were told. Random text and headers of the connection are left out. */
export interface Handled {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  readonly told: readonly string[];
}

/** A configuration whose callbacks record what they are told; everyone may read `/open`. */
export function recordingConfig(told: string[], hasForms: boolean): AuthConfig {
  const tell = (...values: readonly unknown[]) => void told.push(JSON.stringify(values));
  return {
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    logger: { error: (error) => tell("error", error.name), warn: () => undefined, debug: () => undefined },
    ...(hasForms ? { skipCSRFCheck } : {}),
    providers: [
      {
        id: "form",
        name: "Form",
        type: "credentials",
        credentials: { name: {}, other: {} },
        authorize: async (fields, request) => {
          tell("authorize", fields, request.method, pathOf(request), await request.text());
          return fields.name === "ann" ? { id: "1", name: "Ann" } : null;
        },
      },
    ],
    callbacks: {
      authorized: ({ request }) => {
        tell("authorized", request.method, pathOf(request), request.headers.get("cookie"));
        return new URL(request.url).pathname.startsWith("/open");
      },
    },
  };
}

function pathOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** The application that is compared: endpoints at `/auth`, and everything else behind the guard, answering `MEMBERS`. */
function createReference(told: string[], hasForms: boolean) {
  const { handlers, auth } = createAuth(recordingConfig(told, hasForms));
  const members = auth(
    async () => new Response("MEMBERS", { headers: { "content-type": "text/plain; charset=utf-8" } }),
  );
  return (request: Request) => (new URL(request.url).pathname.startsWith("/auth/") ? handlers.GET : members)(request);
}

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

const value = fc.oneof(
  fc.constantFrom("ann", "a b", "%", "&=", "\u00e9", "\ufeff", "__proto__", "\u0000"),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);
const name = fc.constantFrom("name", "other", "csrfToken", "callbackUrl", "__proto__", "constructor", "name[]", "x");
const form = fc.array(fc.tuple(name, value), { maxLength: 4 }).map((fields) => String(new URLSearchParams(fields)));
const json = fc.dictionary(name, fc.oneof(value, fc.jsonValue({ maxDepth: 2 })), { maxKeys: 4 });
const parts = fc
  .array(fc.tuple(name, fc.constantFrom("ann", "", "x\r\ny", '"')), { maxLength: 3 })
  .map((fields) =>
    fields.map(([key, text]) => `--b\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${text}\r\n`),
  )
  .map((list) => `${list.join("")}--b--\r\n`);

interface Body {
  readonly type: string | undefined;
  readonly body: string;
}

const typed = (type: string | undefined, bodies: fc.Arbitrary<string>): fc.Arbitrary<Body> =>
  bodies.map((text) => ({ type, body: Buffer.from(text).toString("latin1") }));

/** Bodies as the three media types have them, and others. */
const body: fc.Arbitrary<Body> = fc.oneof(
  typed(FORM, form),
  typed(`${FORM}; charset=iso-8859-1`, form),
  typed(
    JSON_TYPE,
    json.map((given) => JSON.stringify(given)),
  ),
  typed(
    `${JSON_TYPE};charset=utf-8`,
    fc.constantFrom("{", "[]", "", "null", '{"name":"ann","name":"bob"}', '{"name":{"name":"ann"}}'),
  ),
  typed("multipart/form-data; boundary=b", parts),
  typed(undefined, fc.constantFrom("", "name=ann")),
  typed("text/plain", fc.constantFrom("", "name=ann")),
  typed(FORM, fc.constantFrom("&".repeat(300), `name=${"x".repeat(70_000)}`, "name=%ff")),
  fc.constant({ type: FORM, body: "name=\u00ff\u00fe" }),
);

const path = fc.constantFrom(
  ...["/auth/callback/form", "/auth/callback/form", "/auth/signin", "/auth/session", "/auth/csrf", "/auth/providers"],
  ...["/auth/signout", "/auth/error", "/auth/verify-request", "/auth/nothing", "/members", "/open/x", "/members/a%20b"],
);
const query = fc.constantFrom(
  ...[
    "",
    "",
    "?",
    "?error=AccessDenied",
    "?error=%3Cb%3E",
    "?callbackUrl=/x",
    "?callbackUrl=//evil.example&callbackUrl=/y",
  ],
  ...[
    "?callbackUrl=%0d%0aX:y",
    "?callbackUrl=https://evil.example",
    "??",
    "?a#b",
    "#",
    "?x=%ff",
    "?x=%",
    "?x='\"<|>`{}\\",
  ],
);
/** The absolute form (RFC 9112 §3.2.2); its host does not count. */
const prefix = fc.constantFrom("", "", "", "", "http://localhost", "HTTP://other.example:80");

const headers = fc.dictionary(
  fc.constantFrom(
    ...[
      "X-Forwarded-Host",
      "X-Forwarded-Proto",
      "Origin",
      "Sec-Fetch-Site",
      "Sec-Fetch-Mode",
      "Accept",
      "Cookie",
      "X-Odd",
    ],
    ...["X-Auth-Return-Redirect", "Authorization", "Referer", "Content-Encoding", "X-HTTP-Method-Override", "Host"],
  ),
  fc.oneof(
    fc.constantFrom(
      "",
      "a.example",
      "a.example, b.example",
      "https",
      "ftp",
      "null",
      "same-origin",
      "cross-site",
      "cors",
    ),
    fc.constantFrom(
      "http://localhost",
      "*/*",
      "application/json",
      "\u00e9\u00ff",
      "x".repeat(3000),
      "cardea.session-token=x; a=b",
    ),
    fc.constantFrom(
      "a b",
      "[::1]:80",
      "user@a.example",
      "a.example/b",
      "gzip",
      "Bearer %",
      "cardea.callback-url=%ff; cardea.callback-url=y",
    ),
  ),
  { maxKeys: 4 },
);

/** Requests that every server of Node.js passes on, with targets that all parsers read alike. */
export const anyRequest: fc.Arbitrary<RawRequest> = fc
  .record({
    prefix,
    path,
    query,
    headers,
    body,
    method: fc.constantFrom("GET", "GET", "POST", "POST", "POST", "HEAD", "PUT"),
  })
  .map(({ body: { type, body: text }, ...given }) => {
    const hasBody = given.method === "POST" || given.method === "PUT";
    const contentType = hasBody && type !== undefined ? { "Content-Type": type } : {};
    const length = hasBody && text === "" ? { "Content-Length": "0" } : {};
    return {
      // Only the origin form may have a fragment: Fastify rejects an absolute one.
      target:
        given.prefix === ""
          ? `${given.path}${given.query}`
          : `${given.prefix}${given.path}${given.query.split("#")[0]}`,
      method: given.method,
      headers: { Host: "localhost", ...given.headers, ...contentType, ...length },
      body: hasBody ? text : "",
    };
  });

/** A request as the Fetch API has it. */
function toRequest({ target, method = "GET", headers: given = {}, body: text = "" }: RawRequest): Request {
  const all = new Headers(given);
  all.set("connection", "close");
  if (text !== "") all.set("content-length", String(text.length));
  const bytes = Buffer.from(text, "latin1");
  const sent = target.replace(/^https?:\/\/[^/]*/i, "");
  return new Request(`http://localhost${sent}`, { method, headers: all, ...(text === "" ? {} : { body: bytes }) });
}

const CONNECTION = /^(?:date|connection|keep-alive|transfer-encoding|content-length|etag|x-powered-by)$/;

/** Leaves out what is random: tokens, nonces, and what is encrypted. */
const masked = (text: string): string => text.replace(/[\w-]{20,}(?:\.[\w-]*)*/g, "~");

function describeAnswer(status: number, all: Headers, text: string, told: readonly string[]): Handled {
  const lines = [...all]
    .filter(([header]) => !CONNECTION.test(header))
    .map(([header, given]) => `${header}: ${masked(given)}`);
  return { status, headers: lines.sort(), body: masked(text), told };
}

/** An application of the framework that is tested, with {@link recordingConfig} and the routes of the reference. */
export interface Compared {
  readonly origin: string;
  readonly told: string[];
}

/**
 * What the framework and the Fetch API make of the same request.
 *
 * @returns both, to be compared.
 */
export async function handleBoth(
  app: Compared,
  hasForms: boolean,
  request: RawRequest,
): Promise<readonly [Handled, Handled]> {
  app.told.length = 0;
  const answer = await sendRaw(app.origin, request);
  const told: string[] = [];
  const response = await createReference(told, hasForms)(toRequest(request));
  const text = request.method === "HEAD" ? "" : await response.text();
  return [
    describeAnswer(answer.status, answer.headers, unchunked(answer), [...app.told]),
    describeAnswer(response.status, response.headers, text, told),
  ];
}

/** The text of a body that was sent in chunks (RFC 9112 §7.1). */
function unchunked({ headers: all, body: text }: RawAnswer): string {
  if (all.get("transfer-encoding") !== "chunked") return text;
  let [rest, whole] = [Buffer.from(text), ""];
  for (;;) {
    const end = rest.indexOf("\r\n");
    const size = Number.parseInt(rest.subarray(0, end).toString(), 16);
    if (!(size > 0)) return whole;
    whole += rest.subarray(end + 2, end + 2 + size).toString();
    rest = rest.subarray(end + 4 + size);
  }
}
