import { createAuth } from "@cardea/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { decode, encode } from "../crypto/jwt.ts";
import type { JWTDecodeParams, JWTEncodeParams } from "../model/config.ts";
import type { CookiesOptions } from "../model/cookie-options.ts";
import { getToken } from "./get-token.ts";

const SECRET = "a secret of more than thirty-two bytes for tests";
const PLAIN = "cardea.session-token";
const HOST = `__Host-${PLAIN}`;
const SECURE = `__Secure-${PLAIN}`;
const HTTPS = "https://app.example.com/";
const HTTP = "http://app.example.com/";
const HANDSHAKE = { upgrade: "websocket" };

const mint = (salt: string, sub = salt) => encode({ token: { sub }, secret: SECRET, salt });
const cookieOf = async (...names: string[]) =>
  (await Promise.all(names.map(async (name) => `${name}=${await mint(name)}`))).join("; ");

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("getToken()", () => {
  it("finds the session beside cookies of others, as claims and raw", async () => {
    const own = await mint(HOST);
    for (const cookie of [`${HOST}=x; ${HOST}=${own}`, `${HOST}.0=x; ${HOST}=${own}`, `${HOST}=x; ${HOST}.0=${own}`]) {
      const req = { headers: { cookie }, url: HTTPS };
      expect((await getToken({ req, secret: SECRET }))?.sub).toBe(HOST);
      expect(await getToken({ req, secret: SECRET, raw: true })).toBe(own);
    }
    const req = { headers: { cookie: `${HOST}=x; ${HOST}=y` }, url: HTTPS };
    expect(await getToken({ req, secret: SECRET })).toBe(null);
    expect(await getToken({ req, secret: SECRET, raw: true })).toBe("x");
  });

  it.each<[CookiesOptions, string, string]>([
    [{}, HOST, PLAIN],
    [{ sessionToken: { options: { domain: "example.com" } } }, SECURE, PLAIN],
    [{ sessionToken: { options: { path: "/app" } } }, SECURE, PLAIN],
    [{ sessionToken: { options: { secure: false } } }, PLAIN, PLAIN],
    [{ sessionToken: { name: "shop", options: { domain: "example.com" } } }, "shop", "shop"],
    [{ csrfToken: { name: "csrf" } }, HOST, PLAIN],
  ])("given the option cookies %j reads only the name that auth() reads", async (cookies, onHttps, onHttp) => {
    const { auth } = createAuth({ secret: SECRET, providers: [], trustHost: true, cookies });
    for (const [url, expected] of [
      [HTTPS, onHttps],
      [HTTP, onHttp],
    ] as const) {
      for (const name of [PLAIN, HOST, SECURE, "shop"]) {
        const request = new Request(url, { headers: { cookie: await cookieOf(name) } });
        const found = [
          (await auth(request)) !== null,
          (await getToken({ req: request, secret: SECRET, cookies }))?.sub,
        ];
        expect([url, name, ...found]).toEqual([url, name, ...(name === expected ? [true, name] : [false, undefined])]);
      }
    }
  });

  it("without the option cookies reads on https `__Host-`, then `__Secure-`, with a good token, and never the plain name", async () => {
    const read = (cookie: string, url = HTTPS) => getToken({ req: { url, headers: { cookie } }, secret: SECRET });
    expect(await read(await cookieOf(SECURE, HOST))).toMatchObject({ sub: HOST });
    expect(await read(`${HOST}=bad; ${await cookieOf(SECURE)}`)).toMatchObject({ sub: SECURE });
    expect(await read(await cookieOf(PLAIN))).toBe(null);
    expect(await read(await cookieOf(HOST, SECURE), HTTP)).toBe(null);
  });

  it("reads a token of `encode()` in the header, whatever the scheme; one without a salt too", async () => {
    const keys = [await encode({ token: { sub: "1" }, secret: SECRET }), await mint(PLAIN), await mint(SECURE)];
    for (const key of keys) {
      for (const url of [HTTPS, HTTP, "/api", undefined]) {
        const req = { url, headers: { authorization: `Bearer ${key}` } };
        expect(await getToken({ req, secret: SECRET })).not.toBe(null);
        expect(await getToken({ req, secret: `${SECRET}-` })).toBe(null);
      }
    }
    expect(await decode({ token: keys[0] ?? "", secret: SECRET })).toMatchObject({ sub: "1" });
    expect(await decode({ token: keys[0] ?? "", secret: SECRET, salt: "another" })).toBe(null);
  });

  it.each([
    [{ url: HTTPS }, {}, HOST],
    [{ url: HTTP }, {}, PLAIN],
    [{ url: HTTP, headers: { "x-forwarded-proto": "https, http" } }, {}, HOST],
    [{ url: "/path", protocol: "https" }, {}, HOST],
    [{ url: HTTP, headers: { "x-forwarded-proto": "wss", ...HANDSHAKE } }, {}, HOST],
    [{ url: "wss://app.example.com/path", headers: HANDSHAKE }, {}, HOST],
    [{ url: "ws://app.example.com/path", headers: HANDSHAKE }, {}, PLAIN],
    [{ url: "/path", protocol: "http" }, {}, PLAIN],
    [{ url: "/path", protocol: "https:" }, {}, HOST],
    [{ url: "/path", protocol: "http:" }, {}, PLAIN],
    [{ url: HTTP }, { AUTH_URL: "https://app.example.com" }, HOST],
    [{}, { NODE_ENV: "production" }, HOST],
  ])("for %j and the environment %j the name is %s", async (request, environment, expected) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const headers: Record<string, string> = { ...Object(request).headers };
    headers.cookie = await cookieOf(PLAIN, SECURE, ...(expected === HOST ? [HOST] : []));
    expect(await getToken({ req: { ...request, headers }, secret: SECRET })).toMatchObject({ sub: expected });
  });

  it.each(["wss", "ws", "ftp", ""])(
    "reads no cookie of a request with the scheme %j, as auth() does",
    async (scheme) => {
      const headers = { "x-forwarded-proto": scheme, cookie: await cookieOf(PLAIN, SECURE, HOST) };
      expect(await getToken({ req: { url: HTTPS, headers }, secret: SECRET })).toBe(null);
      const logger = { warn: () => undefined };
      const { auth } = createAuth({ secret: SECRET, providers: [], trustHost: true, logger });
      expect(await auth(new Request(HTTPS, { headers }))).toBe(null);
    },
  );

  it("with secureCookie never reads the plain name, which a page on http can set", async () => {
    const headers = { cookie: await cookieOf(PLAIN) };
    expect(await getToken({ req: { headers }, secret: SECRET, secureCookie: true })).toBe(null);
  });

  it("tries every value of a cookie that was sent more than once", async () => {
    const headers = { cookie: `${HOST}=bad; ${await cookieOf(HOST)}; ${HOST}=worse` };
    expect(await getToken({ req: { headers, url: HTTPS }, secret: SECRET })).toMatchObject({ sub: HOST });
  });

  it("without a secret reads the environment, older secrets included", async () => {
    vi.stubEnv("AUTH_SECRET", "another secret of more than thirty-two bytes");
    vi.stubEnv("AUTH_SECRET_1", SECRET);
    const req = { url: HTTPS, headers: { cookie: await cookieOf(HOST) } };
    expect(await getToken({ req, secret: process.env.NOT_SET })).toMatchObject({ sub: HOST });
    expect(await getToken({ req })).toMatchObject({ sub: HOST });
  });

  it("without any secret throws", async () => {
    for (const name of ["AUTH_SECRET", "AUTH_SECRET_1", "NEXTAUTH_SECRET"]) vi.stubEnv(name, "");
    const req = { url: HTTPS, headers: { cookie: await cookieOf(HOST) } };
    await expect(getToken({ req })).rejects.toThrow(TypeError);
  });

  it.each([HTTPS, HTTP])("gives the application's decode the salt that its encode was given, at %s", async (url) => {
    const salts: string[] = [];
    const jwt = {
      encode: ({ token, salt }: JWTEncodeParams) => {
        salts.push(salt);
        return JSON.stringify(token);
      },
      decode: ({ token = "", salt }: JWTDecodeParams) => {
        salts.push(salt);
        return Promise.resolve(JSON.parse(token));
      },
    };
    const callbacks = { jwt: ({ token }: { token: object }) => ({ ...token, seen: salts.length }) };
    const { auth } = createAuth({ secret: SECRET, providers: [], trustHost: true, jwt, callbacks });
    const name = url === HTTPS ? HOST : PLAIN;
    const cookie = `${name}=${encodeURIComponent(JSON.stringify({ sub: "7", exp: 4e9, iat: 1 }))}`;
    await auth(new Request(url, { headers: { cookie } }), new Headers());
    const unescaped = new Request(url, { headers: { cookie: `${name}=${JSON.stringify({ sub: "7" })}` } });
    await getToken({ req: unescaped, secret: SECRET, decode: jwt.decode });
    expect(salts.length).toBeGreaterThanOrEqual(3);
    expect(new Set(salts)).toEqual(new Set([name]));
  });
});
