import { createTestSession } from "@cardea/testing";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { AuthConfig } from "../model/config.ts";
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
