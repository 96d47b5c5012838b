import { type AuthConfig, createAuth } from "@cardea/core";
import { getToken } from "@cardea/core/jwt";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { encodeFormer, FORMER_SECRET, NAMES, SECRET, type Version, versions } from "../test/former-tokens.ts";
import { bridge } from "./bridge.ts";

const DAY = 24 * 60 * 60;
const now = () => Math.floor(Date.now() / 1000);

const base = { secret: SECRET, trustHost: true, providers: [], logger: { warn: () => {} } } as const;

/** The session that an application finds in cookies, and the cookies that it sets. */
async function read(config: Partial<AuthConfig>, cookie: string, origin = "https://app.example.com") {
  const { auth } = createAuth({ ...base, ...config });
  const headers = new Headers();
  const session = await auth(new Request(`${origin}/`, { headers: { cookie } }), headers);
  return { session, cookies: headers.getSetCookie() };
}

const accepts = (...versions: Version[]) => ({ extensions: [bridge({ accept: versions })] });
const nameOf = (line: string) => line.split("=")[0] ?? "";
const isCleared = (line: string) => /^[^=]+=;/.test(line) && line.includes("Max-Age=0");

describe.each(versions)("sessions of %s that are accepted", (version) => {
  const name = NAMES[version];
  const cookieOf = async (claims: object, options = {}) =>
    `${name}=${await encodeFormer(version, { sub: "7", name: "Ann", ...claims }, options)}`;

  it("are no sessions without the bridge", async () => {
    expect((await read({}, await cookieOf({}))).session).toBeNull();
  });

  it("are sessions of their user", async () => {
    const { session, cookies } = await read(
      accepts(version),
      await cookieOf({ email: "ann@example.com", picture: "/a" }),
    );
    expect(session?.user).toEqual({ name: "Ann", email: "ann@example.com", image: "/a" });
    expect(cookies).toEqual([]);
  });

  it("count on http under the name without prefix, and on https not", async () => {
    const plain = name.slice("__Secure-".length);
    const cookie = `${plain}=${await encodeFormer(version, { sub: "7", name: "Ann" }, { salt: plain })}`;
    expect((await read(accepts(version), cookie, "http://app.example.com")).session?.user?.name).toBe("Ann");
    expect((await read(accepts(version), cookie)).session).toBeNull();
    expect((await read(accepts(version), await cookieOf({}), "http://app.example.com")).session).toBeNull();
  });

  it.each([1, 2, 3, 4, 5])("are read from %d cookies", async (chunks) => {
    const token = (await cookieOf({ groups: "x".repeat(2600 * chunks) })).slice(name.length + 1);
    const size = Math.ceil(token.length / chunks);
    const parts = Array.from({ length: chunks }, (_, n) => token.slice(n * size, (n + 1) * size));
    const cookie = chunks === 1 ? `${name}=${token}` : parts.map((part, n) => `${name}.${n}=${part}`).join("; ");
    expect((await read(accepts(version), cookie)).session?.user?.name).toBe("Ann");
  });

  it("become ours at the next renewal, and every former cookie is cleared", async () => {
    const config = { ...accepts(version), session: { updateAge: 0 } };
    const token = await encodeFormer(version, { sub: "7", name: "Ann", groups: "x".repeat(4000) });
    const { cookies } = await read(config, `${name}.0=${token.slice(0, 3000)}; ${name}.1=${token.slice(3000)}`);
    const own = cookies.find((line) => line.startsWith("__Host-cardea.session-token"));
    expect(cookies.filter(isCleared).map(nameOf)).toEqual([`${name}.0`, `${name}.1`]);
    const parts = cookies.filter((line) => !isCleared(line)).map((line) => line.split(";")[0]);
    expect(own).toBeDefined();
    // Without the bridge: it is ours.
    expect((await read({}, parts.join("; "))).session?.user?.name).toBe("Ann");
  });

  it("do not count where there is a session of ours", async () => {
    const { cookies } = await read({ ...accepts(version), session: { updateAge: 0 } }, await cookieOf({ name: "Bo" }));
    const own = cookies.filter((line) => !isCleared(line)).map((line) => line.split(";")[0]);
    const { session } = await read(accepts(version), [await cookieOf({}), ...own].join("; "));
    expect(session?.user?.name).toBe("Bo");
  });

  it("are read under a former secret, and under one of the bridge's own", async () => {
    const cookie = await cookieOf({}, { secret: FORMER_SECRET });
    expect((await read(accepts(version), cookie)).session).toBeNull();
    expect((await read({ ...accepts(version), secret: [SECRET, FORMER_SECRET] }, cookie)).session).not.toBeNull();
    const accept = [{ format: version, secret: FORMER_SECRET }];
    expect((await read({ extensions: [bridge({ accept })] }, cookie)).session).not.toBeNull();
  });

  it("are read under a custom name, and not under the default one then", async () => {
    const salt = "__Host-shop.session";
    const token = await encodeFormer(version, { sub: "7", name: "Ann" }, { salt });
    const extensions = [bridge({ accept: [{ format: version, cookie: salt }] })];
    expect((await read({ extensions }, `${salt}=${token}`)).session?.user?.name).toBe("Ann");
    expect((await read({ extensions }, `shop.session=${token}`)).session).toBeNull();
    expect((await read({ extensions }, await cookieOf({}))).session).toBeNull();
  });

  it("end with our lifetime, whatever they say", async () => {
    const long = await cookieOf({}, { maxAge: 300 * DAY });
    const { session } = await read({ ...accepts(version), session: { maxAge: 2 * DAY } }, long);
    const left = Date.parse(session?.expires ?? "") / 1000 - now();
    expect(Math.abs(left - 2 * DAY)).toBeLessThan(30);
  });

  it("that no one can open, or that have expired, are no session, and are left to the application that made them", async () => {
    const { handlers } = createAuth({ ...base, ...accepts(version) });
    const bad = [`${name}=nothing`, await cookieOf({}, { maxAge: -60 }), await cookieOf({}, { secret: FORMER_SECRET })];
    for (const cookie of bad) {
      const answer = await handlers.GET(new Request("https://app.example.com/auth/session", { headers: { cookie } }));
      expect(await answer.json()).toBeNull();
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it("are not read once `until` is past", async () => {
    const cookie = await cookieOf({});
    const until = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const at = (end: string) => ({ extensions: [bridge({ accept: [version], until: end })] });
    expect((await read(at(until(60)), cookie)).session).not.toBeNull();
    expect((await read(at(until(-60)), cookie)).session).toBeNull();
  });

  it("are found by getToken() with the same extensions (docs/from-nextauth.md#v4-get-token)", async () => {
    const { extensions } = accepts(version);
    const req = new Request("https://app.example.com/", { headers: { cookie: await cookieOf({}) } });
    expect(await getToken({ req, secret: SECRET })).toBeNull();
    expect(await getToken({ req, secret: SECRET, extensions })).toMatchObject({ sub: "7", name: "Ann" });
    expect(await getToken({ req, secret: SECRET, extensions, raw: true })).toBe(
      req.headers.get("cookie")?.slice(name.length + 1),
    );
    expect(await getToken({ req, secret: FORMER_SECRET, extensions })).toBeNull();
  });

  it("end with a sign-out here", async () => {
    const { handlers } = createAuth({ ...base, ...accepts(version) });
    const browser = createBrowser((request) =>
      request.method === "GET" ? handlers.GET(request) : handlers.POST(request),
    );
    const token = (await cookieOf({})).slice(name.length + 1);
    browser.cookies.set(`${name}=${token}; Secure; HttpOnly; Path=/`);
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    await browser.fetch("/auth/signout", { method: "POST", body: new URLSearchParams({ csrfToken }) });
    expect(browser.cookies.get(name)).toBeUndefined();
    expect(await (await browser.fetch("/auth/session")).json()).toBeNull();
  });

  it("in a database are found by the same token", async () => {
    const { adapter } = createMemoryAdapter();
    const user = await adapter.createUser({ id: "", name: "Ann", email: "ann@example.com", emailVerified: null });
    const sessionToken = crypto.randomUUID();
    await adapter.createSession({ sessionToken, userId: user.id, expires: new Date(Date.now() + 60_000) });
    const config = { adapter, ...accepts(version) };
    expect((await read(config, `${name}=${sessionToken}`)).session?.user?.name).toBe("Ann");
    expect((await read(config, `${name}=${crypto.randomUUID()}`)).session).toBeNull();
    // A session token is no sealed session, in either direction.
    expect((await read(accepts(version), `${name}=${sessionToken}`)).session).toBeNull();
    expect((await read(config, await cookieOf({ sub: user.id }))).session).toBeNull();
  });
});

describe("tokens without `exp` or `iat`", () => {
  it.each([
    ["exp", { iat: now() }],
    ["iat", { exp: now() + 60 }],
    ["a time that is text", { iat: now(), exp: String(now() + 60) }],
  ])("are refused without %s", async (_what, times) => {
    const [format] = accepts("nextauth-v4").extensions[0]?.sessionFormats ?? [];
    // Made by a custom `encode`, with the key of sessions.
    const { encryptJwe } = await import("@cardea/extend");
    const { deriveKey } = await import("./derive-key.ts");
    const key = await deriveKey("nextauth-v4", SECRET, NAMES["nextauth-v4"]);
    const token = await encryptJwe(JSON.stringify({ sub: "7", ...times }), key);
    expect(await format?.open(token, NAMES["nextauth-v4"], [SECRET])).toMatchObject({ sub: "7" });
    expect((await read(accepts("nextauth-v4"), `${NAMES["nextauth-v4"]}=${token}`)).session).toBeNull();
  });
});
