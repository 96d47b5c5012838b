/** What an action of an extension receives of `callbackUrl` (docs/behaviour.md#redirects), and what it passes on to the application's page. */

import { createAuth } from "@cardea/core";
import { type ActionRequest, type ActionSpec, defineExtension } from "@cardea/extend";
import { createBrowser } from "@cardea/testing";
import { describe, expect, it, vi } from "vitest";

const ORIGIN = "https://app.example.com";

function setUp(run: (action: ActionRequest) => Promise<unknown>) {
  const redirect = vi.fn(({ url, baseUrl }: { url: string; baseUrl: string }) => (url === "/in" ? "/out" : baseUrl));
  const spec: ActionSpec = {
    ...({ csrf: "none", segment: "optional", answers: "json", head: "skip" } as const),
    run: async (action) => ({ kind: "json", status: 200, body: await run(action) }),
  };
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    session: { strategy: "jwt" },
    providers: [],
    callbacks: { redirect },
    extensions: [
      defineExtension({ id: "own", actions: { "GET own": spec, "POST own": { ...spec, csrf: "required" } } }),
    ],
  });
  const browser = createBrowser((request) => handlers[request.method === "POST" ? "POST" : "GET"](request), {
    origin: ORIGIN,
  });
  const get = async (path: string) => (await browser.fetch(`/auth/own${path}`)).json();
  const post = async (fields: object) => {
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const body = JSON.stringify({ csrfToken, ...fields });
    return (
      await browser.fetch("/auth/own", { method: "POST", headers: { "content-type": "application/json" }, body })
    ).json();
  };
  return { get, post, redirect };
}

describe("ActionRequest", () => {
  it("has a callbackUrl that callbacks.redirect chose, once", async () => {
    const read = async ({ query, body, redirectTo }: ActionRequest) => {
      const named = body.get("callbackUrl") ?? query.get("callbackUrl");
      return { named, all: query.getAll("callbackUrl").length, to: await redirectTo(String(named)) };
    };
    const { get, post, redirect } = setUp(read);
    const out = { named: `${ORIGIN}/out`, to: `${ORIGIN}/out` };
    expect(await get("?callbackUrl=/in&callbackUrl=https://evil.example")).toEqual({ ...out, all: 1 });
    expect(await post({ callbackUrl: "/in" })).toEqual({ ...out, all: 0 });
    expect(redirect).toHaveBeenCalledTimes(2);
    expect(await get("?callbackUrl=https://evil.example/x")).toMatchObject({ named: `${ORIGIN}/` });
    expect(await post({ callbackUrl: ["https://evil.example"] })).toMatchObject({ named: null });
  });

  it("passes on to the application's page what it names, and a callbackUrl that is valid", async () => {
    const parameters = { error: "a&b", step: null };
    const { get } = setUp(async ({ ownPage, query }) => ownPage(query.get("page") ?? undefined, parameters));
    const shown = await get("?page=/join&callbackUrl=https://evil.example/x&error=no&foo=1");
    const url = `${ORIGIN}/join?${new URLSearchParams({ error: "a&b", callbackUrl: `${ORIGIN}/` })}`;
    expect(shown).toEqual({ kind: "redirect", url });
    expect(await get("/part?page=/auth/own/part"), "this very page").toBeNull();
    expect(await get("")).toBeNull();
  });
});
