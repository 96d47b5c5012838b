import { createAuth } from "@cardea/core";
import { defineExtension } from "@cardea/extend";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openPage } from "../test/open-page.ts";
import { openSite } from "../test/open-site.ts";
import { createClient } from "./create-client.ts";

const HERE = "https://app.example.com/page";
const page = openPage(HERE);
const { signIn, signOut, getSession } = createClient();
const right = { username: "Ann", password: "correct" };
const wrong = { username: "Ann", password: "wrong" };

beforeEach(() => {
  page.assign.mockClear();
  page.reload.mockClear();
});

describe("signIn() with redirect: false", () => {
  it("signs in with credentials that fit (docs/from-nextauth.md#v4-sign-in)", async () => {
    const site = openSite();
    const response = await signIn("credentials", { ...right, redirect: false, redirectTo: "/dash" });
    expect(response).toEqual({ ok: true, status: 200, url: "https://app.example.com/dash" });
    expect(await getSession()).toMatchObject({ user: { name: "Ann" } });
    expect(site.requests.slice(0, 3)).toEqual(["GET providers", "GET csrf", "POST callback/credentials"]);
    expect(page.assign).not.toHaveBeenCalled();
  });

  it("says what is wrong with those that do not", async () => {
    const site = openSite();
    const response = await signIn("credentials", { ...wrong, redirect: false });
    expect(response).toEqual({ ok: false, error: "CredentialsSignin", code: "credentials", status: 200, url: null });
    expect(await getSession()).toBeNull();
    expect(site.count("POST callback/credentials")).toBe(1);
  });

  it("names what is asked for before the user is signed in, and where", async () => {
    const gate = defineExtension({
      id: "gate",
      actions: {
        "GET gate": {
          csrf: "none",
          segment: "none",
          answers: "json",
          head: "run",
          run: async () => ({ kind: "json", status: 200, body: null }),
        },
      },
      admit: () => ({ ask: "gate" }),
    });
    openSite({ extensions: [gate] });
    const url = "https://app.example.com/api/auth/gate";
    const response = await signIn("credentials", { ...right, redirect: false });
    expect(response).toEqual({ ok: false, error: undefined, code: "gate", status: 200, url });
    expect(await getSession()).toBeNull();
    await signIn("credentials", right);
    expect(page.assign).toHaveBeenLastCalledWith(url);
  });

  it("resolves to where another provider's sign-in goes on", async () => {
    openSite();
    const response = await signIn("op", { redirect: false }, { login_hint: "ann@example.com" });
    const url = new URL(response.url ?? "");
    expect(response.ok).toBe(true);
    expect(url.origin + url.pathname).toBe("https://op.example.com/authorize");
    expect(url.searchParams.get("login_hint")).toBe("ann@example.com");
  });

  it.each([
    ["offline", 0],
    ["503", 503],
    ["500", 500],
  ])("says that the server was not reached: %s", async (_name, status) => {
    for (const action of ["GET providers", "GET csrf", "POST callback/credentials"]) {
      const site = openSite();
      site.breakDown(status, action);
      const response = await signIn("credentials", { ...right, redirect: false });
      expect(response).toEqual({ ok: false, error: "ClientFetchError", status, url: null });
    }
  });

  it("says that there is no such provider", async () => {
    const site = openSite();
    expect(await signIn("unknown", { redirect: false })).toMatchObject({ ok: false, error: "Signin", status: 404 });
    expect(site.requests).toEqual(["GET providers"]);
  });

  it("resolves to the sign-in page without a provider", async () => {
    openSite();
    const response = await signIn(undefined, { redirect: false });
    expect(response).toEqual({
      ok: true,
      status: 200,
      url: `/api/auth/signin?callbackUrl=${encodeURIComponent(HERE)}`,
    });
  });

  it("is not misled by the error that the page it comes back to shows", async () => {
    openSite();
    const redirectTo = "/login?error=Signin&code=x";
    const response = await signIn("credentials", { ...right, redirect: false, redirectTo });
    expect(response).toEqual({ ok: true, status: 200, url: `https://app.example.com${redirectTo}` });
    expect(await signIn("credentials", { ...wrong, redirect: false, redirectTo })).toMatchObject({
      ok: false,
      error: "CredentialsSignin",
    });
  });
});

describe("signIn() and signOut() with a destination from elsewhere", () => {
  const noUrls = ["http://[", "https://a b/", "http://a:99999999/", "//", "https://%00/", "http://user@/"];

  it.each(noUrls)("do what is asked although it is not a URL: %s", async (redirectTo) => {
    openSite();
    const url = "https://app.example.com";
    const signedIn = await signIn("credentials", { ...right, redirect: false, redirectTo });
    expect(signedIn).toMatchObject({ ok: true, error: undefined });
    expect(new URL(signedIn.url ?? "").origin).toBe(url);
    expect(await signIn("credentials", { ...wrong, redirect: false, redirectTo })).toMatchObject({
      error: "CredentialsSignin",
    });
    expect(await signOut({ redirect: false, redirectTo })).toMatchObject({ ok: true });
    expect(await getSession()).toBeNull();
  });

  it.each([
    "javascript:alert(1)",
    " java\tscript:alert(1)",
    "data:text/html,x",
    "blob:https://app.example.com/1",
    "FILE:///etc/passwd",
    "http://[",
  ])("go nowhere with a URL that a page must not be sent to: %j", async (url) => {
    const site = openSite();
    for (const action of ["POST callback/credentials", "POST signout", "POST signin/op"])
      site.breakDown(Response.json({ url }), action);
    const refused = { type: "ClientFetchError", status: 200 };
    await expect(signIn("credentials", right)).rejects.toMatchObject(refused);
    await expect(signIn("op")).rejects.toMatchObject(refused);
    await expect(signOut()).rejects.toMatchObject(refused);
    expect(await signIn("op", { redirect: false })).toMatchObject({ ok: false, url: null });
    expect(page.assign).not.toHaveBeenCalled();
  });

  it("go on to an application whose scheme `redirectSchemes` names (docs/mobile.md)", async () => {
    const url = "myapp://signed-in?a=1";
    openSite({ redirectSchemes: ["myapp"], callbacks: { redirect: () => url } });
    expect(await signIn("credentials", { ...right, redirect: false })).toEqual({ ok: true, status: 200, url });
    await signIn("credentials", right);
    await signOut();
    expect(page.assign.mock.calls).toEqual([[url], [url]]);
  });

  it.each(["myapp", "com.example.app", "mailto", "javascript", "data", "file", "blob"])(
    "go on to the same schemes as the server allows: %s",
    async (scheme) => {
      const site = openSite();
      site.breakDown(Response.json({ url: `${scheme}:x` }), "POST signin/op");
      const isGone = await signIn("op").then(
        () => true,
        () => false,
      );
      const secret = "a secret of more than thirty-two bytes for tests";
      const start = () => createAuth({ secret, providers: [], redirectSchemes: [scheme] });
      if (isGone) expect(start).not.toThrow();
      else expect(start).toThrow("redirectSchemes");
    },
  );

  it.each([
    "javascript:alert(1)",
    "//evil.example",
    "/\\evil.example",
    "https://app.example.com@evil.example/",
    "/\t/evil.example",
  ])("stay on this site: %j", async (redirectTo) => {
    openSite();
    await signIn("credentials", { ...right, redirectTo });
    await signOut({ redirectTo });
    const origins = page.assign.mock.calls.map(([url]) => new URL(url, HERE).origin);
    expect(origins).toEqual(["https://app.example.com", "https://app.example.com"]);
  });
});

describe("signIn()", () => {
  it("goes on to the current page after credentials that fit", async () => {
    openSite();
    expect(await signIn("credentials", right)).toBeUndefined();
    expect(page.assign.mock.calls).toEqual([[HERE]]);
    expect(page.reload).not.toHaveBeenCalled();
    expect(await getSession()).not.toBeNull();
  });

  it("goes to the sign-in page after those that do not", async () => {
    openSite();
    await signIn("credentials", wrong);
    const url = new URL(page.assign.mock.calls[0]?.[0] ?? "");
    expect(url.pathname).toBe("/api/auth/signin");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error: "CredentialsSignin",
      code: "credentials",
      callbackUrl: HERE,
    });
  });

  it.each([{ redirectTo: "/dash" }, { callbackUrl: "/dash" }, { redirectTo: "/dash", callbackUrl: "/other" }])(
    "goes where it is told: %o",
    async (options) => {
      openSite();
      await signIn("credentials", { ...right, ...options });
      expect(page.assign.mock.calls).toEqual([["https://app.example.com/dash"]]);
    },
  );

  it("goes to the provider", async () => {
    openSite();
    await signIn("op", {}, "prompt=login");
    expect(page.assign.mock.calls[0]?.[0]).toMatch(/^https:\/\/op\.example\.com\/authorize\?.*prompt=login/);
  });

  it.each([undefined, "", "unknown"])("goes to the sign-in page for provider %j", async (provider) => {
    openSite();
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await signIn(provider, { redirectTo: "/dash" });
    expect(page.assign.mock.calls).toEqual([["/api/auth/signin?callbackUrl=%2Fdash"]]);
    const lines = provider ? [[`signIn("unknown"): no provider has this id, so the sign-in page is shown.`]] : [];
    expect(warn.mock.calls).toEqual(lines);
    warn.mockRestore();
  });

  it("reloads where only a fragment would change", async () => {
    openSite();
    await signIn("credentials", { ...right, redirectTo: "/page#/settings" });
    expect(page.reload).toHaveBeenCalledOnce();
    await signIn("credentials", { ...right, redirectTo: "/other#/settings" });
    expect(page.reload).toHaveBeenCalledOnce();
  });

  it("rejects when the server is not reached, and stays", async () => {
    openSite().breakDown(503);
    await expect(signIn("credentials", right)).rejects.toMatchObject({ type: "ClientFetchError", status: 503 });
    expect(page.assign).not.toHaveBeenCalled();
  });

  it("sends its fields as text, without those that are null or undefined", async () => {
    openSite();
    const fields = { remember: true, age: 30, nothing: null, missing: undefined };
    await signIn("credentials", { ...right, ...fields, redirect: false });
    expect(await getSession()).toMatchObject({ user: { email: JSON.stringify({ remember: "true", age: "30" }) } });
  });

  it("tries once more with a fresh token when the first was refused", async () => {
    const site = openSite();
    const release = site.hold("POST callback/credentials");
    const response = signIn("credentials", { ...right, redirect: false });
    await expect.poll(() => site.count("POST callback/credentials")).toBe(1);
    await site.signInElsewhere("Bea"); // which changes the token
    release();
    expect(await response).toMatchObject({ ok: true });
    expect(site.count("POST callback/credentials")).toBe(2);
    expect(await getSession()).toMatchObject({ user: { name: "Ann" } });
  });

  it("gives up when that was refused, too", async () => {
    const site = openSite();
    site.breakDown(Response.json({ csrfToken: "stale" }), "GET csrf");
    const response = await signIn("credentials", { ...right, redirect: false });
    expect(response).toMatchObject({ ok: false, error: "Signin", url: null });
    expect(site.count("POST callback/credentials")).toBe(2);
  });
});
