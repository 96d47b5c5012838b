import { createTestSession } from "@cardea/testing";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import type { AuthConfig } from "../model/config.ts";
import type { OIDCProvider } from "../model/oauth-provider.ts";
import type { Session } from "../model/records.ts";
import { type AuthInstance, createAuth } from "./create-auth.ts";

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

it("auth() without a request says what it needs", () => {
  const { auth } = createAuth({ secret, providers: [], logger: silent });
  // @ts-expect-error A caller without types, or one who knows Auth.js for Next.js.
  expect(() => auth()).toThrow("auth() requires the request.");
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
