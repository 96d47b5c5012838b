import { createRequire } from "node:module";
import { encode } from "@cardea/core/jwt";
import { type NextFetchEvent, NextRequest } from "next/server.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { encodeFormer, SECRET } from "../test/former-tokens.ts";
import standard, { type NextAuthMiddlewareOptions, withAuth } from "./middleware.ts";

/** The real one. Its declarations would add those of another Next.js to the program. */
const former: { withAuth: typeof withAuth } = createRequire(import.meta.url)("next-auth-4/middleware");

const origin = "http://localhost:3000";
const event = Object({ waitUntil: () => undefined }) as NextFetchEvent;
const NAME = "next-auth.session-token";

const previous = process.env.AUTH_SECRET;
beforeAll(() => {
  process.env.AUTH_SECRET = SECRET;
});
afterAll(() => {
  if (previous === undefined) delete process.env.AUTH_SECRET;
  else process.env.AUTH_SECRET = previous;
});

const users = { visitor: null, user: { sub: "1", role: "user" }, admin: { sub: "2", role: "admin" } };
type User = keyof typeof users;

async function requestOf(user: User, path: string, name = NAME): Promise<NextRequest> {
  const claims = users[user];
  const cookie = claims === null ? "" : `${name}=${await encodeFormer("nextauth-v4", claims)}`;
  return new NextRequest(origin + path, { headers: { host: "localhost:3000", cookie } });
}

/** What became of a request: `through`, its redirect, or its error. */
async function outcome(run: () => unknown): Promise<string> {
  try {
    const result = await run();
    if (!(result instanceof Response)) return result === undefined ? "through" : typeof result;
    return `${result.status} ${result.headers.get("location") ?? (await result.text())}`;
  } catch (error) {
    return `threw ${error instanceof Error ? error.message : ""}`;
  }
}

const results: Readonly<Record<string, (token: unknown) => unknown>> = {
  "nothing, for some": (token) => (Object(token).role === "admin" ? true : undefined),
  "nothing, ever": () => undefined,
  null: () => null,
  "false, for some": (token) => Object(token).role === "admin",
  "a text": (token) => Object(token).role,
  "an empty text": () => "",
  zero: () => 0,
  "the token": (token) => token,
  "a promise": async (token) => token !== null,
  "an error": () => {
    throw new Error("no");
  },
};

const paths = [
  "/members?a=1",
  "/login",
  "/login/x",
  "/oops",
  "/api/auth/session",
  "/api/auth",
  "/_next/static/a.css",
  "/favicon.ico",
];

describe("withAuth()", () => {
  it.each(Object.keys(results))(
    "decides as NextAuth v4 does where `authorized` returns %s (docs/from-nextauth.md#with-auth-nothing, docs/from-nextauth.md#with-auth-truthy, docs/from-nextauth.md#with-auth-open, docs/from-nextauth.md#with-auth-denied)",
    async (name) => {
      const decide = results[name] ?? (() => false);
      const options = {
        pages: { signIn: "/login", error: "/oops" },
        callbacks: { authorized: ({ token }: { token: unknown }) => decide(token) as boolean },
      };
      for (const path of paths) {
        for (const user of Object.keys(users) as User[]) {
          const forms = (library: { withAuth: typeof withAuth }, given: NextAuthMiddlewareOptions) => [
            (req: NextRequest) => library.withAuth(given)(Object.assign(req), event),
            (req: NextRequest) => library.withAuth(req, given),
            (req: NextRequest) =>
              library.withAuth((one) => new Response(`${one.nextauth.token?.sub}`), given)(Object.assign(req), event),
          ];
          const ours = forms({ withAuth }, options);
          for (const [index, theirs] of forms(former, options).entries()) {
            const request = await requestOf(user, path);
            const expected = await outcome(() => theirs(request));
            const actual = await outcome(async () => ours[index]?.(await requestOf(user, path)));
            expect({ path, user, index, actual }).toEqual({ path, user, index, actual: expected });
          }
        }
      }
    },
  );

  it("guards as NextAuth v4 does without options, and as the default export (docs/from-nextauth.md#v4-with-auth)", async () => {
    for (const path of paths) {
      for (const user of Object.keys(users) as User[]) {
        const request = await requestOf(user, path);
        const expected = await outcome(() => former.withAuth(request, event));
        expect(await outcome(() => standard(request, event))).toBe(expected);
      }
    }
  });

  it("reads a cookie of another name, and Cardea's", async () => {
    const options = { cookies: { sessionToken: { name: "theirs" } } };
    expect(await outcome(async () => withAuth(await requestOf("user", "/members", "theirs"), options))).toBe("through");
    const visitor = await requestOf("visitor", "/members", "theirs");
    // As a server does that brings its own, for example `@hono/node-server`.
    vi.stubGlobal("Request", class extends Request {});
    expect(await outcome(() => withAuth(visitor, options))).toMatch(/^307 /);
    vi.unstubAllGlobals();
    expect(await outcome(async () => withAuth(await requestOf("user", "/members"), options))).toMatch(/^307 /);
    const token = await encode({ token: { sub: "1" }, secret: SECRET, salt: "cardea.session-token" });
    const headers = { host: "localhost:3000", cookie: `cardea.session-token=${token}` };
    expect(await outcome(() => withAuth(new NextRequest(`${origin}/members`, { headers })))).toBe("through");
    expect(
      await outcome(() => withAuth(new NextRequest(`${origin}/members`, { headers }), { secret: `${SECRET}-` })),
    ).toMatch(/^307 /);
  });

  it("compares paths by segments, where NextAuth v4 compares the beginning", async () => {
    for (const path of ["/api/authors", "/_nextdoor", "/favicon.icons"]) {
      const request = await requestOf("visitor", path);
      expect(await outcome(() => former.withAuth(request))).toBe("through");
      expect(await outcome(() => withAuth(request))).toMatch(/^307 /);
    }
  });

  it("gives a visitor the token null (docs/from-nextauth.md#with-auth-token)", async () => {
    for (const library of [former, { withAuth }]) {
      const seen: unknown[] = [];
      const handler = library.withAuth((one) => void seen.push(one.nextauth.token), {
        callbacks: { authorized: () => true },
      });
      for (const user of ["visitor", "user"] as const)
        await handler(Object.assign(await requestOf(user, "/members")), event);
      expect(seen).toEqual([null, expect.objectContaining({ sub: "1" })]);
    }
  });

  it("resolves to undefined for a request that may continue, and renews nothing (docs/from-nextauth.md#with-auth-called, docs/from-nextauth.md#with-auth-session)", async () => {
    for (const library of [former, { withAuth }]) {
      expect(await library.withAuth(await requestOf("user", "/members"), {})).toBeUndefined();
      expect(await library.withAuth(await requestOf("visitor", "/members"), {})).toBeInstanceOf(Response);
      const handler = library.withAuth(() => new Response(), {});
      const answer = await handler(Object.assign(await requestOf("user", "/members")), event);
      expect(answer instanceof Response && answer.headers.getSetCookie()).toEqual([]);
    }
  });
});
