import { createAuth } from "@cardea/core";
import { customFetch } from "@cardea/core/providers";
import type { AuthConfig } from "@cardea/core/types";
import { createBrowser, createScriptedProvider } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "../../../testing/src/own-timers.ts";
import { ORIGIN, takePrinted } from "../harness/harness.ts";

const request = () => new Request(`${ORIGIN}/auth/session`);

/** What a configuration function may come to: name, function, whether it needs time to pass. */
const FAULTS: readonly [string, () => never | Promise<never>][] = [
  [
    "throws",
    () => {
      throw new Error("canary of the function");
    },
  ],
  ["rejects", () => Promise.reject(new Error("canary of the function"))],
  ["rejects with a string", () => Promise.reject("canary of the function")],
  ["rejects with nothing", () => Promise.reject(undefined)],
  ["never settles", () => new Promise<never>(() => {})],
];

describe("a configuration that is made for each request", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(FAULTS)(
    "R56 answers 500 without a word of it when the function %s, within ten seconds",
    async (_, source) => {
      const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { handlers } = createAuth(source);
      for (const handler of [handlers.GET, handlers.POST]) {
        const answering = handler(request());
        await vi.advanceTimersByTimeAsync(10_000);
        const answer = await answering;
        expect([answer.status, answer.headers.getSetCookie()]).toEqual([500, []]);
        expect(await answer.text()).not.toContain("canary");
      }
      expect(takePrinted()).toHaveLength(2);
      await timers.allEnd();
    },
  );

  it.each(FAULTS)(
    "R56 lets no one in when the function %s: auth() rejects, the handler is not run",
    async (_, source) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { auth } = createAuth(source);
      let isRun = false;
      const guarded = auth(() => {
        isRun = true;
        return new Response("secret");
      });
      const outcomes = Promise.allSettled([auth(request()), guarded(request())]);
      await vi.advanceTimersByTimeAsync(10_000);
      expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      expect(isRun).toBe(false);
    },
  );

  it("R56 answers as soon as the function works again", async () => {
    let isBroken = true;
    const { handlers } = createAuth(() => {
      if (isBroken) throw new Error("not yet");
      return { secret: "a secret of more than thirty-two bytes", trustHost: true, providers: [] };
    });
    expect((await handlers.GET(request())).status).toBe(500);
    takePrinted();
    isBroken = false;
    expect((await handlers.GET(request())).status).toBe(200);
  });

  it.each([[undefined], [null], ["config"], [7], [[]], [{}], [{ providers: "none" }]])(
    "R56 answers 500 when the function returns %o",
    async (value) => {
      const { handlers } = createAuth(() => parseConfig(value));
      expect((await handlers.GET(request())).status).toBe(500);
      expect(takePrinted()).toHaveLength(1);
    },
  );
});

describe.each([
  ["the same each time", (config: AuthConfig) => () => config],
  [
    "with callbacks that are new each time",
    (config: AuthConfig) => () => ({
      ...config,
      callbacks: { jwt: ({ token }: { token: object }) => token },
      events: { signIn: () => undefined },
    }),
  ],
] as const)("a configuration function whose result is %s", (_, functionOf) => {
  const origin = "https://app.example.com";

  function start() {
    vi.stubEnv("AUTH_URL", `${origin}/auth`);
    const op = createScriptedProvider();
    const { issuer, clientId, clientSecret } = op;
    const lines: string[] = [];
    const config: AuthConfig = {
      secret: "a secret of more than thirty-two bytes",
      trustHost: true,
      origins: ["https://other.example.com"],
      logger: { error: () => undefined, warn: (line) => void lines.push(line) },
      providers: [{ id: "op", name: "P", type: "oidc", issuer, clientId, clientSecret, [customFetch]: op.fetch }],
    };
    const { handlers } = createAuth(functionOf(config) as () => AuthConfig);
    const handle = (request: Request) => (request.method === "POST" ? handlers.POST(request) : handlers.GET(request));
    return { op, lines, handle, browser: createBrowser(handle, { origin, routes: { [issuer]: op.handler } }) };
  }

  it("answers a callback that arrives twice at the same moment once", async () => {
    const { op, browser } = start();
    op.script = { token: { delayMs: 20 } };
    const page = await browser.navigate("/auth/signin");
    const begun = await browser.submit(page, { action: "/auth/signin/op" });
    const { url } = await op.authorize(new URL(begun.redirectsTo ?? ""));
    const visits = await Promise.all([0, 1].map(() => browser.tab().navigate(url)));
    expect(visits.map(({ redirectsTo }) => redirectsTo)).toEqual([`${origin}/`, `${origin}/`]);
    expect(op.calls.token).toHaveLength(1);
  });

  it("logs a warning that any page can cause once", async () => {
    const { lines, handle } = start();
    for (const page of ["https://one.example.com", "https://two.example.com"])
      await handle(new Request(`${origin}/auth/session`, { headers: { origin: page } }));
    expect(lines.filter((line) => line.startsWith("unlisted-origin: "))).toHaveLength(1);
  });
});

/** What a careless function may return. */
function parseConfig(value: unknown): { providers: [] } {
  return value as { providers: [] };
}
