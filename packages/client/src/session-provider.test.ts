import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadReactSuites, type ReactSuite } from "../test/load-react.ts";
import { mountProvider } from "../test/mount-provider.ts";
import { openPage } from "../test/open-page.ts";
import { openSite } from "../test/open-site.ts";

const page = openPage();
const suites = await loadReactSuites();
const ann = { user: { name: "Ann" }, expires: "2100-01-01T00:00:00.000Z" };
const bea = { user: { name: "Bea" }, expires: "2100-01-01T00:00:00.000Z" };

function SignsInAtOnce({ react, signIn }: Pick<ReactSuite, "react"> & { readonly signIn: () => Promise<void> }): null {
  react.useEffect(() => void signIn(), [react, signIn]);
  return null;
}

/** Fakes intervals and counts those that are set from now on: other files of the worker may have some. */
function countIntervals() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const set = vi.spyOn(globalThis, "setInterval");
  const clear = vi.spyOn(globalThis, "clearInterval");
  return {
    count: () => {
      const cleared = new Set<unknown>(clear.mock.calls.map(([timer]) => timer));
      return set.mock.results.filter(({ value }) => !cleared.has(value)).length;
    },
  };
}

describe.each(suites)("SessionProvider in React $version", (suite) => {
  const { react, testing, client } = suite;

  beforeEach(() => {
    vi.spyOn(console, "error").mockImplementation((...said) => {
      throw new Error(said.join(" "));
    });
  });

  afterEach(() => {
    testing.cleanup();
    page.show("visible");
    page.connect(true);
    vi.mocked(console.error).mockRestore();
  });

  describe("a session that the server ended", () => {
    const endedAs = (why: string) => Response.json(null, { headers: { "x-auth-session-ended": why } });

    it("is noticed at the next focus, and said: not as an error", async () => {
      const site = openSite();
      await site.signInElsewhere();
      const provider = mountProvider(suite);
      await provider.becomes("authenticated");
      site.breakDown(endedAs("limit"), "GET session");
      page.show("visible");
      await provider.becomes("unauthenticated");
      expect(provider.now).toMatchObject({ ended: "limit" });
      expect(provider.now.error).toBeUndefined();
      expect(testing.within(document.body).getByRole("alert").textContent).toBe("You were signed out.");
      // The cookie is gone by then: the next answer does not say why.
      site.breakDown(Response.json(null), "GET session");
      page.show("visible");
      await site.settle();
      expect(testing.within(document.body).getByRole("alert").textContent).toBe("You were signed out.");
    });

    it("is said no more once someone signs in", async () => {
      const site = openSite();
      await site.signInElsewhere();
      const provider = mountProvider(suite);
      await provider.becomes("authenticated");
      site.breakDown(endedAs("ended"), "GET session");
      page.show("visible");
      await provider.becomes("unauthenticated");
      site.breakDown(undefined, "GET session");
      page.show("visible");
      await provider.becomes("authenticated");
      expect(testing.within(document.body).queryByRole("alert")).toBeNull();
    });

    it.each([
      ["a function", (why: string) => `Over: ${why}`, "Over: ended"],
      ["null", null, ""],
    ])("is shown as %s says", async (_what, signedOut, text) => {
      const site = openSite();
      await site.signInElsewhere();
      const provider = mountProvider(suite, { signedOut });
      await provider.becomes("authenticated");
      site.breakDown(endedAs("ended"), "GET session");
      page.show("visible");
      await provider.becomes("unauthenticated");
      expect(document.body.textContent).toBe(text);
    });

    it("is not said to a user who signs out, or never signed in", async () => {
      const site = openSite();
      const provider = mountProvider(suite);
      await provider.becomes("unauthenticated");
      await site.signInElsewhere();
      page.show("visible");
      await provider.becomes("authenticated");
      await testing.act(() => client.signOut({ redirect: false }));
      await provider.becomes("unauthenticated");
      expect(testing.within(document.body).queryByRole("alert")).toBeNull();
    });
  });

  describe("what is known first", () => {
    it("asks once, whatever the number of components", async () => {
      const site = openSite();
      const provider = mountProvider(suite, {}, { components: 20 });
      expect(provider.now).toMatchObject({ data: null, status: "loading" });
      await provider.becomes("unauthenticated");
      expect(site.requests).toEqual(["GET session"]);
    });

    it("does not ask when it was told", async () => {
      const site = openSite();
      const signedIn = mountProvider(suite, { session: ann });
      const signedOut = mountProvider(suite, { session: null });
      expect(signedIn.now).toMatchObject({ data: ann, status: "authenticated" });
      expect(signedOut.now).toMatchObject({ data: null, status: "unauthenticated" });
      expect(site.requests).toEqual([]);
    });

    it("asks once in StrictMode, which mounts twice", async () => {
      const site = openSite();
      await site.signInElsewhere();
      const provider = mountProvider(suite, {}, { strict: true });
      await provider.becomes("authenticated");
      expect(site.requests).toEqual(["GET session"]);
      expect(site.channels.size).toBe(1);
    });
  });

  it("has its calls ready for the effects of its children", async () => {
    openSite({ basePath: "/auth" });
    page.assign.mockClear();
    const { SessionProvider, signIn } = client;
    const child = react.createElement(SignsInAtOnce, { react, signIn });
    testing.render(react.createElement(SessionProvider, { session: null, basePath: "/auth" }, child));
    await testing.waitFor(() => expect(page.assign).toHaveBeenCalledOnce());
    expect(page.assign.mock.calls[0]?.[0]).toMatch(/^\/auth\/signin\?/);
  });

  describe("the session prop", () => {
    it("is taken over when it changes, at once", () => {
      const site = openSite();
      const provider = mountProvider(suite, { session: null });
      provider.rerender({ session: ann });
      expect(provider.now).toMatchObject({ data: ann, status: "authenticated" });
      provider.rerender({ session: bea });
      expect(provider.now.data).toEqual(bea);
      provider.rerender({});
      expect(provider.now.data).toEqual(bea);
      provider.rerender({ session: null });
      expect(provider.now.status).toBe("unauthenticated");
      expect(site.requests).toEqual([]);
    });

    it("is not taken over again when it is the same", async () => {
      const site = openSite();
      await site.signInElsewhere("Cleo");
      const provider = mountProvider(suite, { session: ann });
      await provider.update();
      provider.rerender({ session: structuredClone(ann) });
      expect(provider.now).toMatchObject({ data: { user: { name: "Cleo" } } });
    });

    it("counts more than the answer to an earlier question", async () => {
      const site = openSite();
      const release = site.hold("GET session", "answer");
      const provider = mountProvider(suite);
      await testing.waitFor(() => expect(site.count("GET session")).toBe(1));
      provider.rerender({ session: ann });
      release();
      await testing.act(site.settle);
      expect(provider.now.data).toEqual(ann);
      expect(site.abandoned).toEqual(["GET session"]);
    });

    it("and an update that was under way are settled by the server", async () => {
      const site = openSite();
      await site.signInElsewhere();
      const provider = mountProvider(suite, { session: ann });
      const release = site.hold("POST session", "answer");
      const updated = provider.now.update({ name: "Cleo" });
      await testing.waitFor(() => expect(site.count("POST session")).toBe(1));
      await site.signInElsewhere("Bea");
      provider.rerender({ session: bea });
      release();
      await testing.act(async () => {
        expect(await updated).toMatchObject({ user: { name: "Bea" } });
      });
      expect(provider.now.data).toMatchObject({ user: { name: "Bea" } });
    });
  });

  describe("asking again", () => {
    it("does so when the page is looked at, once", async () => {
      const site = openSite();
      const provider = mountProvider(suite, { session: null });
      await site.signInElsewhere();
      page.show("hidden");
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(0);
      testing.act(() => page.show("visible"));
      await provider.becomes("authenticated");
      expect(site.count("GET session")).toBe(1);
      expect(provider.statuses).not.toContain("loading");
    });

    it("does not with refetchOnWindowFocus: false", async () => {
      const site = openSite();
      mountProvider(suite, { session: null, refetchOnWindowFocus: false });
      testing.act(() => page.show("visible"));
      await testing.act(site.settle);
      expect(site.requests).toEqual([]);
    });

    it("does so when the browser restores the page as it was left, whatever the options", async () => {
      const site = openSite();
      await site.signInElsewhere();
      const provider = mountProvider(suite, { refetchOnWindowFocus: false });
      await provider.becomes("authenticated");
      await site.signOutElsewhere();
      testing.act(() => page.restore(false));
      await testing.act(site.settle);
      expect(provider.now.status).toBe("authenticated");
      testing.act(() => page.restore(true));
      await provider.becomes("unauthenticated");
    });

    it("does so every refetchInterval seconds, while a user is signed in", async () => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      const site = openSite();
      await site.signInElsewhere();
      const provider = mountProvider(suite, { session: ann, refetchInterval: 30 });
      vi.advanceTimersByTime(29_999);
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(0);
      vi.advanceTimersByTime(1);
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(1);
      await site.signOutElsewhere();
      vi.advanceTimersByTime(30_000);
      await testing.act(site.settle);
      expect(provider.now.status).toBe("unauthenticated");
      vi.advanceTimersByTime(300_000);
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(2);
      vi.useRealTimers();
    });

    it.each([2_147_484, 31_536_000, Number.POSITIVE_INFINITY])(
      "never without a pause: refetchInterval %d",
      async (long) => {
        vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
        const site = openSite();
        mountProvider(suite, { session: ann, refetchInterval: long });
        vi.advanceTimersByTime(1000);
        await testing.act(site.settle);
        expect(site.requests).toEqual([]);
        vi.useRealTimers();
      },
    );

    it.each([
      ["goes on while offline", undefined, 1],
      ["pauses while offline with refetchWhenOffline: false", false, 0],
    ])("%s", async (_name, refetchWhenOffline, expected) => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      const site = openSite();
      await site.signInElsewhere();
      mountProvider(suite, { session: ann, refetchInterval: 10, refetchWhenOffline });
      page.connect(false);
      vi.advanceTimersByTime(10_000);
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(expected);
      page.connect(true);
      vi.advanceTimersByTime(10_000);
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(expected + 1);
      vi.useRealTimers();
    });

    it("renders no one again when nothing has changed", async () => {
      const site = openSite();
      await site.signInElsewhere();
      const provider = mountProvider(suite);
      await provider.becomes("authenticated");
      const before = provider.now;
      await provider.update();
      expect(provider.now).toBe(before);
    });
  });

  describe("a server that cannot be reached", () => {
    it.each([0, 503, 500])("keeps the session and says so: %i", async (status) => {
      const site = openSite();
      await site.signInElsewhere();
      const provider = mountProvider(suite, { session: ann });
      site.breakDown(status);
      testing.act(() => page.show("visible"));
      await testing.waitFor(() => expect(provider.now.error).toMatchObject({ type: "ClientFetchError", status }));
      expect(provider.now).toMatchObject({ data: ann, status: "authenticated" });
      site.breakDown(undefined);
      testing.act(() => page.show("visible"));
      await testing.waitFor(() => expect(provider.now.error).toBeUndefined());
      expect(provider.now.status).toBe("authenticated");
    });

    it("does not make up that no one is signed in, and asks when the network is back", async () => {
      const site = openSite();
      await site.signInElsewhere();
      site.breakDown(0);
      const provider = mountProvider(suite);
      await testing.waitFor(() => expect(provider.now.error).toBeDefined());
      expect(provider.now.status).toBe("loading");
      site.breakDown(undefined);
      testing.act(() => page.connect(true));
      await provider.becomes("authenticated");
      expect(provider.now.error).toBeUndefined();
      const asked = site.count("GET session");
      testing.act(() => page.connect(true));
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(asked);
    });
  });

  it("leaves nothing behind", async () => {
    const timers = countIntervals();
    const site = openSite();
    const provider = mountProvider(suite, { session: ann, refetchInterval: 1 });
    expect([site.channels.size, timers.count()]).toEqual([1, 1]);
    provider.unmount();
    expect([site.channels.size, timers.count()]).toEqual([0, 0]);
    page.show("visible");
    page.connect(true);
    await site.settle();
    expect(site.requests).toEqual([]);
    vi.useRealTimers();
  });
});
