// No user signs in again: sessions that the former libraries made, for every reader, past renewals, and back.
import { createRequire } from "node:module";
import { Auth as FormerAuth } from "@auth/core";
import { type AuthConfig, createAuth } from "@cardea/core";
import { encode, getToken } from "@cardea/core/jwt";
import { createBrowser } from "@cardea/testing";
import { type NextFetchEvent, NextRequest } from "next/server.js";
import { describe, expect, it } from "vitest";
import { encodeFormer, FORMER_SECRET, NAMES, SECRET, type Version, versions } from "../test/former-tokens.ts";
import { bridge } from "./bridge.ts";
import { withAuth } from "./middleware.ts";

/** The reader of NextAuth v4 itself. Its declarations would add those of another Next.js to the program. */
const former: { getToken(params: object): Promise<Readonly<Record<string, unknown>> | null> } = createRequire(
  import.meta.url,
)("next-auth-4/jwt");

type Cookies = NonNullable<AuthConfig["cookies"]>;

/** How an application configures its session cookie: that of the former library, and ours. */
interface Setting {
  readonly what: string;
  /** The name that was configured; default: the former library's. */
  readonly formerName?: string;
  readonly cookies: Cookies;
}

const options = (given: object, name?: string): Cookies => ({
  sessionToken: { options: given, ...(name === undefined ? {} : { name }) },
});

const SETTINGS: readonly Setting[] = [
  { what: "defaults", cookies: {} },
  { what: "a domain", cookies: options({ domain: "example.com" }) },
  { what: "a domain with a dot", cookies: options({ domain: ".example.com" }) },
  { what: "a former name", formerName: "shop.session", cookies: {} },
  { what: "a former name and a domain", formerName: "shop.session", cookies: options({ domain: "example.com" }) },
  { what: "our name", cookies: options({}, "cardea.shop") },
  {
    what: "both names and a domain",
    formerName: "shop.session",
    cookies: options({ domain: "example.com" }, "cardea.shop"),
  },
];

const ORIGINS = ["https://app.example.com", "http://app.example.com"] as const;

const rows = versions.flatMap((version) =>
  ORIGINS.flatMap((origin) => SETTINGS.map((setting) => ({ version, origin, ...setting }))),
);

interface Row extends Setting {
  readonly version: Version;
  readonly origin: string;
}

/** An application that has been moved, a browser that was signed in before, and everything that reads its session. */
async function setUp(
  { version, origin, formerName, cookies }: Row,
  { secret = SECRET, isShared = false }: { readonly secret?: string; readonly isShared?: boolean } = {},
) {
  const isSecure = origin.startsWith("https:");
  const name = formerName ?? (isSecure ? NAMES[version] : NAMES[version].replace("__Secure-", ""));
  const accept = [{ format: version, cookie: formerName }];
  const extensions = [bridge(isShared ? { accept, emit: version } : { accept })];
  const config: AuthConfig = {
    ...{ secret: SECRET, trustHost: true, providers: [], logger: { warn: () => {} } },
    ...{ cookies, extensions, session: { updateAge: 0 } },
  };
  const instance = createAuth(config);
  const browser = createBrowser((request) => instance.handlers.GET(request), { origin });
  const domain = cookies.sessionToken?.options?.domain;
  const token = await encodeFormer(version, { sub: "7", name: "Ann" }, { salt: name, secret });
  const attributes = `Path=/; HttpOnly${isSecure ? "; Secure" : ""}${domain === undefined ? "" : `; Domain=${domain}`}`;
  browser.cookies.set(`${name}=${token}; ${attributes}`);
  const headers = () => ({
    host: "app.example.com",
    cookie: browser.cookies
      .list()
      .map((one) => `${one.name}=${one.value}`)
      .join("; "),
  });
  const request = () => new Request(`${origin}/members`, { headers: headers() });
  const guarded = instance.auth((req) => new Response(req.auth?.user?.name ?? "visitor"));
  const hasOwnName = cookies.sessionToken?.name !== undefined;
  const readers: Readonly<Record<string, () => Promise<unknown>>> = {
    auth: async () => (await instance.auth(request()))?.user?.name ?? null,
    "auth(handler)": async () => {
      const text = await (await guarded(request())).text();
      return text === "visitor" ? null : text;
    },
    "getToken() with the configuration": async () =>
      (await getToken({ req: request(), secret: SECRET, cookies, extensions }))?.name ?? null,
    ...(hasOwnName
      ? {}
      : {
          "getToken() without a configuration": async () =>
            (await getToken({ req: request(), secret: SECRET, extensions }))?.name ?? null,
        }),
    ...(hasOwnName || version === "authjs-v5"
      ? {}
      : {
          withAuth: async () => {
            const read = withAuth((one) => new Response(`${one.nextauth.token?.name}`), {
              secret: SECRET,
              cookies: { sessionToken: { name: formerName } },
            });
            const event = Object({ waitUntil: () => undefined }) as NextFetchEvent;
            const answer = await read(
              Object.assign(new NextRequest(`${origin}/members`, { headers: headers() })),
              event,
            );
            return answer instanceof Response && answer.status === 200 ? answer.text() : null;
          },
        }),
  };
  const read = async () =>
    Object.fromEntries(await Promise.all(Object.entries(readers).map(async ([key, ask]) => [key, await ask()])));
  const session = async () => (await (await browser.fetch("/auth/session")).json())?.user?.name ?? null;
  const everyone = (value: unknown) => Object.fromEntries(Object.keys(readers).map((key) => [key, value]));
  return { name, browser, headers, request, read, session, everyone };
}

/** What the former library itself reads from the cookies of a browser; fails where it answers with an error. */
async function readFormer(version: Version, name: string, request: Request): Promise<unknown> {
  if (version === "nextauth-v4") {
    const headers = Object.fromEntries(request.headers);
    const cookies = Object.fromEntries((headers.cookie ?? "").split("; ").map((pair) => pair.split("=")));
    return (await former.getToken({ req: { headers, cookies }, secret: SECRET, cookieName: name }))?.name ?? null;
  }
  const url = new URL("/auth/session", request.url);
  const answer = await FormerAuth(new Request(url, request), {
    ...{ secret: SECRET, trustHost: true, providers: [], basePath: "/auth" },
    ...{ cookies: { sessionToken: { name } }, logger: { error: () => {}, warn: () => {} } },
  });
  expect(answer.status).toBe(200);
  return (await answer.json())?.user?.name ?? null;
}

describe("a session that was made before the move", () => {
  it.each(rows)("of $version at $origin with $what is read by everyone, past renewals, and back", async (row) => {
    const app = await setUp(row);
    expect(await readFormer(row.version, app.name, app.request())).toBe("Ann");
    expect(await app.read()).toEqual(app.everyone("Ann"));
    const snapshot = app.browser.cookies.snapshot();
    expect(await app.session()).toBe("Ann");
    // Ours now: the former cookie is cleared, and the next renewal changes nothing.
    expect(app.browser.cookies.list().map((one) => one.name)).not.toContain(app.name);
    for (const _ of [1, 2]) {
      expect(await app.read()).toEqual(app.everyone("Ann"));
      expect(await app.session()).toBe("Ann");
    }
    expect(await readFormer(row.version, app.name, app.request())).toBe(null);
    // A browser that was not renewed is signed in on both sides.
    app.browser.cookies.restore(snapshot);
    expect(await readFormer(row.version, app.name, app.request())).toBe("Ann");
  });

  it.each(rows)("of $version at $origin with $what, made with another secret, is read by no one", async (row) => {
    const app = await setUp(row, { secret: FORMER_SECRET });
    expect(await app.read()).toEqual(app.everyone(null));
    expect(await app.session()).toBe(null);
  });

  it.each(rows)("of $version at $origin with $what is shared by `emit`: both libraries read ours", async (row) => {
    const app = await setUp(row, { isShared: true });
    for (const _ of [1, 2]) {
      const before = app.headers().cookie;
      expect(await app.session()).toBe("Ann");
      expect(app.headers().cookie).not.toBe(before);
      expect(app.browser.cookies.list().map((one) => one.name)).toEqual([app.name]);
      expect(await app.read()).toEqual(app.everyone("Ann"));
      expect(await readFormer(row.version, app.name, app.request())).toBe("Ann");
    }
  });
});

describe.each(versions)("API keys that `encode()` of %s made", (version) => {
  it("are read by getToken() with the bridge, over https and http, for as long as they are valid", async () => {
    const extensions = [bridge({ accept: [version] })];
    const plain = NAMES[version].replace("__Secure-", "");
    for (const salt of [NAMES[version], plain]) {
      const key = await encodeFormer(version, { sub: "7" }, { salt, maxAge: 365 * 86_400 });
      for (const origin of ORIGINS) {
        const req = new Request(origin, { headers: { authorization: `Bearer ${key}` } });
        expect(await getToken({ req, secret: SECRET, extensions })).toMatchObject({ sub: "7" });
        expect(await getToken({ req, secret: SECRET })).toBe(null);
        expect(await getToken({ req, secret: FORMER_SECRET, extensions })).toBe(null);
        expect(await getToken({ req, secret: SECRET, extensions, maxAge: 0 })).toBe(null);
      }
    }
    const own = await encode({ token: { sub: "8" }, secret: SECRET });
    const req = new Request(ORIGINS[0], { headers: { authorization: `Bearer ${own}` } });
    expect(await getToken({ req, secret: SECRET, extensions })).toMatchObject({ sub: "8" });
  });
});
