import type { AuthConfig } from "@cardea/core";
import { createTestSession } from "@cardea/testing";
import type { RequestEvent } from "@sveltejs/kit";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createAuth } from "./create-auth.ts";

// SvelteKit's bundler makes these two; everything else is tested with a built application, in tests/bindings/.
vi.mock("$app/environment", () => ({ building: false }));
vi.mock("$app/paths", () => ({ resolve: (path: string) => path }));

const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const config: AuthConfig = {
  ...{ secret: "a secret of more than thirty-two bytes for tests", logger, trustHost: true, providers: [] },
  pages: { signIn: "/login" },
};
type Authorized = NonNullable<NonNullable<AuthConfig["callbacks"]>["authorized"]>;

/** Sends a request through `handle`; the application answers 299. */
async function send(target: string, authorized: Authorized, { method = "POST", cookie = "" } = {}): Promise<number> {
  const { handle } = createAuth({ ...config, callbacks: { authorized } });
  const url = new URL(target, "http://localhost");
  const request = new Request(url, { method, headers: { cookie } });
  const event = assumeEvent({ request, url, locals: {}, isDataRequest: false });
  const { status } = await handle({ event, resolve: async () => new Response(null, { status: 299 }) });
  return status;
}

/** A cast: of an event, the guard reads these members. */
function assumeEvent(event: object): RequestEvent {
  return event as RequestEvent;
}

describe("a remote form that is posted to a page", () => {
  const signedIn: Authorized = ({ auth }) => auth !== null;

  it("is denied to visitors on the application's own sign-in page, which is open to them", async () => {
    expect(await send("/login?/remote=abc/pay", signedIn)).toBe(401);
    expect(await send("/login?/remote=abc%2Fpay%2F%221%22", signedIn)).toBe(401);
    expect(await send("/login?/enter", signedIn)).toBe(299);
    expect(await send("/login?/remote=abc/pay", signedIn, { method: "GET" })).toBe(299);
  });

  it("continues for users", async () => {
    const session = await createTestSession(config, { url: "http://localhost", user: { id: "7", name: "Ann" } });
    expect(await send("/login?/remote=abc/pay", signedIn, { cookie: session.header })).toBe(299);
  });

  it("needs the paths of both to be allowed", async () => {
    const told: string[] = [];
    const only =
      (...open: readonly string[]): Authorized =>
      ({ request }) => {
        const { pathname } = new URL(request.url);
        told.push(pathname);
        return open.includes(pathname);
      };
    const target = "/about?/remote=abc/pay";
    expect(await send(target, only("/about"))).toBe(401);
    expect(await send(target, only("/_app/remote/abc/pay"))).toBe(401);
    expect(await send(target, only("/about", "/_app/remote/abc/pay"))).toBe(299);
    expect(new Set(told)).toEqual(new Set(["/about", "/_app/remote/abc/pay"]));
  });

  it("continues for no visitor, whatever it is called", async () => {
    const part = fc.oneof(fc.string(), fc.constantFrom("..", ".", "", "/", "%2e", "login", "\\", "?", "#"));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        const id = parts.join("/");
        fc.pre(id !== "");
        const status = await send(`/login?${new URLSearchParams({ "/remote": id })}`, signedIn);
        expect([400, 401]).toContain(status);
      }),
      { numRuns: 100 },
    );
  });
});
