import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadReactSuites, type ReactSuite } from "../test/load-react.ts";
import { mountProvider } from "../test/mount-provider.ts";
import { openPage } from "../test/open-page.ts";
import { openSite } from "../test/open-site.ts";
import * as otherTab from "./index.ts";

openPage();
const suites = await loadReactSuites();
const ann = { user: { name: "Ann" }, expires: "2100-01-01T00:00:00.000Z" };
const right = { username: "Ann", password: "correct" };

interface PartProps {
  readonly useSession: ReactSuite["client"]["useSession"];
  /** What the component waits for. */
  readonly data?: Promise<void>;
}

function Part({ useSession, data }: PartProps): string {
  const session = useSession().data;
  if (data) throw data;
  return session?.user?.name ?? "no one";
}

describe.each(suites)("createClient() in React $version", (suite) => {
  const { react, testing, client } = suite;

  beforeEach(() => {
    vi.spyOn(console, "error").mockImplementation((...said) => {
      throw new Error(said.join(" "));
    });
  });

  afterEach(() => {
    testing.cleanup();
    vi.mocked(console.error).mockRestore();
  });

  describe("signIn() and signOut()", () => {
    it("have changed what the hook says when they resolve", async () => {
      const site = openSite();
      const provider = mountProvider(suite, { session: null });
      await testing.act(() => client.signIn("credentials", { ...right, redirect: false }));
      expect(provider.now).toMatchObject({ status: "authenticated", data: { user: { name: "Ann" } } });
      await testing.act(() => client.signOut({ redirect: false }));
      expect(provider.now).toMatchObject({ status: "unauthenticated", data: null });
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(2);
    });

    it("go well even if the session cannot be read after them", async () => {
      const site = openSite();
      const provider = mountProvider(suite, { session: null });
      site.breakDown(503, "GET session");
      const response = await testing.act(() => client.signIn("credentials", { ...right, redirect: false }));
      expect(response).toMatchObject({ ok: true });
      expect(provider.now).toMatchObject({ status: "unauthenticated", error: { status: 503 } });
    });

    it("tell the others, and ask nothing, when the page goes elsewhere", async () => {
      const site = openSite();
      mountProvider(suite, { session: null });
      const heard: unknown[] = [];
      const channel = new BroadcastChannel("cardea");
      channel.onmessage = ({ data }: MessageEvent<unknown>) => void heard.push(data);
      await client.signIn("credentials", right);
      await testing.act(site.settle);
      channel.close();
      expect(heard).toEqual([null]);
      expect(site.count("GET session")).toBe(0);
    });

    it("ask no one when the password was wrong", async () => {
      const site = openSite();
      mountProvider(suite, { session: null });
      await testing.act(() => client.signIn("credentials", { password: "wrong", redirect: false }));
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(0);
    });

    it("go to the server of the provider on the page, and to their own without one", async () => {
      const site = openSite({ basePath: "/auth" });
      const provider = mountProvider(suite, { session: null, basePath: "/auth" });
      await testing.act(() => client.signIn("credentials", { ...right, redirect: false }));
      expect(provider.now.status).toBe("authenticated");
      expect(await client.getSession()).toMatchObject({ user: { name: "Ann" } });
      expect(await client.getProviders()).toHaveLength(2);
      expect(await client.getCsrfToken()).not.toBe("");
      provider.unmount();
      await expect(client.getSession()).rejects.toMatchObject({ status: 404 });
      expect(site.channels.size).toBe(0);
    });

    it("go to the server of a provider that is hidden while a part of the page loads", async () => {
      openSite({ basePath: "/auth" });
      const { useSession, SessionProvider } = client;
      const tree = (data?: Promise<void>) => {
        const part = react.createElement(Part, { useSession, ...(data && { data }) });
        const provider = react.createElement(SessionProvider, { session: null, basePath: "/auth" }, part);
        return react.createElement(react.Suspense, { fallback: "" }, provider);
      };
      const { rerender, unmount } = testing.render(tree());
      rerender(tree(new Promise(() => undefined)));
      expect(await client.signIn("credentials", { ...right, redirect: false })).toMatchObject({ ok: true });
      expect(await client.getSession()).toMatchObject({ user: { name: "Ann" } });
      unmount();
      await expect(client.getSession()).rejects.toMatchObject({ status: 404 });
    });

    it("go to the server of a provider in StrictMode, which mounts twice", async () => {
      openSite({ basePath: "/auth" });
      mountProvider(suite, { session: null, basePath: "/auth" }, { strict: true });
      expect(await client.getSession()).toBeNull();
    });

    it("belong to the client that they were made with", async () => {
      openSite({ basePath: "/auth" });
      const own = client.createClient({ basePath: "/auth" });
      const provider = mountProvider({ ...suite, client: { ...client, ...own } });
      await provider.becomes("unauthenticated");
      await testing.act(() => own.signIn("credentials", { ...right, redirect: false }));
      expect(provider.now.status).toBe("authenticated");
      await expect(client.getSession()).rejects.toMatchObject({ status: 404 });
    });
  });

  describe("several tabs", () => {
    it("follow a sign-in and a sign-out", async () => {
      const site = openSite();
      const [here, there] = [mountProvider(suite, { session: null }), mountProvider(suite, { session: null })];
      await testing.act(() => client.signIn("credentials", { ...right, redirect: false }));
      expect(there.now.status).toBe("authenticated");
      await here.becomes("authenticated");
      await testing.act(() => client.signOut({ redirect: false }));
      expect(there.now.status).toBe("unauthenticated");
      await here.becomes("unauthenticated");
      expect(new Set([...here.statuses, ...there.statuses])).toEqual(new Set(["authenticated", "unauthenticated"]));
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(4);
      expect(site.channels.size).toBe(2);
    });

    it("follow a page without a provider", async () => {
      openSite();
      const provider = mountProvider(suite, { session: null });
      await otherTab.signIn("credentials", right);
      await provider.becomes("authenticated");
      await otherTab.signOut();
      await provider.becomes("unauthenticated");
    });

    it.each(["signOut", "update"])("hear of %s() from a provider that left the page meanwhile", async (call) => {
      const site = openSite();
      await site.signInElsewhere();
      const [there, here] = [mountProvider(suite), mountProvider(suite)];
      await there.becomes("authenticated");
      await here.becomes("authenticated");
      const action = call === "update" ? "POST session" : "POST signout";
      const release = site.hold(action);
      const done = call === "update" ? here.now.update({ name: "Bea" }) : client.signOut({ redirect: false });
      await testing.waitFor(() => expect(site.count(action)).toBe(1));
      here.unmount();
      release();
      await done;
      if (call === "signOut") await there.becomes("unauthenticated");
      else await testing.waitFor(() => expect(there.now.data).toMatchObject({ user: { name: "Bea" } }));
    });

    it("follow a sign-out that they could not hear, because their provider was hidden", async () => {
      const site = openSite();
      await site.signInElsewhere();
      const { useSession, SessionProvider } = client;
      let arrive = () => {};
      const wait: { data?: Promise<void> } = {};
      const tree = () => {
        const part = react.createElement(Part, { useSession, ...wait });
        const provider = react.createElement(SessionProvider, { refetchOnWindowFocus: false }, part);
        return react.createElement(react.Suspense, { fallback: "" }, provider);
      };
      const { container, rerender } = testing.render(tree());
      await testing.waitFor(() => expect(container.textContent).toBe("Ann"));
      wait.data = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      rerender(tree());
      expect(site.channels.size).toBe(0);
      await otherTab.signOut();
      await testing.act(site.settle);
      delete wait.data;
      await testing.act(async () => {
        arrive();
        rerender(tree());
      });
      await testing.waitFor(() => expect(container.textContent).toBe("no one"));
    });

    it("follow an update", async () => {
      const site = openSite();
      await site.signInElsewhere();
      const [here, there] = [mountProvider(suite), mountProvider(suite)];
      await here.becomes("authenticated");
      await there.becomes("authenticated");
      await there.update({ name: "Bea" });
      await testing.waitFor(() => expect(here.now.data).toMatchObject({ user: { name: "Bea" } }));
    });

    it("hear of a sign-in that led through a provider when the page is back", async () => {
      const site = openSite();
      const here = mountProvider(suite, { session: null });
      await testing.act(site.settle);
      await site.signInElsewhere();
      const back = mountProvider(suite);
      await back.becomes("authenticated");
      await here.becomes("authenticated");
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(2);
    });

    it.each([true, false])("hear of it from a page that was rendered with the session (%#)", async (isSignedIn) => {
      const site = openSite();
      if (isSignedIn) await site.signInElsewhere();
      const session = await otherTab.getSession();
      const here = mountProvider(suite, { session: isSignedIn ? null : ann });
      await testing.act(site.settle);
      mountProvider(suite, { session });
      await here.becomes(isSignedIn ? "authenticated" : "unauthenticated");
    });

    it("ask again although they are asking when they hear of a change", async () => {
      const site = openSite();
      const here = mountProvider(suite);
      site.hold("GET session", "answer");
      await testing.waitFor(() => expect(site.count("GET session")).toBe(1));
      await otherTab.signIn("credentials", right);
      await here.becomes("authenticated");
      expect(site.abandoned).toEqual(["GET session"]);
    });

    it("do not ask because another page of the same person was opened", async () => {
      const site = openSite();
      await site.signInElsewhere();
      const session = await otherTab.getSession();
      for (let tab = 0; tab < 3; tab++) mountProvider(suite, { session });
      await mountProvider(suite).becomes("authenticated");
      await testing.act(site.settle);
      expect(site.count("GET session")).toBe(2);
    });

    it.each([
      ["has no channels", undefined],
      [
        "refuses them, as Firefox does if cookies are blocked",
        class {
          constructor() {
            throw new DOMException("The operation is insecure.", "SecurityError");
          }
        },
      ],
    ])("work alone in a browser that %s", async (_what, channel) => {
      const site = openSite();
      vi.stubGlobal("BroadcastChannel", channel);
      const provider = mountProvider(suite, { session: null });
      await testing.act(() => client.signIn("credentials", { ...right, redirect: false }));
      expect(provider.now.status).toBe("authenticated");
      await otherTab.signOut();
      expect(site.channels.size).toBe(0);
    });
  });
});
