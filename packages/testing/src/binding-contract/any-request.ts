import fc from "fast-check";
import type { RawRequest } from "./send-raw.ts";

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
