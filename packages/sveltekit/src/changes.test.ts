// What docs/from-authjs.md says of SvelteKit; a built application is tested in tests/bindings/.
import type { AuthConfig } from "@cardea/core";
import { createTestSession } from "@cardea/testing";
import { isRedirect, type RequestEvent } from "@sveltejs/kit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createAuth, type SvelteKitConfigSource } from "./create-auth.ts";

vi.mock("$app/environment", () => ({ building: false }));
vi.mock("$app/paths", () => ({ resolve: (path: string) => path }));

afterEach(() => {
  vi.unstubAllEnvs();
});

const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const secret = "a secret of more than thirty-two bytes for tests";
const password = {
  id: "password",
  name: "Password",
  type: "credentials",
  credentials: { username: {} },
  authorize: () => ({ id: "7", name: "Ann" }),
} as const;
const config: AuthConfig = { secret, logger, trustHost: true, providers: [password] };

/** A cast: of an event, these members are read. */
function eventOf(target: string, init: RequestInit = {}): RequestEvent {
  const url = new URL(target, "http://localhost");
  const event = { request: new Request(url, init), url, locals: {}, isDataRequest: false, cookies: { set: () => {} } };
  return event as unknown as RequestEvent;
}

async function send(source: SvelteKitConfigSource, target: string, init: RequestInit = {}): Promise<Response> {
  const event = eventOf(target, init);
  return createAuth(source).handle({ event, resolve: async () => new Response(null, { status: 299 }) });
}

describe("createAuth()", () => {
  it("serves `basePath`, and `/auth` without it (docs/from-authjs.md#kit-base-path)", async () => {
    const at = async (source: AuthConfig, target: string) => (await send(source, target)).status;
    expect([await at(config, "/auth/session"), await at(config, "/api/auth/session")]).toEqual([200, 299]);
    const moved = { ...config, basePath: "/api/auth" };
    expect([await at(moved, "/auth/session"), await at(moved, "/api/auth/session")]).toEqual([299, 200]);
  });

  it("checks forms, and answers the action `csrf` (docs/from-authjs.md#kit-csrf)", async () => {
    const answer = await send(config, "/auth/csrf");
    const { csrfToken }: { csrfToken: string } = await answer.json();
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const signIn = (fields: Record<string, string>) =>
      send(config, "/auth/callback/password", {
        ...{ method: "POST", body: JSON.stringify({ username: "ann", ...fields }) },
        headers: { cookie, "content-type": "application/json" },
      });
    const isSignedIn = ({ headers }: Response) =>
      headers.getSetCookie().some((line) => line.includes("session-token="));
    expect([isSignedIn(await signIn({})), isSignedIn(await signIn({ csrfToken }))]).toEqual([false, true]);
  });

  it("asks `callbacks.authorized` (docs/from-authjs.md#kit-authorized)", async () => {
    const guarded: AuthConfig = { ...config, callbacks: { authorized: ({ auth }) => auth !== null } };
    const { header } = await createTestSession(config, { url: "http://localhost", user: { id: "7", name: "Ann" } });
    expect((await send(guarded, "/members")).status).toBe(302);
    expect((await send(guarded, "/members", { headers: { cookie: header } })).status).toBe(299);
  });

  it("reads the environment of the process, or what a function returns (docs/from-authjs.md#kit-env)", async () => {
    const { secret: _, ...others } = config;
    const { header } = await createTestSession(config, { url: "http://localhost", user: { id: "7", name: "Ann" } });
    const read = async (source: SvelteKitConfigSource) =>
      (await send(source, "/auth/session", { headers: { cookie: header } })).json();
    vi.stubEnv("AUTH_SECRET", "another secret of more than thirty-two bytes");
    expect([await read(others), await read(() => ({ ...others, secret }))]).toMatchObject([
      null,
      { user: { name: "Ann" } },
    ]);
    vi.stubEnv("AUTH_SECRET", secret);
    expect(await read({ ...others })).toMatchObject({ user: { name: "Ann" } });
  });

  it("redirects form actions with 303 (docs/from-authjs.md#kit-status)", async () => {
    const body = new URLSearchParams({ providerId: "password", username: "ann", redirectTo: "/members" });
    const action = createAuth(config).signIn(eventOf("/enter", { method: "POST", body }));
    const thrown: unknown = await Promise.resolve(action).catch((error: unknown) => error);
    expect(isRedirect(thrown) && [thrown.status, thrown.location]).toEqual([303, "http://localhost/members"]);
  });

  it("gives `event.locals` `auth`, also as `getSession`, and no `signIn` (docs/from-authjs.md#locals-sign-in)", async () => {
    const event = eventOf("/");
    await createAuth(config).handle({ event, resolve: async () => new Response() });
    expect(Object.keys(event.locals).sort()).toEqual(["auth", "getSession"]);
    expect(Reflect.get(event.locals, "getSession")).toBe(event.locals.auth);
    expect(await event.locals.auth()).toBe(null);
  });
});
