import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadReactSuites, type ReactSuite } from "../test/load-react.ts";
import { mountProvider } from "../test/mount-provider.ts";
import { openPage } from "../test/open-page.ts";
import { openSite } from "../test/open-site.ts";

openPage();
const suites = await loadReactSuites();
const ann = { user: { name: "Ann" }, expires: "2100-01-01T00:00:00.000Z" };

function Name({ useSession }: { readonly useSession: ReactSuite["client"]["useSession"] }): string {
  return useSession().data?.user?.name ?? "unknown";
}

describe.each(suites)("a page that the server has rendered, React $version", (suite) => {
  const { react, testing, client } = suite;

  beforeEach(() => {
    // A mismatch is an error on the console.
    vi.spyOn(console, "error").mockImplementation((...said) => {
      throw new Error(said.join(" "));
    });
  });

  afterEach(() => {
    testing.cleanup();
    vi.mocked(console.error).mockRestore();
  });

  it("continues in the browser as it was", async () => {
    const site = openSite();
    const container = document.createElement("div");
    container.innerHTML = "Ann";
    const { useSession, SessionProvider } = client;
    const tree = react.createElement(SessionProvider, { session: ann }, react.createElement(Name, { useSession }));
    testing.render(tree, { container, hydrate: true });
    expect(container.textContent).toBe("Ann");
    expect(site.requests).toEqual([]);
  });

  it("continues as it was where a part comes to life late", async () => {
    const site = openSite();
    await site.signInElsewhere();
    const { useSession, SessionProvider } = client;
    const provider = mountProvider(suite);
    let arrive: (module: { default: typeof Name }) => void = () => undefined;
    const Late = react.lazy(() => new Promise<{ default: typeof Name }>((resolve) => (arrive = resolve)));
    const container = document.createElement("div");
    container.innerHTML = "<!--$-->unknown<!--/$-->";
    const part = react.createElement(react.Suspense, { fallback: "" }, react.createElement(Late, { useSession }));
    testing.render(react.createElement(SessionProvider, null, part), { container, hydrate: true });
    await provider.becomes("authenticated");
    await testing.act(site.settle);
    expect(container.textContent).toBe("unknown");
    await testing.act(async () => arrive({ default: Name }));
    await testing.waitFor(() => expect(container.textContent).toBe("Ann"));
  });
});
