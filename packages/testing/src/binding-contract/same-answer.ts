/** For tests of framework adapters on Node.js: a request is handled like a `Request` of the Fetch API that has the same parts. */
import { type AuthConfig, createAuth, skipCSRFCheck } from "@cardea/core";
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

/** Leaves out what is random: tokens, nonces, what is encrypted, the mark of a session, and the reference of an error. */
const masked = (text: string): string =>
  text.replace(/[\w-]{20,}(?:\.[\w-]*)*|(?<=-mark=)[\w-]+|(?<=Reference: (?:<[^>]*>)?)[\da-f]{10}/g, "~");

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
