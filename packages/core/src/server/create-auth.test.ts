import { type AuthInstance, createAuth } from "@cardea/core";
import { createTestSession } from "@cardea/testing";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import type { AuthConfig } from "../model/config.ts";
import type { OIDCProvider } from "../model/oauth-provider.ts";
import type { Session } from "../model/records.ts";

const origin = "http://localhost:3000";
const secret = "a secret of more than thirty-two bytes for tests";
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined };

/** An application whose sessions are renewed at every read, and a request of a user who is signed in. */
async function setUp(overrides: Partial<AuthConfig> = {}) {
  const config: AuthConfig = { secret, providers: [], logger: silent, session: { updateAge: 0 }, ...overrides };
  const { header } = await createTestSession(config, { url: origin, user: { id: "7", name: "Ann" } });
  return { config, send: () => new Request(`${origin}/members`, { headers: { cookie: header } }) };
}

const setsSession = (response: Response) =>
  response.headers.getSetCookie().flatMap((line) => /^cardea\.session-token=.../.exec(line) ?? []);

it("operations without a request say what they need", async () => {
  const { auth, signIn, signOut, unstable_update } = createAuth({ secret, providers: [], logger: silent });
  // @ts-expect-error A caller without types, or one who knows Auth.js for Next.js.
  expect(() => auth()).toThrow("auth() requires the request.");
  // @ts-expect-error The same.
  await expect(signIn("op")).rejects.toThrow("signIn() requires the request.");
  // @ts-expect-error The same.
  await expect(signOut()).rejects.toThrow("signOut() requires the request.");
  // @ts-expect-error The same.
  await expect(unstable_update({ user: { name: "Ann" } })).rejects.toThrow("unstable_update() requires the request.");
});

describe("the destination of signIn() and signOut()", () => {
  const form = (...fields: readonly (readonly [string, string])[]) => {
    const data = new FormData();
    for (const [name, value] of fields) data.append(name, value);
    return data;
  };

  it.each([
    ["http://localhost:3000/cart?item=7", "/auth", "/cart?item=7"],
    ["http://localhost:3000/auth/signin?callbackUrl=/x", "/auth", "/"],
    ["http://localhost:3000/auth/error", "/auth", "/"],
    ["http://localhost:3000/auth/login", "/auth", "/auth/login"],
    ["http://localhost:3000/cart", "/", "/cart"],
    ["http://localhost:3000/signout", "/", "/"],
    ["https://evil.example/cart", "/auth", "/"],
    ["not a URL", "/auth", "/"],
    [undefined, "/auth", "/"],
  ])("of a request from %s, with the base path %s, is by default %s", async (referer, basePath, expected) => {
    const { signIn, signOut } = createAuth({ secret, providers: [], logger: silent, basePath });
    const request = new Request(`${origin}/leave`, { headers: referer === undefined ? {} : { referer } });
    const left = await signOut(request);
    const begun = new URL((await signIn(request)).headers.get("location") ?? "");
    for (const url of [left.headers.get("location"), begun.searchParams.get("callbackUrl")])
      expect(new URL(url ?? "").href).toBe(`${origin}${expected}`);
    expect((await signOut(request, { redirectTo: "/bye" })).headers.get("location")).toBe(`${origin}/bye`);
    expect((await signOut(request, null)).headers.get("location")).toBe(left.headers.get("location"));
    expect((await signIn(request, undefined, null)).headers.get("location")).toBe(begun.href);
  });

  it("is the first of a repeated field, as at the endpoints", async () => {
    const { signIn } = createAuth({ secret, providers: [], logger: silent });
    const begun = await signIn(new Request(origin), undefined, form(["redirectTo", "/one"], ["redirectTo", "/two"]));
    expect(new URL(begun.headers.get("location") ?? "").searchParams.get("callbackUrl")).toBe(`${origin}/one`);
  });
});

it("names the package of the framework where something else than a Request is passed", () => {
  const { auth, handlers } = createAuth({ secret, providers: [], logger: silent });
  const ofExpress = { url: "/auth/session", method: "GET", headers: { host: "localhost:3000" } } as unknown as Request;
  expect(() => auth(ofExpress)).toThrow(/from the package of the framework, such as @cardea\/express/);
  expect(() => handlers.GET(ofExpress)).toThrow(TypeError);
});

it("does not start on a version of Node.js that it does not support", () => {
  const on = (node: string) => {
    vi.stubGlobal("process", Object.create(process, { versions: { value: { node } } }));
    return () => createAuth({ secret, providers: [], logger: silent });
  };
  expect(on("18.20.8")).toThrow("Node.js 18.20.8 is not supported: use Node.js 20.19 or later.");
  expect(on("20.19.0")).not.toThrow();
  vi.unstubAllGlobals();
});

describe("the sign-in page at another host than AUTH_URL", () => {
  it.each([
    ["https://app.example.com", {}, 1],
    ["https://app.example.com", { "x-forwarded-host": "localhost:3000", "x-forwarded-proto": "http" }, 1],
    ["https://localhost:3443", {}, 1],
    ["https://app.example.com", { "x-forwarded-host": "app.example.com", "x-forwarded-proto": "https" }, 0],
    ["https://localhost:3443", { "x-forwarded-proto": "https" }, 0],
    ["http://localhost:5173", {}, 0],
  ])("is named once in development: %s, with %j", async (url, headers, times) => {
    vi.stubEnv("AUTH_URL", url);
    const warned: string[] = [];
    const logger = { ...silent, warn: (line: string) => void warned.push(line) };
    const { handlers } = createAuth({ secret, providers: [], logger });
    const open = () =>
      handlers.GET(new Request(`${origin}/auth/signin`, { headers: { host: "localhost:3000", ...headers } }));
    for (let n = 0; n < 2; n++) expect((await open()).status).toBe(200);
    const line = `other-host: the sign-in page was opened at http://localhost:3000, but AUTH_URL is ${url}`;
    expect(warned).toEqual(Array(times).fill(expect.stringContaining(line)));
    vi.unstubAllEnvs();
  });
});

describe("signIn() with an id that no provider has", () => {
  it.each([
    [
      "development",
      "typo",
      [`unknown-provider: signIn("typo") shows the sign-in page. The ids of the providers are: op.`],
    ],
    ["development", undefined, []],
    ["production", "typo", []],
  ])("leads to the sign-in page; in %s, the log for %s is %j", async (mode, id, expected) => {
    vi.stubEnv("NODE_ENV", mode);
    const warned: string[] = [];
    const logger = { ...silent, warn: (line: string) => void warned.push(line) };
    const op = {
      id: "op",
      name: "OP",
      type: "oidc",
      issuer: "https://op.example.com",
      clientId: "c",
      clientSecret: "s",
    };
    const { signIn } = createAuth({ secret, providers: [op as OIDCProvider], logger, trustHost: true });
    const answer = await signIn(new Request(origin), id);
    expect(answer.headers.get("location")).toBe(`${origin}/auth/signin?callbackUrl=${encodeURIComponent(origin)}`);
    expect(warned).toEqual(expected);
    vi.unstubAllEnvs();
  });
});

describe("auth(handler)", () => {
  it("answers 503 with Retry-After when no one can say who is there, and does not run the handler (contract 6)", async () => {
    const { config, send } = await setUp();
    const down = { ...config, callbacks: { session: () => Promise.reject(new Error("the database is down")) } };
    let ran = false;
    const handle = createAuth(down).auth(() => {
      ran = true;
      return new Response("in");
    });
    const answer = await handle(send());
    expect([answer.status, answer.headers.get("retry-after"), ran]).toEqual([503, "5", false]);
    expect([answer.headers.getSetCookie(), await answer.text()]).toEqual([[], expect.not.stringContaining("database")]);
    await expect(createAuth(down).auth(send())).rejects.toMatchObject({ type: "SessionUnavailable" });
  });

  it("passes on what callbacks.authorized throws (H347)", async () => {
    const { config, send } = await setUp();
    const throws = () => Promise.reject(new Error("no"));
    const handle = createAuth({ ...config, callbacks: { authorized: throws } }).auth(() => new Response("in"));
    await expect(handle(send())).rejects.toMatchObject({ type: "CallbackRouteError" });
  });

  it("lets a handler that ends the session have the last word over its renewal", async () => {
    const { config, send } = await setUp();
    const { auth, signOut } = createAuth(config);
    const renewed = await auth(() => new Response("in"))(send());
    expect(setsSession(renewed)).toEqual(["cardea.session-token=eyJ"]);
    const ended = await auth((request) => signOut(request))(send());
    expect(setsSession(ended)).toEqual(["cardea.session-token=; M"]);
  });

  it("keeps a renewed session out of every shared cache (H351)", async () => {
    const { config, send } = await setUp();
    const headers = { "cache-control": "public, s-maxage=600", "cdn-cache-control": "max-age=600" };
    const answer = await createAuth(config).auth(() => new Response("-", { headers }))(send());
    expect(answer.headers.get("cache-control")).toBe("private, no-cache, no-store");
    expect(answer.headers.has("cdn-cache-control")).toBe(false);
  });
});

describe("responses of server code", () => {
  it("are stored by no cache, old ones included, where they depend on cookies (contract 3)", async () => {
    const { config, send } = await setUp();
    const denied = { ...config, callbacks: { authorized: () => false } };
    const down = { ...config, callbacks: { session: () => Promise.reject(new Error("the database is down")) } };
    const script = () => new Request(`${origin}/members`, { headers: { "sec-fetch-mode": "cors" } });
    const responses = [
      await createAuth(denied).auth(() => new Response("in"))(new Request(`${origin}/members`)),
      await createAuth(denied).auth(() => new Response("in"))(script()),
      await createAuth(down).auth(() => new Response("in"))(send()),
      await createAuth(config).signOut(send()),
    ];
    expect(responses.map(({ status }) => status)).toEqual([302, 401, 503, 302]);
    for (const { headers } of responses)
      expect(["cache-control", "expires", "pragma"].map((name) => headers.get(name))).toEqual([
        "private, no-cache, no-store",
        "0",
        "no-cache",
      ]);
  });

  it("are stored by no shared cache, whatever is set on the headers that were passed for a renewal", async () => {
    const { config, send } = await setUp();
    const headers = new Headers();
    await createAuth(config).auth(send(), headers);
    headers.set("cache-control", "public, max-age=600");
    headers.set("cdn-cache-control", "max-age=600");
    headers.set("set-cookie", "theirs=1");
    expect([headers.get("cache-control"), headers.get("cdn-cache-control")]).toEqual([
      "private, no-cache, no-store",
      null,
    ]);
    expect(headers.getSetCookie().map((line) => line.split("=")[0])).toEqual(["cardea.session-token", "theirs"]);
  });
});

describe("createAuth()", () => {
  const claims = ({ token }: { readonly token: { readonly sub?: string | undefined } }) => token.sub ?? "";

  it("knows the session of callbacks.session, wherever callbacks.authorized stands", () => {
    const after = () =>
      createAuth({
        secret,
        providers: [],
        callbacks: {
          session: ({ session, token }) => ({ ...session, id: claims({ token }) }),
          authorized: ({ auth }) => {
            expectTypeOf(auth?.id).toEqualTypeOf<string | undefined>();
            return true;
          },
        },
      });
    const before = () =>
      createAuth({
        secret,
        providers: [],
        callbacks: {
          authorized: ({ auth }) => {
            expectTypeOf(auth).toEqualTypeOf<Session | null>();
            return auth !== null;
          },
          session: ({ session, token }) => ({ ...session, id: claims({ token }) }),
        },
      });
    expectTypeOf(after).returns.toEqualTypeOf<ReturnType<typeof before>>();
    expectTypeOf(before).returns.toExtend<AuthInstance<{ id: string }>>();
    expect([after, before]).toHaveLength(2);
  });
});
