import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadReactSuites } from "../test/load-react.ts";
import { mountProvider } from "../test/mount-provider.ts";
import { openPage } from "../test/open-page.ts";
import { openSite } from "../test/open-site.ts";

const page = openPage();
const suites = await loadReactSuites();
const ann = { user: { name: "Ann" }, expires: "2100-01-01T00:00:00.000Z" };

describe.each(suites)("useSession() in React $version", (suite) => {
  const { testing, client } = suite;

  beforeEach(() => {
    page.assign.mockClear();
    vi.spyOn(console, "error").mockImplementation((...said) => {
      throw new Error(said.join(" "));
    });
  });

  afterEach(() => {
    testing.cleanup();
    vi.mocked(console.error).mockRestore();
  });

  it("works inside of a provider only (docs/from-nextauth.md#v4-use-session)", () => {
    vi.mocked(console.error).mockImplementation(() => undefined);
    expect(() => testing.renderHook(() => client.useSession())).toThrow("<SessionProvider>");
  });

  describe("update()", () => {
    async function signedIn() {
      const site = openSite();
      await site.signInElsewhere();
      const provider = mountProvider(suite);
      await provider.becomes("authenticated");
      site.requests.length = 0;
      return { site, provider };
    }

    it("changes the session on the server", async () => {
      const { site, provider } = await signedIn();
      const { update } = provider.now;
      expect(await provider.update({ name: "Bea" })).toMatchObject({ user: { name: "Bea" } });
      expect(provider.now.data).toMatchObject({ user: { name: "Bea" } });
      expect(site.requests).toEqual(["GET csrf", "POST session"]);
      expect(await client.getSession()).toMatchObject({ user: { name: "Bea" } });
      expect(provider.now.update).toBe(update);
    });

    it("asks again without data", async () => {
      const { site, provider } = await signedIn();
      await site.signInElsewhere("Cleo");
      expect(await provider.update()).toMatchObject({ user: { name: "Cleo" } });
      expect(provider.now.data).toMatchObject({ user: { name: "Cleo" } });
      expect(site.requests).toEqual(["GET session"]);
    });

    it("never shows that it is loading", async () => {
      const { provider } = await signedIn();
      const from = provider.statuses.length;
      await provider.update();
      await provider.update({ name: "Bea" });
      expect(new Set(provider.statuses.slice(from))).toEqual(new Set(["authenticated"]));
    });

    it.each([true, false])(
      "is sent while a question is under way, whose answer counts no more (%#)",
      async (aborts) => {
        const { site, provider } = await signedIn();
        const send = globalThis.fetch;
        // Where a browser, or what wraps its fetch, does not abort, the answer comes all the same.
        if (!aborts) vi.stubGlobal("fetch", (url: string, init: RequestInit) => send(url, { ...init, signal: null }));
        const release = site.hold("GET session", "answer");
        testing.act(() => page.show("visible"));
        await testing.waitFor(() => expect(site.count("GET session")).toBe(1));
        expect(await provider.update({ name: "Bea" })).toMatchObject({ user: { name: "Bea" } });
        release();
        await testing.act(site.settle);
        expect(provider.now.data).toMatchObject({ user: { name: "Bea" } });
        expect(site.abandoned).toEqual(aborts ? ["GET session"] : []);
      },
    );

    it("asks a new question while one is under way, which gets the new answer", async () => {
      const { site, provider } = await signedIn();
      site.hold("GET session", "answer");
      await testing.act(async () => {
        const first = provider.now.update();
        await vi.waitFor(() => expect(site.count("GET session")).toBe(1), { timeout: 20_000 });
        await site.signInElsewhere("Cleo");
        const second = provider.now.update();
        expect(await second).toMatchObject({ user: { name: "Cleo" } });
        expect(await first).toMatchObject({ user: { name: "Cleo" } });
      });
      expect(site.count("GET session")).toBe(2);
    });

    it("leaves the update after it under way, whose answer will do for anyone who asks", async () => {
      const { site, provider } = await signedIn();
      await testing.act(async () => {
        const { update } = provider.now;
        const updates = [update({ name: "Bea" }), update({ name: "Cleo" })];
        await updates[0];
        page.show("visible");
        await updates[1];
      });
      expect(provider.now.data).toMatchObject({ user: { name: "Cleo" } });
      expect(site.count("GET session")).toBe(0);
    });

    it("goes well although the provider has left the page", async () => {
      const { site, provider } = await signedIn();
      const release = site.hold("POST session");
      const updated = provider.now.update({ name: "Bea" });
      await testing.waitFor(() => expect(site.count("POST session")).toBe(1));
      provider.unmount();
      release();
      expect(await updated).toMatchObject({ user: { name: "Bea" } });
    });

    it("waits for the update before it, so that none is lost", async () => {
      const { site, provider } = await signedIn();
      const release = site.hold("POST session");
      await testing.act(async () => {
        const { update } = provider.now;
        const updates = [update({ name: "Bea" }), update({ email: "bea@example.com" }), update()];
        await vi.waitFor(() => expect(site.count("POST session")).toBe(1), { timeout: 20_000 });
        release();
        const [first, second, third] = await Promise.all(updates);
        expect(first).toMatchObject({ user: { name: "Bea" } });
        expect(second).toMatchObject({ user: { name: "Bea", email: "bea@example.com" } });
        expect(third).toEqual(second);
      });
      expect(site.requests).toEqual(["GET csrf", "POST session", "GET csrf", "POST session", "GET session"]);
    });

    it("is tried once more when its token was refused", async () => {
      const { site, provider } = await signedIn();
      const release = site.hold("POST session");
      await testing.act(async () => {
        const updated = provider.now.update({ name: "Bea" });
        await vi.waitFor(() => expect(site.count("POST session")).toBe(1), { timeout: 20_000 });
        await site.signInElsewhere("Cleo");
        release();
        expect(await updated).toMatchObject({ user: { name: "Bea" } });
      });
      expect(site.count("POST session")).toBe(2);
    });

    it("shows that no one is signed in any more", async () => {
      const { site, provider } = await signedIn();
      await site.signOutElsewhere();
      expect(await provider.update({ name: "Bea" })).toBeNull();
      expect(provider.now).toMatchObject({ data: null, status: "unauthenticated" });
    });

    it.each([
      ["offline", 0, { name: "Bea" }],
      ["503", 503, { name: "Bea" }],
      ["a token refused twice", 403, { name: "Bea" }],
      ["offline", 0, undefined],
    ])("rejects and keeps the session: %s", async (_name, status, data) => {
      const { site, provider } = await signedIn();
      site.breakDown(status, data ? "POST session" : "GET session");
      await testing.act(async () => {
        await expect(provider.now.update(data)).rejects.toMatchObject({ type: "ClientFetchError", status });
      });
      expect(provider.now).toMatchObject({
        data: { user: { name: "Ann" } },
        status: "authenticated",
        error: { status },
      });
      site.breakDown(undefined, data ? "POST session" : "GET session");
      await provider.update({ name: "Bea" });
      expect(provider.now.error).toBeUndefined();
    });

    it("leaves no question unanswered when it fails before the first answer", async () => {
      const site = openSite();
      await site.signInElsewhere();
      site.breakDown(500, "POST session");
      site.hold("GET session");
      const provider = mountProvider(suite);
      await testing.waitFor(() => expect(site.count("GET session")).toBe(1));
      await testing.act(async () => {
        await expect(provider.now.update({ name: "Bea" })).rejects.toMatchObject({ status: 500 });
      });
      await provider.becomes("authenticated");
    });
  });

  describe("with required", () => {
    it("calls onUnauthenticated once, when no one is signed in, and shows loading", async () => {
      const site = openSite();
      const onUnauthenticated = vi.fn();
      const provider = mountProvider(suite, {}, { hook: { required: true, onUnauthenticated } });
      await testing.waitFor(() => expect(onUnauthenticated).toHaveBeenCalledOnce());
      expect(site.requests).toEqual(["GET session"]);
      provider.rerender({});
      await provider.update();
      expect(new Set(provider.statuses)).toEqual(new Set(["loading"]));
      expect(onUnauthenticated).toHaveBeenCalledOnce();
      expect(page.assign).not.toHaveBeenCalled();
    });

    it("spec 7 SessionRequired goes to the sign-in page, to come back", async () => {
      openSite();
      mountProvider(suite, { session: null, basePath: "/auth" }, { hook: { required: true } });
      expect(page.assign.mock.calls).toEqual([
        ["/auth/signin?error=SessionRequired&callbackUrl=https%3A%2F%2Fapp.example.com%2Fpage"],
      ]);
    });

    it("calls again when the session ends", async () => {
      openSite();
      const onUnauthenticated = vi.fn();
      const provider = mountProvider(suite, { session: ann }, { hook: { required: true, onUnauthenticated } });
      expect(provider.now).toMatchObject({ data: ann, status: "authenticated" });
      expect(onUnauthenticated).not.toHaveBeenCalled();
      provider.rerender({ session: null });
      expect(onUnauthenticated).toHaveBeenCalledOnce();
      expect(provider.now).toMatchObject({ data: null, status: "loading" });
    });

    it("does not take an outage for that", async () => {
      const site = openSite();
      site.breakDown(503);
      const onUnauthenticated = vi.fn();
      const provider = mountProvider(suite, {}, { hook: { required: true, onUnauthenticated } });
      await testing.waitFor(() => expect(provider.now.error).toBeDefined());
      expect(onUnauthenticated).not.toHaveBeenCalled();
    });
  });
});
