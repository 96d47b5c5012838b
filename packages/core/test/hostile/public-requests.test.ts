/** What application code receives names the address in the browser's address bar, and no host that the application does not trust. */

import { type AuthConfig, createAuth, skipCSRFCheck } from "@cardea/core";
import { createConfigResolver, guardRequest } from "@cardea/core/operations";
import { afterEach, describe, expect, it, vi } from "vitest";

const INNER = "http://localhost:3000";
const PROXY = { host: "internal:3000", "x-forwarded-host": "app.example.com", "x-forwarded-proto": "https" };
const PUBLIC = "https://app.example.com";
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
const secret = "a secret of more than thirty-two bytes for tests";

afterEach(() => vi.unstubAllEnvs());

/** An application that notes what each of its functions receives. */
function setUp(overrides: AuthConfig | object = {}) {
  const seen: Record<string, string[]> = {};
  const note = (name: string, request: Request | undefined) => {
    seen[name] = [...(seen[name] ?? []), request?.url ?? ""];
  };
  const config: AuthConfig = {
    secret,
    logger,
    trustHost: true,
    skipCSRFCheck,
    providers: [
      {
        id: "credentials",
        name: "Password",
        type: "credentials",
        credentials: { name: {} },
        authorize: async ({ name }: { name?: unknown }, request: Request) => {
          note("authorize", request);
          return (await request.text()).includes(`name=${name}`) ? { id: "7" } : null;
        },
      },
    ],
    callbacks: {
      authorized: ({ request }) => {
        note("authorized", request);
        return true;
      },
      allowAttempt: ({ request }) => {
        note("allowAttempt", request);
        return true;
      },
    },
    ...overrides,
  };
  const configure = (request?: Request) => {
    note("configuration", request);
    return config;
  };
  return { seen, config, ...createAuth(configure) };
}

type App = ReturnType<typeof setUp>;

/** One request for a page with a body, and one sign-in with a password. */
async function visit({ auth, handlers }: App, headers: Record<string, string> = PROXY) {
  const form = { method: "POST", headers: { ...headers, "content-type": "application/x-www-form-urlencoded" } };
  const page = new Request(`${INNER}/members?a=1`, { ...form, body: "x=1" });
  const handled: [string, string][] = [];
  const shown = await auth(async (request) => {
    handled.push([request.url, await request.text()]);
    return new Response("shown");
  })(page);
  const sent = new Request(`${INNER}/auth/callback/credentials`, { ...form, body: "name=Ann" });
  return { shown, handled, signedIn: await handlers.POST(sent) };
}

describe("requests that application code receives", () => {
  it("have the origin of our links: authorized, authorize, allowAttempt, configuration (docs/from-authjs.md#request-origin)", async () => {
    const app = setUp();
    const { signedIn } = await visit(app);
    expect(signedIn.headers.get("location")).toBe(PUBLIC);
    const callback = `${PUBLIC}/auth/callback/credentials`;
    expect(app.seen).toEqual({
      authorized: [`${PUBLIC}/members?a=1`],
      configuration: [`${PUBLIC}/members?a=1`, callback],
      allowAttempt: [callback],
      authorize: [callback],
    });
  });

  it("leave the request of the framework as it is, with its body", async () => {
    const { handled } = await visit(setUp());
    expect(handled).toEqual([[`${INNER}/members?a=1`, "x=1"]]);
  });

  it("have the origin of AUTH_URL, but the path that was received", async () => {
    vi.stubEnv("AUTH_URL", "https://app.example.com:8443/shop/auth");
    const app = setUp({ strippedPrefix: "/shop" });
    await visit(app, { ...PROXY, "x-forwarded-host": "evil.example" });
    for (const urls of Object.values(app.seen)) {
      for (const url of urls) expect(url).toMatch(/^https:\/\/app\.example\.com:8443\/(?:members\?a=1|auth\/)/);
    }
    expect(Object.keys(app.seen).length).toBe(4);
  });

  it.each([
    ["a list", { "x-forwarded-host": "App.EXAMPLE.com:8443 , evil.example" }, "https://app.example.com:8443"],
    ["the standard port", { "x-forwarded-host": "app.example.com:443" }, PUBLIC],
    ["IPv6", { "x-forwarded-host": "[2001:DB8::1]:8443" }, "https://[2001:db8::1]:8443"],
    ["the header Host alone", { "x-forwarded-host": undefined }, "https://internal:3000"],
    ["an upper-case scheme in a list", { "x-forwarded-proto": "HTTP, https" }, "http://app.example.com"],
  ])("name the host of the browser: %s", async (_name, changed, origin) => {
    const headers = Object.entries({ ...PROXY, ...changed }).filter((entry): entry is [string, string] => !!entry[1]);
    const app = setUp();
    await visit(app, Object.fromEntries(headers));
    expect(
      new Set(
        Object.values(app.seen)
          .flat()
          .map((url) => new URL(url).origin),
      ),
    ).toEqual(new Set([origin]));
  });

  it.each(["a@b", "a/../b", "a b", "[::1", "a:99999", "", "javascript:", "a".repeat(300)])(
    "keep the received origin with a malformed host, which reaches no other function: %s",
    async (host) => {
      const app = setUp();
      const { signedIn } = await visit(app, { ...PROXY, "x-forwarded-host": host });
      expect([signedIn.status, app.seen.authorize]).toEqual([400, undefined]);
      expect(
        new Set(
          Object.values(app.seen)
            .flat()
            .map((url) => new URL(url).origin),
        ),
      ).toEqual(new Set([INNER]));
    },
  );

  it("name no host that is not trusted: only the configuration function runs, whose answer is not to trust it", async () => {
    vi.stubEnv("NODE_ENV", "production");
    const app = setUp({ trustHost: false });
    const { signedIn } = await visit(app);
    expect([signedIn.status, app.seen.authorize]).toEqual([500, undefined]);
    expect(app.seen.authorized).toEqual([`${INNER}/members?a=1`]);
  });

  it("can be read by `authorized` as before, or by the handler", async () => {
    const authorized = async ({ request }: { request: Request }) => (await request.text()) === "x=1";
    const app = createAuth({ ...setUp().config, callbacks: { authorized } });
    const request = new Request(`${INNER}/members`, { method: "POST", headers: PROXY, body: "x=1" });
    expect((await app.auth(() => new Response("shown"))(request)).status).toBe(200);
  });

  it("are aborted with the request of the framework", async () => {
    const signals: AbortSignal[] = [];
    const authorized = ({ request }: { request: Request }) => signals.push(request.signal) > 0;
    const { auth } = createAuth({ ...setUp().config, callbacks: { authorized } });
    const controller = new AbortController();
    await auth(() => new Response(""))(new Request(`${INNER}/`, { headers: PROXY, signal: controller.signal }));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    controller.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("have that origin in the guards of framework adapters", async () => {
    const { config, seen } = setUp();
    const resolve = createConfigResolver(config, "/auth");
    const request = {
      url: `${INNER}/`,
      method: "GET",
      headers: new Headers(PROXY),
      sent: "/members",
      routed: "/members",
    };
    expect((await guardRequest(() => resolve(), request)).kind).toBe("allow");
    expect(seen.authorized).toEqual([`${PUBLIC}/members`]);
  });
});
