/** A session that was revoked must not live on in the cache of opened tokens (decisions/032). */

import { createAuth } from "@cardea/core";
import { encode } from "@cardea/core/jwt";
import { defineExtension, type OpenedSession, type SessionVerdict } from "@cardea/extend";
import { describe, expect, it, vi } from "vitest";

const SECRET = "a secret of more than thirty-two bytes for tests";
const NAME = "__Host-cardea.session-token";

/** An application whose extension says what `verdict` is at the moment, and writes down what it was asked about. */
async function setUp(tokenCache?: number) {
  const asked: OpenedSession[] = [];
  const now: { verdict: SessionVerdict } = { verdict: "valid" };
  const checkSession = (session: OpenedSession) => {
    asked.push(session);
    return now.verdict;
  };
  const { auth, handlers } = createAuth({
    secret: SECRET,
    trustHost: true,
    providers: [],
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    extensions: [defineExtension({ id: "register", actions: { "GET ask-me": ASK }, checkSession })],
    ...(tokenCache === undefined ? {} : { jwt: { tokenCache } }),
  });
  const claims = { sub: "7", name: "Ann", jti: "one", cardea: { sid: "s1", at: 1, e: 0, f: [] } };
  const token = await encode({ token: claims, secret: SECRET, salt: NAME, maxAge: 3_600 });
  const request = (path: string) =>
    new Request(`https://app.example.com${path}`, { headers: { cookie: `${NAME}=${token}` } });
  const read = () => auth(request("/"));
  const get = async () => {
    const answer = await handlers.GET(request("/auth/session"));
    return { session: await answer.json(), ended: answer.headers.get("x-auth-session-ended") };
  };
  return { asked, now, read, get };
}

const ASK = {
  csrf: "none",
  segment: "none",
  answers: "json",
  head: "skip",
  run: () => ({ kind: "empty" as const, status: 204 }),
} as const;

describe.each([undefined, 0])("a session token in the cache (tokenCache: %j)", (tokenCache) => {
  it("is checked by `checkSession` on each read, whichever way it is read", async () => {
    const { asked, read, get } = await setUp(tokenCache);
    for (let n = 0; n < 3; n += 1) expect(await read()).toMatchObject({ user: { name: "Ann" } });
    for (let n = 0; n < 2; n += 1) expect((await get()).session).toMatchObject({ user: { name: "Ann" } });
    expect(asked.map(({ sid, jti, userId }) => ({ sid, jti, userId }))).toEqual(
      Array.from({ length: 5 }, () => ({ sid: "s1", jti: "one", userId: "7" })),
    );
  });

  it("ends with the first read after it was revoked", async () => {
    const { now, read, get } = await setUp(tokenCache);
    expect(await read()).not.toBeNull();
    now.verdict = { ended: "revoked" };
    expect(await read()).toBeNull();
    expect(await get()).toEqual({ session: null, ended: "revoked" });
    now.verdict = { ask: "ask-me" };
    expect(await read()).toBeNull();
    now.verdict = "valid";
    expect(await read()).not.toBeNull();
  });

  it("is unavailable, and not valid, when it cannot be checked", async () => {
    const { now, read } = await setUp(tokenCache);
    expect(await read()).not.toBeNull();
    Object.defineProperty(now, "verdict", {
      get: () => {
        throw new Error("the register is down");
      },
    });
    await expect(read()).rejects.toMatchObject({ type: "SessionUnavailable" });
  });
});

it("the cache is used while `checkSession` is asked: the token is opened once", async () => {
  const { asked, read } = await setUp();
  const decode = vi.spyOn(TextDecoder.prototype, "decode");
  for (let n = 0; n < 3; n += 1) await read();
  expect([asked.length, decode.mock.calls.length]).toEqual([3, 1]);
  decode.mockRestore();
});
