import { createConfigResolver } from "@cardea/core/operations";
import { describe, expect, it, vi } from "vitest";
import type { AuthConfig } from "../model/config.ts";
import { type GuardedRequest, guardRequest } from "./guard-request.ts";

const secret = "a secret of more than thirty-two bytes for tests";
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };

/** A guard whose callback records what it is told and lets everything pass. */
function setUp(given: Partial<AuthConfig> = {}) {
  const told: Request[] = [];
  const authorized = ({ request }: { request: Request }) => told.push(request) > 0;
  const callbacks = { authorized, ...given.callbacks };
  const resolve = vi.fn(
    createConfigResolver({ secret, logger, trustHost: true, providers: [], ...given, callbacks }, "/auth"),
  );
  const guard = (request: Partial<GuardedRequest>) =>
    guardRequest(resolve, { url: "http://localhost/", method: "GET", headers: new Headers(), ...request });
  return { told, resolve, guard };
}

describe("guardRequest()", () => {
  it.each([
    [{ url: "http://localhost/a/../b" }],
    [{ sent: "/a/%2e%2e/b" }],
    [{ sent: "/a", routed: "/x/../a" }],
    [{ sent: "/x/%252e%252e/a", routed: "/a" }],
    [{ sent: "/a%zz", routed: "/a" }],
    [{ sent: "*" }],
    [{ sent: "/a", routed: "/a\\b" }],
    [{ headers: new Headers({ host: "a.example, b.example" }) }],
  ])("1: rejects %j with 400, before the configuration is resolved", async (request) => {
    const { guard, resolve, told } = setUp();
    const answer = await guard(request);
    expect(answer.kind === "deny" && answer.response.status).toBe(400);
    expect([resolve.mock.calls, told]).toEqual([[], []]);
  });

  it("2: rejects methods that a Request cannot have with 405", async () => {
    const { guard, told } = setUp();
    for (const method of ["TRACE", "trace", "CONNECT", "TRACK", "a b", "", "Ö"]) {
      const answer = await guard({ method });
      expect([method, answer.kind === "deny" && answer.response.status]).toEqual([method, 405]);
    }
    expect(told).toEqual([]);
    await guard({ method: "patch" });
    expect(told[0]?.method).toBe("PATCH");
  });

  it("3: tells the callback the path that the router matches, and the query", async () => {
    const { guard, told } = setUp();
    await guard({ url: "http://localhost/sent?a=1", sent: "/%6dembers", routed: "/members" });
    await guard({ url: "http://localhost/", sent: "/a%20b", routed: "/a b" });
    await guard({ url: "http://localhost/", sent: "/a%3fb", routed: "/a?b" });
    await guard({ url: "http://user:word@localhost/members" });
    expect(told.map(({ url }) => url)).toEqual([
      "http://localhost/members?a=1",
      "http://localhost/a%20b",
      "http://localhost/a%3Fb",
      "http://localhost/members",
    ]);
  });

  it.each([
    ["/f%C3%BCr", "/f%C3%BCr", "page"],
    ["/f%C3%BCr", "/für", "page"],
    ["/f%C3%BCr/", "/für", "page"],
    ["/f%c3%bcr", "/für", "401"],
    ["/%66%C3%BCr", "/für", "401"],
    ["//f%C3%BCr", "/für", "401"],
    ["/für", "/für", "401"],
    ["/f%25C3%25BCr", "/f%C3%BCr", "401"],
    ["/members", "/f%C3%BCr", "401"],
    ["/f%C3%BCr", "/members", "401"],
    ["/f%C3%BCr%2Fx", "/für/x", "400"],
    ["/%2e/f%C3%BCr", "/für", "400"],
    ["/x/%2e%2e/f%C3%BCr", "/für", "400"],
  ])("3: opens an own page with an escape where %s was sent and %s is matched: %s", async (sent, routed, expected) => {
    const { guard } = setUp({ pages: { signIn: "/f%C3%BCr" }, callbacks: { authorized: () => false } });
    const headers = new Headers({ "sec-fetch-mode": "cors" });
    const answer = await guard({ sent, routed, headers });
    expect(answer.kind === "deny" ? String(answer.response.status) : answer.open).toBe(expected);
  });

  it("4: responds with 503 if the session cannot be read, and rejects if the callback throws", async () => {
    const session = () => Promise.reject(new Error("down"));
    const token = () => ({ sub: "7" });
    const callbacks = { session, authorized: () => true };
    const resolve = createConfigResolver(
      { secret, logger, trustHost: true, providers: [], callbacks, jwt: { decode: token, encode: () => "x" } },
      "/auth",
    );
    const headers = new Headers({ host: "localhost", cookie: "cardea.session-token=x" });
    const answer = await guardRequest(resolve, { url: "http://localhost/", method: "GET", headers });
    expect(answer.kind === "deny" && answer.response.status).toBe(503);
    const authorized = () => Promise.reject(new Error("no verdict"));
    const broken = createConfigResolver(
      { secret, logger, trustHost: true, providers: [], callbacks: { authorized } },
      "/auth",
    );
    const guarded = guardRequest(broken, { url: "http://localhost/", method: "GET", headers: new Headers() });
    await expect(guarded).rejects.toThrow("callbacks.authorized threw.");
  });
});
