import { createAuth as createCoreAuth } from "@cardea/core";
import fc from "fast-check";
import { type NextFetchEvent, NextRequest } from "next/server.js";
import { describe, expect, it } from "vitest";
import { isLong } from "../../testing/src/long-form.ts";
import { createAuth } from "./index.ts";

const origin = "http://localhost:3000";
const common = {
  secret: "a secret of more than thirty-two bytes for tests",
  logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  providers: [],
  trustHost: true,
};
const ACTIONS =
  /^\/(?:csrf|providers|session|signout|error|verify-request|webauthn-(?:script|options)|(?:signin|callback)(?:\/[^/]+)?|webauthn-options\/[^/]+)\/?$/;

const piece = fc.constantFrom(
  ...[
    "admin",
    "auth",
    "api",
    "session",
    "signin",
    "login",
    "op",
    "a",
    "b",
    "..",
    "%2e%2e",
    "%252e%252e",
    "..%2f",
    "%5c",
  ],
  ...["%61dmin", "ADMIN", "", "%00", "%", "a%20b", "%7Bx%7D", "caf%C3%A9", "%2F", "?x=1", ".", "%2E", "Auth", "%25"],
);
const target = fc
  .tuple(
    fc.constantFrom("/", "/", "/", "//", "/api/auth/", "/auth/"),
    fc.array(piece, { maxLength: 6 }),
    fc.constantFrom("", "/"),
  )
  .map(([start, parts, end]) => `${start}${parts.join("/")}${end}`);
const setting = fc.record({
  basePath: fc.constantFrom("/auth", "/api/auth", "/", "/a/b"),
  page: fc.constantFrom(undefined, "/login", "/login/", "/login?x=1", `${origin}/login`, "https://other.example/", "/"),
  encodedSlashes: fc.constantFrom("allow" as const, "refuse" as const),
  target,
});

type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never;
type Handler = () => Response;
type Authorized = (asked: { request: Request }) => boolean;
/** Runs a guard in front of a handler. */
type Guard = (setting: Setting, authorized: Authorized, handler: Handler, request: NextRequest) => Promise<unknown>;

const configOf = ({ basePath, page, encodedSlashes }: Setting, authorized: Authorized) => ({
  ...common,
  basePath,
  encodedSlashes,
  pages: { signIn: page },
  callbacks: { authorized },
});
const baseOf = ({ basePath }: Setting) => (basePath === "/" ? "" : basePath);

const guards: Readonly<Record<string, Guard>> = {
  core: async (setting, authorized, handler, request) =>
    createCoreAuth(configOf(setting, authorized)).auth(handler)(new Request(request.url, request)),
  "Next.js middleware": async (setting, authorized, handler, request) => {
    const answer = await createAuth(configOf(setting, authorized)).auth(request, {} as NextFetchEvent);
    if (answer.headers.has("x-middleware-next")) handler();
  },
  "Next.js route handlers": async (setting, authorized, handler, request) =>
    createAuth(configOf(setting, authorized)).auth(handler)(request, { params: {} }),
};

/** The former rule, for the control: what begins like the actions, or has the path of an own page anywhere, is let through. */
const formerGuard: Guard = async (setting, authorized, handler, request) => {
  const { pathname } = new URL(request.url);
  const own = setting.page === undefined ? undefined : new URL(setting.page, origin).pathname;
  const isExempt = pathname.startsWith(`${baseOf(setting)}/`) || pathname === own;
  if (isExempt || authorized({ request })) handler();
};

const property = (guard: Guard) =>
  fc.asyncProperty(setting, async (where) => {
    const { page, target } = where;
    const told: string[] = [];
    let ran = false;
    const authorized: Authorized = ({ request }) => {
      told.push(new URL(request instanceof NextRequest ? request.nextUrl.href : request.url).pathname);
      return !told.some((path) => /(?:^|\/)admin(?:\/|$)/i.test(path));
    };
    const handler = () => {
      ran = true;
      return new Response("in");
    };
    if (!URL.canParse(`${origin}${target}`)) return;
    const request = new NextRequest(`${origin}${target}`, { headers: { host: "localhost:3000" } });
    const { pathname } = new URL(request.url);
    await guard(where, authorized, handler, request);
    if (!ran) return;
    if (told.length > 0) {
      expect(told.map((path) => octets(path))).toEqual([joined(octets(pathname))]);
      return;
    }
    const own = page === undefined || page.startsWith("https:") ? undefined : new URL(page, origin).pathname;
    const base = baseOf(where);
    const isAction = pathname.startsWith(`${base}/`) && ACTIONS.test(pathname.slice(base.length));
    expect([pathname, isAction || strip(pathname) === strip(own ?? "none")]).toEqual([pathname, true]);
  });

describe.each(Object.entries(guards))("the guard of %s", (_binding, guard) => {
  it("is told one spelling, and lets only an action or an own page through without asking", async () => {
    await fc.assert(property(guard), { numRuns: isLong ? 1500 : 50 });
  });
});

describe("a guard that compares the beginning of a path", () => {
  it("lets other routes through, and the same property finds them", async () => {
    const { failed } = await fc.check(property(formerGuard), { numRuns: 500, endOnFailure: true });
    expect(failed).toBe(true);
  });
});

const octets = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) =>
    hex.toLowerCase() === "2f" ? "%2F" : String.fromCharCode(Number.parseInt(hex, 16)),
  );
const joined = (path: string): string =>
  `/${path
    .split("/")
    .filter((one) => one !== "")
    .join("/")}`;
const strip = (path: string): string => path.replace(/\/$/, "");
