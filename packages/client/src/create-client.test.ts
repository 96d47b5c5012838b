import { skipCSRFCheck } from "@cardea/core";
import { defineExtension } from "@cardea/extend";
import { describe, expect, it, vi } from "vitest";
import { openPage } from "../test/open-page.ts";
import { openSite } from "../test/open-site.ts";
import { ClientFetchError } from "./client-fetch-error.ts";
import { createClient } from "./create-client.ts";
import * as entry from "./index.ts";

const page = openPage();

const html = () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } });

describe("getSession()", () => {
  it("resolves to null when no one is signed in, to the session when a user is", async () => {
    const site = openSite();
    const { getSession } = createClient();
    expect(await getSession()).toBeNull();
    await site.signInElsewhere();
    expect(await getSession()).toMatchObject({ user: { name: "Ann" }, expires: expect.any(String) });
  });

  it.each([
    ["503", 503, 503],
    ["no answer", 0, 0],
    ["a page instead of JSON", html(), 200],
    ["text instead of an object", Response.json("?"), 200],
    ["a list instead of an object", Response.json([]), 200],
    ["nothing", new Response(null, { status: 204 }), 204],
    ["half of it", new Response('{"user":{"name":"A', { headers: { "content-type": "application/json" } }), 200],
  ])("rejects, and does not say that no one is signed in: %s", async (_name, fault, status) => {
    openSite().breakDown(fault);
    const error = await createClient()
      .getSession()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ClientFetchError);
    expect(error).toMatchObject({ type: "ClientFetchError", name: "ClientFetchError", status });
    expect(String(error)).toContain("/api/auth/session");
  });

  it("gives up when it is told to", async () => {
    const site = openSite();
    site.hold("GET session");
    const controller = new AbortController();
    const answer = createClient().getSession({ signal: controller.signal });
    controller.abort();
    await expect(answer).rejects.toMatchObject({ status: 0, cause: { name: "AbortError" } });
    expect(site.abandoned).toEqual(["GET session"]);
  });
});

describe("getProviders()", () => {
  it("lists what can be chosen", async () => {
    openSite();
    const providers = await createClient().getProviders();
    expect(providers.map(({ id, name, type }) => [id, name, type])).toEqual([
      ["credentials", "Password", "credentials"],
      ["op", "Provider", "oauth"],
    ]);
  });

  it.each([{}, null, "op"])("rejects when the server says something else: %j", async (body) => {
    openSite().breakDown(Response.json(body));
    const client = createClient();
    await expect(client.getProviders()).rejects.toThrow(ClientFetchError);
    expect(await client.signIn("op", { redirect: false })).toMatchObject({ ok: false, error: "ClientFetchError" });
  });
});

describe("getCsrfToken()", () => {
  it("is the same while its cookie is there", async () => {
    openSite();
    const { getCsrfToken } = createClient();
    const token = await getCsrfToken();
    expect(token).toMatch(/^\w{32,}$/);
    expect(await getCsrfToken()).toBe(token);
  });

  it("is empty where CSRF protection is off, and everything works without", async () => {
    openSite({ skipCSRFCheck });
    const { getCsrfToken, signIn, getSession } = createClient();
    expect(await getCsrfToken()).toBe("");
    expect(await signIn("credentials", { password: "correct", redirect: false })).toMatchObject({ ok: true });
    expect(await getSession()).not.toBeNull();
  });

  it("rejects an answer without a token", async () => {
    openSite().breakDown(Response.json({ token: "?" }));
    await expect(createClient().getCsrfToken()).rejects.toThrow(ClientFetchError);
  });
});

describe("signOut()", () => {
  it("ends the session and goes to the current page", async () => {
    const site = openSite();
    await site.signInElsewhere();
    page.assign.mockClear();
    expect(await createClient().signOut()).toBeUndefined();
    expect(page.assign.mock.calls).toEqual([["https://app.example.com/page"]]);
    expect(await createClient().getSession()).toBeNull();
  });

  it.each([{ redirectTo: "/bye" }, { callbackUrl: "/bye" }, { redirectTo: "/bye", callbackUrl: "/other" }])(
    "goes where it is told: %o",
    async (options) => {
      openSite();
      page.assign.mockClear();
      await createClient().signOut(options);
      expect(page.assign.mock.calls).toEqual([["https://app.example.com/bye"]]);
    },
  );

  it("stays on the page with redirect: false", async () => {
    const site = openSite();
    await site.signInElsewhere();
    page.assign.mockClear();
    expect(await createClient().signOut({ redirect: false, redirectTo: "/bye" })).toEqual({
      ok: true,
      status: 200,
      url: "https://app.example.com/bye",
    });
    expect(page.assign).not.toHaveBeenCalled();
    expect(await createClient().getSession()).toBeNull();
  });

  it("passes on whether the session at its provider ends as well, and where the browser goes for that", async () => {
    const heard: unknown[] = [];
    const onSignOut = async ({ federated }: { federated: boolean | undefined }) => {
      heard.push(federated);
      return federated === true ? { redirect: new URL("https://op.example.com/end") } : undefined;
    };
    const site = openSite({ extensions: [defineExtension({ id: "probe", onSignOut })] });
    const urls: unknown[] = [];
    for (const wish of [{}, { federated: false }, { federated: true }]) {
      await site.signInElsewhere();
      urls.push((await createClient().signOut({ ...wish, redirect: false })).url);
    }
    expect(heard).toEqual([undefined, false, true]);
    expect(urls.at(-1)).toBe("https://op.example.com/end");
    expect(urls[0]).toBe("https://app.example.com/page");
  });

  it("says when the session could not be ended everywhere", async () => {
    const site = openSite();
    site.breakDown(
      Response.json({ url: "https://app.example.com/api/auth/error?error=Configuration" }),
      "POST signout",
    );
    const response = await createClient().signOut({ redirect: false });
    expect(response).toMatchObject({ ok: false, error: "Configuration", url: null });
  });

  it("never claims that it went well when the server was not reached", async () => {
    const site = openSite();
    await site.signInElsewhere();
    site.breakDown(0);
    await expect(createClient().signOut({ redirect: false })).rejects.toThrow(ClientFetchError);
    site.breakDown(500);
    await expect(createClient().signOut()).rejects.toMatchObject({ status: 500 });
  });
});

describe("createClient()", () => {
  it.each([
    ["/auth", "/auth"],
    ["auth/", "/auth"],
    ["/t/acme/auth", "/t/acme/auth"],
  ])("finds its server below %s", async (basePath, configured) => {
    const site = openSite({ basePath: configured });
    await site.signInElsewhere();
    const baseUrl = "https://app.example.com/";
    expect(await createClient({ basePath }).getSession()).not.toBeNull();
    expect(await createClient({ basePath, baseUrl }).getSession()).not.toBeNull();
  });

  it("sends cookies to a server of another origin, and destinations of the page", async () => {
    openSite();
    const [sent, bodies]: [RequestCredentials[], string[]] = [[], []];
    const answers = [[{ id: "op", type: "oauth" }], { csrfToken: "x" }, { url: "https://app.example.com/a" }];
    vi.stubGlobal("fetch", async (url: string, { credentials = "omit", body }: RequestInit) => {
      expect(url).toMatch("https://api.example.com/auth/");
      sent.push(credentials);
      bodies.push(String(body));
      return Response.json(answers.shift());
    });
    const client = createClient({ basePath: "/auth", baseUrl: "https://api.example.com" });
    await client.signIn("op", { redirectTo: "/members", redirect: false });
    expect(sent).toEqual(["include", "include", "include"]);
    expect(bodies.at(-1)).toContain(`callbackUrl=${encodeURIComponent("https://app.example.com/members")}`);
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const failure = /https:\/\/api\.example\.com.* for a page of https:\/\/app\.example\.com/;
    await expect(client.getSession()).rejects.toThrow(failure);
  });

  it("makes clients that know nothing of each other", async () => {
    openSite({ basePath: "/auth" });
    const [here, there] = [createClient({ basePath: "/auth" }), createClient({ basePath: "/elsewhere/auth" })];
    expect(await here.getSession()).toBeNull();
    await expect(there.getSession()).rejects.toMatchObject({ status: 404 });
    await expect(entry.getSession()).rejects.toMatchObject({ status: 404 });
    expect(await here.getSession()).toBeNull();
  });

  it("is there ready made for /api/auth", async () => {
    const site = openSite();
    expect(await entry.signIn("credentials", { password: "correct", redirect: false })).toMatchObject({ ok: true });
    expect(await entry.getSession()).not.toBeNull();
    expect(await entry.getProviders()).toHaveLength(2);
    expect(await entry.signOut({ redirect: false })).toMatchObject({ ok: true });
    expect(await entry.getCsrfToken()).not.toBe("");
    expect(site.channels.size).toBe(0);
  });
});
