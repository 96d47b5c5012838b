import { getToken } from "@cardea/core/jwt";
import type { JWT } from "@cardea/core/types";
import { CompactEncrypt, EncryptJWT, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { claims, deriveKey, emptyJwe, now, sealExactly, sealPayload } from "../harness/forge.ts";
import { AT_ONCE, BASE, type Case, COOKIE, fastest, ORIGIN, SECRET, setUp } from "../harness/harness.ts";

const SC = COOKIE.session;
const OLD = `${SECRET} (old)`;

/** GET `session` with a token in the session cookie: what is said, and which cookies are cleared or renewed. */
async function present(c: Case, token: string) {
  const answer = await c.send(`${BASE}/session`, { headers: { cookie: `${SC}=${token}` } });
  return { status: answer.status, session: await answer.json(), lines: answer.headers.getSetCookie() };
}

async function expectNoSession(c: Case, token: string): Promise<void> {
  const { status, session, lines } = await present(c, token);
  expect([status, session, lines]).toEqual([200, null, []]);
}

/** Values with a title that is short enough for a list of tests. */
function titled(values: readonly string[]) {
  return values.map((value) => ({ value, title: value.slice(0, 20) }));
}

describe("jwt", () => {
  it("accepts a token that is as it should be, so that the refusals below mean something", async () => {
    const c = setUp();
    const { session, lines } = await present(c, await sealExactly(claims()));
    expect([session, lines]).toMatchObject([{ user: { name: "ann" } }, []]);
  });

  it("H066 refuses tokens that are signed, or not even that", async () => {
    const c = setUp();
    const secret = new TextEncoder().encode(SECRET);
    await expectNoSession(c, await new SignJWT(claims()).setProtectedHeader({ alg: "HS256" }).sign(secret));
    const { key } = deriveKey(SECRET, "session", "__Host-cardea.session-token", "A256CBC-HS512");
    await expectNoSession(c, await new SignJWT(claims()).setProtectedHeader({ alg: "HS512" }).sign(key));
    await expectNoSession(c, new UnsecuredJWT(claims()).encode());
  });

  it("H067 spends no time on a password-based key", async () => {
    const c = setUp();
    const header = { alg: "PBES2-HS256+A128KW", enc: "A256GCM", p2s: "c2FsdHNhbHQ", p2c: 2 ** 31 - 1 };
    const token = emptyJwe(header);
    await expectNoSession(c, token);
    const ask = () => c.send(`${BASE}/session`, { headers: { cookie: `${SC}=${token}` } });
    expect(await fastest(ask)).toBeLessThan(AT_ONCE);
  });

  it("H069 refuses other key management and other content encryption", async () => {
    const c = setUp();
    const { key } = deriveKey(SECRET, "session", "__Host-cardea.session-token", "A256CBC-HS512");
    const seal = (alg: string, enc: string, with_: Uint8Array | CryptoKey) =>
      new EncryptJWT(claims()).setProtectedHeader({ alg, enc }).encrypt(with_);
    await expectNoSession(c, await seal("A256KW", "A256GCM", key.subarray(0, 32)));
    await expectNoSession(c, await seal("A256GCMKW", "A256GCM", key.subarray(0, 32)));
    await expectNoSession(c, await seal("dir", "A128GCM", key.subarray(0, 16)));
    await expectNoSession(c, await seal("dir", "A128CBC-HS256", key.subarray(0, 32)));
    await expectNoSession(c, await seal("dir", "A192CBC-HS384", key.subarray(0, 48)));
    await expectNoSession(c, await seal("RSA-OAEP", "A256GCM", (await generateKeyPair("RSA-OAEP")).publicKey));
    await expectNoSession(c, await seal("ECDH-ES", "A256GCM", (await generateKeyPair("ECDH-ES")).publicKey));
  });

  it("H069 accepts the two content encryptions of contract 11", async () => {
    const c = setUp();
    for (const enc of ["A256GCM", "A256CBC-HS512"] as const) {
      for (const kid of [true, false]) {
        expect((await present(c, await sealExactly(claims(), { enc, kid }))).session).toMatchObject({ user: {} });
      }
    }
  });

  it("H069 refuses a compressed token, a critical header and a foreign key id", async () => {
    const c = setUp();
    const { key, kid } = deriveKey(SECRET, "session", "__Host-cardea.session-token", "A256GCM");
    const plain = new TextEncoder().encode(JSON.stringify(claims()));
    const header = { alg: "dir", enc: "A256GCM" };
    const crit = new CompactEncrypt(plain).setProtectedHeader({ ...header, kid, crit: ["b64"], b64: true });
    await expectNoSession(c, await crit.encrypt(key, { crit: { b64: true } }));
    await expectNoSession(c, await new CompactEncrypt(plain).setProtectedHeader({ ...header, kid: "x" }).encrypt(key));
    await expectNoSession(c, emptyJwe({ ...header, kid, zip: "DEF" }));
  });

  it("H070 refuses a token without exp", async () => {
    const { exp: _, ...endless } = claims();
    await expectNoSession(setUp(), await sealExactly(endless));
  });

  it.each(["9999999999", -1, 0, 1.5e308, null, true, [9999999999], { a: 1 }, 2 ** 53, 9999999999.5])(
    "H071 refuses exp = %j",
    async (exp) => {
      await expectNoSession(setUp(), await sealExactly(claims({ exp })));
    },
  );

  it("H076 a token with any part changed is no session, and nothing tells why", async () => {
    const c = setUp();
    await c.signIn();
    const [header = "", key = "", iv = "", text = "", tag = ""] = (c.browser.cookies.get(SC)?.value ?? "").split(".");
    const flip = (segment: string, at: number) => {
      const bytes = Buffer.from(segment, "base64url");
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes.toString("base64url");
    };
    const forged = [
      ...[0, 5, 20, 60].map((at) => [flip(header, at), key, iv, text, tag]),
      [header, "AAAA", iv, text, tag],
      ...[0, 11].map((at) => [header, key, flip(iv, at), text, tag]),
      ...[0, 50].map((at) => [header, key, iv, flip(text, at), tag]),
      ...[0, 15].map((at) => [header, key, iv, text, flip(tag, at)]),
      [header, key, iv, text, tag.slice(0, 11)],
      [header, key, "", text, tag],
      [header, key, iv, "", tag],
      [header, key, iv, text, ""],
      ["", key, iv, text, tag],
      [header, key, iv, text],
      [header, iv, text, tag],
      [header, key, iv, text, tag, ""],
      [header, key, text, iv, tag],
    ].map((segments) => segments.join("."));
    const before = c.logs.length;
    const answers = [];
    for (const token of [...forged, "x", ".....", "e30.....", "null"]) {
      const answer = await c.send(`${BASE}/session`, { headers: { cookie: `${SC}=${token}` } });
      answers.push(JSON.stringify([answer.status, [...answer.headers], await answer.text()]));
    }
    expect(new Set(answers).size).toBe(1);
    await expectNoSession(c, forged[0] ?? "");
    expect(c.logs.slice(before)).toEqual([]);
  });

  it.each([true, false])(
    "H077 opens a token of the older secret, with kid: %s, and seals it again when due",
    async (kid) => {
      const c = setUp({ config: { secret: [SECRET, OLD], session: { updateAge: 60 } } });
      const fresh = await present(c, await sealExactly(claims(), { secret: OLD, kid }));
      expect([fresh.session, fresh.lines]).toMatchObject([{ user: { name: "ann" } }, []]);
      const due = await present(c, await sealExactly(claims({ iat: now() - 60 }), { secret: OLD, kid }));
      const [header = ""] = due.lines[0]?.split("=")[1]?.split(".") ?? [];
      const expected = deriveKey(SECRET, "session", "__Host-cardea.session-token", "A256GCM");
      expect(JSON.parse(Buffer.from(header, "base64url").toString())).toMatchObject({ kid: expected.kid });
    },
  );

  it.each(["[]", '"x"', "null", "5", "true", "", "{", '{"__proto__":{"sub":"x"}}', "[[]]"])(
    "H079 the payload %s is no session and pollutes nothing",
    async (payload) => {
      await expectNoSession(setUp(), await sealPayload(payload));
      expect(Object.hasOwn(Object.prototype, "sub")).toBe(false);
    },
  );

  it("H079 a member called __proto__ is a claim like any other", async () => {
    const payload = JSON.stringify(claims()).replace("{", '{"__proto__":{"name":"mallory","admin":true},');
    const seen: JWT[] = [];
    const keep = (token: JWT): JWT => {
      seen.push(token);
      return token;
    };
    const c = setUp({ config: { callbacks: { jwt: ({ token }) => keep(token) } } });
    const { session } = await present(c, await sealPayload(payload));
    expect(session).toMatchObject({ user: { name: "ann" } });
    expect("admin" in {} || (seen[0] !== undefined && "admin" in seen[0])).toBe(false);
  });

  it.each(
    titled([
      "Bearer %",
      "Bearer",
      "Bearer  x",
      "Bearer %A",
      "Bearer %ZZ",
      `Bearer ${"x".repeat(1_000_000)}`,
      "Basic x",
      "",
    ]),
  )("H080 the header `Authorization: $title` is no token", async ({ value: authorization }) => {
    const req = new Request(ORIGIN, { headers: { authorization } });
    expect(await getToken({ req, secret: SECRET })).toBe(null);
    expect(await getToken({ req: { headers: { authorization } }, secret: SECRET })).toBe(null);
    const c = setUp();
    const answer = await c.send(`${BASE}/session`, { headers: { authorization } });
    expect([answer.status, await answer.json()]).toEqual([200, null]);
  });

  it("H080 a valid token in Authorization is no session of the browser", async () => {
    const headers = { authorization: `Bearer ${await sealExactly(claims())}` };
    expect(await (await setUp().send(`${BASE}/session`, { headers })).json()).toBe(null);
    expect(await getToken({ req: { headers }, secret: SECRET })).toMatchObject({ sub: "7" });
  });
});
