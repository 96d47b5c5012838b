/** One secret at several hosts: what a browser brings along from one of them leads nowhere but to the host that it visits. */

import { memoryStore } from "@cardea/core/adapters";
import { customFetch } from "@cardea/core/providers";
import { defineExtension } from "@cardea/extend";
import { emailCodes } from "@cardea/providers-email/codes";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type DatabaseCase, setUpDatabase } from "../harness/database-app.ts";
import { BASE, cookieHeader, ORIGIN, recordOf } from "../harness/harness.ts";
import { plant } from "../harness/planted.ts";

const OTHER = "https://other.example";
const SHOP = "https://shop.example/cart";

/** What is asked at the second host: the cookies are those of the first. */
function elsewhere(c: Pick<DatabaseCase, "browser" | "visit">, host = OTHER) {
  const cookie = cookieHeader(c.browser);
  const at = (path: string, init: RequestInit = {}) => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), cookie, origin: host };
    return c.visit(new Request(`${host}${path}`, { ...init, headers }));
  };
  return {
    at,
    async post(path: string, fields: Record<string, string>): Promise<Response> {
      const { csrfToken } = await (await at(`${BASE}/csrf`)).json();
      return at(path, { method: "POST", body: new URLSearchParams({ ...fields, csrfToken }) });
    },
  };
}

type Elsewhere = ReturnType<typeof elsewhere>;

/** A sign-in that was begun at the first host, and its last step. */
interface Begun {
  readonly c: Pick<DatabaseCase, "browser" | "visit">;
  readonly finish: (there: Elsewhere) => Promise<Response>;
}

const JOURNEYS: Readonly<Record<string, (to: string, config: object) => Promise<Begun>>> = {
  "an OAuth sign-in": async (to, config) => {
    // A server that does not compare the redirect URIs.
    const lax: typeof fetch = (input, init) => {
      const body = init?.body instanceof URLSearchParams ? new URLSearchParams(init.body) : init?.body;
      if (body instanceof URLSearchParams && body.has("redirect_uri"))
        body.set("redirect_uri", `${ORIGIN}${BASE}/callback/op`);
      return c.op.fetch(input, { ...init, body: body ?? null });
    };
    const c: DatabaseCase = setUpDatabase({ alsoTo: [OTHER, SHOP], provider: { [customFetch]: lax }, config });
    const started = await c.post(`${BASE}/signin/op`, { callbackUrl: to });
    const { url } = await c.op.authorize(new URL(started.redirectsTo ?? ""));
    const { pathname, search } = new URL(url);
    return { c, finish: ({ at }) => at(`${pathname}${search}`) };
  },
  "the code of an e-mail": async (to, config) => {
    const codes: string[] = [];
    const c = setUpDatabase({
      alsoTo: [OTHER, SHOP],
      email: { code: emailCodes, sendVerificationRequest: ({ code = "" }) => void codes.push(code) },
      config: { store: memoryStore({ instances: 1 }), ...config },
    });
    const sent = await c.post(`${BASE}/signin/email`, { email: "bob@example.com", callbackUrl: to });
    const flow = new URL(sent.redirectsTo ?? "").searchParams.get("flow") ?? "";
    return { c, finish: ({ post }) => post(`${BASE}/callback/email`, { code: codes[0] ?? "", flow }) };
  },
  "an address that its owner confirms": async (to, config) => {
    const planted = await plant("account", { alsoTo: [OTHER, SHOP], strategy: "jwt", config });
    await planted.owner.post(`${BASE}/signin/email`, { email: "victim@example.com", callbackUrl: to });
    await planted.owner.open();
    return {
      c: planted.owner,
      finish: ({ post }) => post(`${BASE}/confirm-address`, { step: "start-fresh-confirmed" }),
    };
  },
  "a sign-in that an extension interrupts": async (to, config) => {
    const asks = defineExtension({
      id: "asks",
      needs: { store: true },
      admit: ({ facts }) => (facts.f.some(([method]) => method === "otp") ? { admit: true } : { ask: "prove" }),
      actions: {
        "GET prove": {
          ...{ csrf: "none", segment: "none", answers: "page", head: "skip" },
          async run(action, t) {
            const pending = await action.pendingSignIn();
            const url = (await pending?.complete({ f: [["otp", t.now()]] })) ?? `${ORIGIN}/none`;
            return { kind: "redirect", url };
          },
        },
      },
    });
    const c = setUpDatabase({
      alsoTo: [OTHER, SHOP],
      memory: createMemoryAdapter(),
      config: { store: memoryStore({ instances: 1 }), extensions: [asks], ...config },
    });
    const started = await c.post(`${BASE}/signin/op`, { callbackUrl: to });
    const { url } = await c.op.authorize(new URL(started.redirectsTo ?? ""));
    const { redirectsTo } = await c.browser.navigate(url, { initiator: c.op.issuer });
    const { pathname, search } = new URL(redirectsTo ?? "");
    return { c, finish: ({ at }) => at(`${pathname}${search}`) };
  },
};

describe.each(Object.keys(JOURNEYS))("the destination of %s", (name) => {
  const begin = (to: string, config: object = {}) => JOURNEYS[name]?.(to, config) as Promise<Begun>;

  it.each(["/dash?a=1#b", "/", `${ORIGIN}/dash`, ""])(
    "that began at another host leads to the host that it ends at (%j)",
    async (to) => {
      const { c, finish } = await begin(to);
      const { status, headers, body } = recordOf(await finish(elsewhere(c)));
      const { href } = new URL(to.replace(ORIGIN, ""), OTHER);
      expect([status, new URL(headers.get("location") ?? "").href]).toEqual([302, href]);
      expect(`${JSON.stringify([...headers])}${body}`).not.toContain(ORIGIN);
    },
  );

  it("leads to the same place at the same host", async () => {
    const { c, finish } = await begin("/dash?a=1#b");
    const { headers } = recordOf(await finish(elsewhere(c, ORIGIN)));
    expect(headers.get("location")).toBe(`${ORIGIN}/dash?a=1#b`);
  });

  it("leads where callbacks.redirect allowed, from any host", async () => {
    const redirect = ({ url, baseUrl }: { url: string; baseUrl: string }) =>
      url.startsWith("/") ? `${baseUrl}${url}` : url;
    const { c, finish } = await begin(SHOP, { callbacks: { redirect } });
    const { headers } = recordOf(await finish(elsewhere(c)));
    expect(headers.get("location")).toBe(SHOP);
  });
});
