import type { AuthConfig } from "@cardea/core";
import { createTestSession } from "@cardea/testing";
import { isRedirect, type RequestEvent, redirect } from "@sveltejs/kit";
import { describe, expect, it, vi } from "vitest";
import { createAuth } from "./create-auth.ts";

// SvelteKit's bundler makes these two; a built application is tested in tests/bindings/.
vi.mock("$app/environment", () => ({ building: false }));
vi.mock("$app/paths", () => ({ resolve: (path: string) => path }));

const config: AuthConfig = {
  secret: "a secret of more than thirty-two bytes for tests",
  logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  trustHost: true,
  providers: [],
  session: { updateAge: 0 },
};
const guarded: AuthConfig = { ...config, callbacks: { authorized: () => true } };

type Members = Readonly<Record<string, unknown>>;

/** Sends a request of a user whose session is due for renewal; `later` is the rest of the application. */
async function send(later: () => Response | Promise<Response>, { source = guarded, members = {}, headers = {} } = {}) {
  const { header: cookie } = await createTestSession(config, {
    url: "http://localhost",
    user: { id: "7", name: "Ann" },
  });
  const request = new Request("http://localhost/moved", { headers: { cookie, ...headers } });
  const known: Members = { request, url: new URL(request.url), locals: {}, isDataRequest: false, ...members };
  // A cast: of an event, these members are read.
  const event = known as unknown as RequestEvent;
  return createAuth(source).handle({ event, resolve: async () => later() });
}

const renewsIn = ({ headers }: Response): boolean =>
  headers.getSetCookie().some((line) => line.startsWith("cardea.session-token=ey"));

describe("settleAnswer()", () => {
  it.each([301, 302, 303, 307, 308] as const)(
    "adds a renewed session to a redirect that is thrown: %i",
    async (status) => {
      const answer = await send(() => redirect(status, "/open"));
      expect([answer.status, answer.headers.get("location"), renewsIn(answer)]).toEqual([status, "/open", true]);
      expect(answer.headers.get("cache-control")).toBe("private, no-cache, no-store");
    },
  );

  it("writes JSON for the client of SvelteKit, with the same headers", async () => {
    const returned = () => new Response(null, { status: 302, headers: { location: "/open", "x-theirs": "1" } });
    const thrown = () => redirect(302, "/open");
    const data = { members: { isDataRequest: true } };
    for (const [later, given] of [
      [returned, data],
      [thrown, data],
      [thrown, { members: { isRemoteRequest: true } }],
      [thrown, { headers: { "x-sveltekit-action": "true" } }],
    ] as const) {
      const answer = await send(later, given);
      expect([answer.status, answer.headers.get("location"), renewsIn(answer)]).toEqual([200, null, true]);
      expect(answer.headers.get("x-theirs")).toBe(later === returned ? "1" : null);
      expect(await answer.json()).toEqual({ type: "redirect", status: 302, location: "/open" });
    }
  });

  it("passes on what is thrown if it adds nothing, and every error", async () => {
    const reading = { source: config };
    expect(isRedirect(await send(() => redirect(302, "/open"), reading).catch((error: unknown) => error))).toBe(true);
    const failure = new Error("failed");
    await expect(send(() => Promise.reject(failure))).rejects.toBe(failure);
    const answer = new Response(null, { status: 302, headers: { location: "/open" } });
    expect(await send(() => answer, { ...reading, members: { isDataRequest: true } })).toBe(answer);
  });
});
