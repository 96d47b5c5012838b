import type { AuthConfig } from "@cardea/core";
import { defineExtension } from "@cardea/extend";
import { createTestSession } from "@cardea/testing";
import type { Cookies, RequestEvent } from "@sveltejs/kit";
import { describe, expect, it, vi } from "vitest";
import { createAuth } from "./create-auth.ts";

// SvelteKit's bundler makes these two; everything else is tested with a built application, in tests/bindings/.
vi.mock("$app/environment", () => ({ building: false }));
vi.mock("$app/paths", () => ({ resolve: (path: string) => path }));

const SECRET = "a secret of more than thirty-two bytes for tests";
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const config: AuthConfig = { secret: SECRET, logger, trustHost: true, providers: [] };

/** The form action, with what an extension hears of it and the cookies that it sets. */
async function signOutBy(fields: Record<string, string>, referer = "http://localhost/account") {
  const heard: unknown[] = [];
  const destinations: unknown[] = [];
  const onSignOut = async (ended: { federated: boolean | undefined; callbackUrl: string | undefined }) => {
    heard.push(ended.federated);
    destinations.push(ended.callbackUrl);
    return { redirect: new URL("https://op.example.com/end") };
  };
  const { signOut } = createAuth({ ...config, extensions: [defineExtension({ id: "probe", onSignOut })] });
  const session = await createTestSession(config, { url: "http://localhost", user: { id: "7", name: "Ann" } });
  const headers = { cookie: session.header, referer };
  const request = new Request("http://localhost/leave", { method: "POST", headers, body: new URLSearchParams(fields) });
  const cookies = new Map<string, unknown>();
  const set: Cookies["set"] = (name, _value, { maxAge }) => void cookies.set(name, maxAge);
  const thrown: unknown = await Promise.resolve(signOut(assumeEvent({ request, cookies: { set } }))).catch((it) => it);
  return { heard, destinations, cookies, thrown };
}

/** A cast: of an event, the action reads these members. */
function assumeEvent(event: { request: Request; cookies: Pick<Cookies, "set"> }): RequestEvent {
  return event as RequestEvent;
}

describe("the form action signOut", () => {
  it.each([
    [{}, undefined],
    [{ federated: "true" }, true],
    [{ federated: "false" }, false],
    [{ federated: "yes" }, false],
  ])("with the fields %j passes on federated: %s", async (fields, federated) => {
    expect((await signOutBy(fields)).heard).toEqual([federated]);
  });

  it.each([
    [{}, "http://localhost/account", "http://localhost/account"],
    [{}, "http://localhost/auth/signout", "http://localhost"],
    [{ redirectTo: "/bye" }, "http://localhost/account", "http://localhost/bye"],
  ])("with the fields %j, sent by %s, leads to %s", async (fields, referer, expected) => {
    expect((await signOutBy(fields, referer)).destinations).toEqual([expected]);
  });

  it("clears the session's cookie, and redirects to where the extension names", async () => {
    const { cookies, thrown } = await signOutBy({ federated: "true" });
    expect(thrown).toMatchObject({ status: 303, location: "https://op.example.com/end" });
    expect(cookies.get("cardea.session-token")).toBe(0);
  });
});

describe("event.locals.getSession", () => {
  const ask = async (locals: Record<string, unknown>) => {
    const request = new Request("http://localhost/");
    const event = Object({ request, url: new URL(request.url), locals });
    await createAuth(config).handle({ event, resolve: async () => new Response("-") });
    return locals;
  };

  it("is the function of the session under its former name, unless the application has its own", async () => {
    const { auth, getSession } = await ask({});
    expect(getSession).toBe(auth);
    const own = () => null;
    expect((await ask({ getSession: own })).getSession).toBe(own);
  });
});
