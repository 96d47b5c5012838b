/** What the cache of opened session tokens must not change (decisions/032). */

import { createAuth } from "@cardea/core";
import { encode } from "@cardea/core/jwt";
import type { AuthConfig } from "@cardea/core/types";
import { afterEach, describe, expect, it, vi } from "vitest";

const SECRET = "a secret of more than thirty-two bytes for tests";
const OTHER = "another secret of more than thirty-two bytes";
const NAME = "__Host-cardea.session-token";

const tokenOf = (claims: object, secret = SECRET, maxAge = 3_600) =>
  encode({ token: { sub: "7", name: "Ann", ...claims }, secret, salt: NAME, maxAge });

const read = (auth: (request: Request) => Promise<unknown>, token: string) =>
  auth(new Request("https://app.example.com/", { headers: { cookie: `${NAME}=${token}` } }));

function configure(overrides: Partial<AuthConfig> = {}): AuthConfig {
  // Another secret is named in the log.
  return { secret: SECRET, trustHost: true, providers: [], logger: { warn: () => undefined }, ...overrides };
}

/** How many tokens are decrypted while `work` runs. */
async function openings(work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(TextDecoder.prototype, "decode");
  await work();
  const { length } = parse.mock.calls;
  parse.mockRestore();
  return length;
}

describe("a session token that was read before", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("is not decrypted again; with `jwt.tokenCache: 0` it is", async () => {
    for (const [tokenCache, expected] of [
      [undefined, 1],
      [0, 3],
    ] as const) {
      const { auth } = createAuth(configure(tokenCache === undefined ? {} : { jwt: { tokenCache } }));
      const token = await tokenOf({});
      const times = await openings(async () => {
        for (let n = 0; n < 3; n += 1) expect(await read(auth, token)).toMatchObject({ user: { name: "Ann" } });
      });
      expect(times).toBe(expected);
    }
  });

  it("is no session once it has expired", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { auth } = createAuth(configure());
    const token = await tokenOf({}, SECRET, 60);
    expect(await read(auth, token)).not.toBeNull();
    vi.advanceTimersByTime((60 + 16) * 1000);
    expect(await read(auth, token)).toBeNull();
  });

  it("is no session once its secret is gone", async () => {
    let secret: string | string[] = [OTHER, SECRET];
    const { auth } = createAuth(() => configure({ secret }));
    const token = await tokenOf({});
    expect(await read(auth, token)).not.toBeNull();
    secret = OTHER;
    expect(await read(auth, token)).toBeNull();
  });

  it("of another application is read with that application's secret only", async () => {
    const token = await tokenOf({});
    expect(await read(createAuth(configure()).auth, token)).not.toBeNull();
    expect(await read(createAuth(configure({ secret: OTHER })).auth, token)).toBeNull();
  });

  it("is not changed by what a callback does to its claims", async () => {
    const { auth } = createAuth(
      configure({
        callbacks: {
          session: ({ session, token }) => {
            const roles = Object(token.roles);
            roles.push("admin");
            return { ...session, roles: [...roles] };
          },
        },
      }),
    );
    const token = await tokenOf({ roles: ["reader"] });
    for (let n = 0; n < 3; n += 1) {
      expect(await read(auth, token)).toMatchObject({ roles: ["reader", "admin"] });
    }
  });

  it("is not changed by what a callback does to claims without any object in them", async () => {
    const seen: unknown[] = [];
    const { auth } = createAuth(
      configure({
        callbacks: {
          session: ({ session, token }) => {
            seen.push(token.name, token.added);
            token.name = "Eve";
            token.added = true;
            return session;
          },
        },
      }),
    );
    const token = await tokenOf({});
    for (let n = 0; n < 3; n += 1) await read(auth, token);
    expect(seen).toEqual(["Ann", undefined, "Ann", undefined, "Ann", undefined]);
  });

  it("keeps its facts from an `encode` of the application that changes what it is given", async () => {
    const given: unknown[] = [];
    const { handlers } = createAuth(
      configure({
        session: { updateAge: 0, absolute: 3_600 },
        jwt: {
          encode: (params) => {
            const facts = Object(params.token?.cardea);
            given.push([...facts.f]);
            facts.f.push(["planted", 1]);
            return encode(params);
          },
        },
      }),
    );
    const token = await tokenOf({ cardea: { sid: "s", at: Math.floor(Date.now() / 1000), e: 0, f: [] } });
    const request = () =>
      new Request("https://app.example.com/auth/session", { headers: { cookie: `${NAME}=${token}` } });
    for (let n = 0; n < 2; n += 1) await handlers.GET(request());
    expect(given).toEqual([[], []]);
  });

  it("is judged by callbacks.jwt at each read", async () => {
    let isBlocked = false;
    const { auth } = createAuth(configure({ callbacks: { jwt: ({ token }) => (isBlocked ? null : token) } }));
    const token = await tokenOf({});
    expect(await read(auth, token)).not.toBeNull();
    isBlocked = true;
    expect(await read(auth, token)).toBeNull();
  });

  it("changed in one character is no session", async () => {
    const { auth } = createAuth(configure());
    const token = await tokenOf({});
    await read(auth, token);
    for (const at of [token.length - 1, token.length - 40]) {
      const other = token[at] === "A" ? "B" : "A";
      expect(await read(auth, `${token.slice(0, at)}${other}${token.slice(at + 1)}`)).toBeNull();
    }
  });

  it("is not kept by its text: neither token nor secret is a key of the cache", async () => {
    const set = vi.spyOn(Map.prototype, "set");
    const { auth } = createAuth(configure());
    const token = await tokenOf({});
    await read(auth, token);
    const keys = set.mock.calls.map(([key]) => String(key));
    expect(keys.filter((key) => key.includes(token))).toEqual([]);
  });
});
