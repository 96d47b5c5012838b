import { createAuth as createCoreAuth } from "@cardea/core";
import fc from "fast-check";
import { type NextFetchEvent, NextRequest } from "next/server.js";
import { describe, expect, it } from "vitest";
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

describe.each(["core", "Next.js middleware", "Next.js route handlers"])("the guard of %s", (binding) => {
  it("is told one spelling, and lets only an action or an own page through without asking", async () => {
    await fc.assert(
      fc.asyncProperty(setting, async ({ basePath, page, encodedSlashes, target }) => {
        const told: string[] = [];
        let ran = false;
        const authorized = ({ request }: { request: Request }) => {
          told.push(new URL(request instanceof NextRequest ? request.nextUrl.href : request.url).pathname);
          return !told.some((path) => /(?:^|\/)admin(?:\/|$)/i.test(path));
        };
        const config = { ...common, basePath, encodedSlashes, pages: { signIn: page }, callbacks: { authorized } };
        const handler = () => {
          ran = true;
          return new Response("in");
        };
        if (!URL.canParse(`${origin}${target}`)) return;
        const request = new NextRequest(`${origin}${target}`, { headers: { host: "localhost:3000" } });
        const { pathname } = new URL(request.url);
        if (binding === "core") await createCoreAuth(config).auth(handler)(new Request(request.url, request));
        else if (binding.endsWith("handlers")) await createAuth(config).auth(handler)(request, { params: {} });
        else {
          const answer = await createAuth(config).auth(request, {} as NextFetchEvent);
          ran = answer.headers.has("x-middleware-next");
        }
        if (!ran) return;
        if (told.length > 0) {
          expect(told.map((path) => octets(path))).toEqual([joined(octets(pathname))]);
          return;
        }
        const own = page === undefined || page.startsWith("https:") ? undefined : new URL(page, origin).pathname;
        const base = basePath === "/" ? "" : basePath;
        const isAction = pathname.startsWith(`${base}/`) && ACTIONS.test(pathname.slice(base.length));
        expect([pathname, isAction || strip(pathname) === strip(own ?? "none")]).toEqual([pathname, true]);
      }),
      { numRuns: process.env.CARDEA_TEST_LONG ? 1500 : 500 },
    );
  }, 60_000);
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
