// Tokens that someone who holds the secret, or a careless callback of the other side, may make.
import { createAuth } from "@cardea/core";
import { defineExtension, encryptJwe, type OpenedSession } from "@cardea/extend";
import { createBrowser } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { encodeFormer, NAMES, SECRET, type Version, versions } from "../test/former-tokens.ts";
import { bridge } from "./bridge.ts";
import { deriveKey } from "./derive-key.ts";

const now = () => Math.floor(Date.now() / 1000);

/** A token of any claims, with the key of sessions. */
async function tokenOf(version: Version, claims: object, name: string = NAMES[version]) {
  return encryptJwe(JSON.stringify(claims), await deriveKey(version, SECRET, name));
}

/** What an application, and its extensions, find in a cookie. */
async function read(version: Version, token: string, name: string = NAMES[version]) {
  const seen: OpenedSession[] = [];
  const watching = defineExtension({
    id: "watching",
    async checkSession(session): Promise<"valid"> {
      seen.push(session);
      return "valid";
    },
  });
  const { auth } = createAuth({
    ...{ secret: SECRET, trustHost: true, providers: [], logger: { warn: () => {} } },
    extensions: [bridge({ accept: [version] }), watching],
  });
  const request = new Request("https://app.example.com/", { headers: { cookie: `${name}=${token}` } });
  return { session: await auth(request), seen };
}

describe.each(versions)("a token of %s", (version) => {
  const times = () => ({ iat: now(), exp: now() + 60 });

  it.each([
    ["an object as `sub`", { sub: { contains: "" }, email: "ann@example.com" }],
    ["a list as `sub`", { sub: ["7"], email: "ann@example.com" }],
    ["true as `sub`", { sub: true, email: "ann@example.com" }],
    ["neither `sub` nor an address", { name: "Ann" }],
    ["empty texts", { sub: "", email: "" }],
  ])("with %s is not a session", async (_what, claims) => {
    const { session, seen } = await read(version, await tokenOf(version, { jti: "1", ...times(), ...claims }));
    expect([session, seen]).toEqual([null, []]);
  });

  it("with a number as `sub` names that user as text", async () => {
    const { session, seen } = await read(
      version,
      await tokenOf(version, { sub: 7, name: "Ann", jti: "1", ...times() }),
    );
    expect([session?.user?.name, seen[0]?.userId]).toEqual(["Ann", "7"]);
  });

  it("without `sub` shares its user with no other session", async () => {
    const users = [];
    for (const jti of ["1", "2"]) {
      const claims = { email: `${jti}@example.com`, jti, ...times() };
      const { session, seen } = await read(version, await tokenOf(version, claims));
      expect(session?.user?.email).toBe(claims.email);
      users.push(seen[0]?.userId);
    }
    expect(users).toEqual(["session 1", "session 2"]);
  });

  it.each([
    ["no `jti`", undefined],
    ["an empty one", ""],
    ["a list", ["1"]],
    ["a number", 1],
  ])("with %s has an id of its own", async (_what, jti) => {
    const ids = [];
    for (const sub of ["ann", "bob", "ann"]) {
      const { seen } = await read(version, await tokenOf(version, { sub, jti, ...times() }));
      ids.push(seen[0]?.sid, seen[0]?.jti);
    }
    expect(ids.every((id) => typeof id === "string" && id.length > 10)).toBe(true);
    expect(new Set(ids).size).toBe(3);
  });

  it.each([
    ["from the future", () => ({ iat: now() + 3600, exp: now() + 7200 })],
    ["that begins later", () => ({ ...times(), nbf: now() + 3600 })],
    ["whose end is endless", () => ({ iat: now(), exp: 1e300 })],
    ["whose beginning is negative and whose end is not past", () => ({ iat: -1, exp: now() + 60 })],
    ["older than our lifetime", () => ({ iat: now() - 31 * 24 * 3600, exp: now() + 1e6 })],
    ["with times as text", () => ({ iat: String(now()), exp: String(now() + 60) })],
  ])("%s is not a session", async (_what, timesOf) => {
    expect((await read(version, await tokenOf(version, { sub: "7", jti: "1", ...timesOf() }))).session).toBeNull();
  });

  it("of the other version, in this version's cookie, is not a session", async () => {
    for (const other of versions.filter((one) => one !== version)) {
      for (const name of [NAMES[other], NAMES[version]]) {
        const token = await tokenOf(other, { sub: "7", jti: "1", ...times() }, name);
        expect((await read(version, token)).session).toBeNull();
      }
    }
  });

  it("is not opened for a member that only Cardea may set", async () => {
    const { seen } = await read(version, await tokenOf(version, { sub: "7", jti: "1", sid: "x", e: 9, ...times() }));
    expect([seen[0]?.sid, seen[0]?.epoch, await seen[0]?.facts()]).toEqual(["1", 0, null]);
  });

  it("in a flood of parts is not a session", async () => {
    const token = await tokenOf(version, { sub: "7", jti: "1", ...times() });
    const part = (n: string, value: string) => `${NAMES[version]}.${n}=${value}`;
    const floods = [
      [part("0", token.slice(0, 50)), part("2", token.slice(50))],
      [part("1", token)],
      [part("00", token)],
      [part("0", token.slice(0, 50)), part("01", token.slice(50))],
      Array.from({ length: 200 }, (_, n) => part(String(n), token.slice(n, n + 1))),
    ];
    for (const cookies of floods) {
      const [first = "", ...more] = cookies;
      const [name = "", value = ""] = first.split("=");
      const all = [value, ...more].join("; ");
      expect((await read(version, all, name)).session).toBeNull();
    }
  });
});

it.each(versions)(
  "%s: a cookie with a domain ends with a sign-out where the same domain is configured",
  async (version) => {
    const { handlers } = createAuth({
      ...{ secret: SECRET, trustHost: true, providers: [], logger: { warn: () => {} } },
      cookies: { sessionToken: { options: { domain: "example.com" } } },
      extensions: [bridge({ accept: [version] })],
    });
    const browser = createBrowser((r) => (r.method === "GET" ? handlers.GET(r) : handlers.POST(r)), {
      origin: "https://app.example.com",
    });
    const token = await encodeFormer(version, { sub: "7", name: "Ann" });
    browser.cookies.set(`${NAMES[version]}=${token}; Secure; HttpOnly; Path=/; Domain=example.com`);
    const session = async () => (await browser.fetch("/auth/session")).json();
    expect(await session()).toMatchObject({ user: { name: "Ann" } });
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    await browser.fetch("/auth/signout", { method: "POST", body: new URLSearchParams({ csrfToken }) });
    expect(await session()).toBeNull();
    expect(browser.cookies.get(NAMES[version])).toBeUndefined();
  },
);
