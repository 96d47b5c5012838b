import { describe, expect, it, vi } from "vitest";
import { withStepUp } from "./client.ts";

describe("withStepUp()", () => {
  const required = () =>
    Response.json(
      { error: "insufficient_user_authentication", url: "/auth/step-up?level=money&callbackUrl=%2Fpay" },
      { status: 401 },
    );

  it("opens the page, and sends the request once more with the same key", async () => {
    const keys: string[] = [];
    const popup = { closed: false, close: vi.fn() };
    const looks = [{ methods: [] }, { url: "/done" }];
    const asked: string[] = [];
    const pay = withStepUp(
      async ({ idempotencyKey }) => (keys.push(idempotencyKey) === 1 ? required() : new Response("paid")),
      {
        open: (url) => {
          asked.push(url);
          return popup;
        },
        fetch: async () => Response.json(looks.shift()),
        wait: async () => undefined,
      },
    );
    expect(await (await pay()).text()).toBe("paid");
    expect(asked).toEqual(["/auth/step-up?level=money&callbackUrl=%2Fauth%2Fstep-up%3Fstep%3Ddone"]);
    expect(new Set(keys).size).toBe(1);
    expect([keys.length, popup.close.mock.calls.length]).toEqual([2, 1]);
  });

  it("sends nothing a third time", async () => {
    const send = vi.fn(async () => required());
    const popup = { closed: false, close: () => undefined };
    const fetch = async () => Response.json({ url: "/done" });
    const pay = withStepUp(send, { open: () => popup, fetch, wait: async () => undefined });
    expect((await pay()).status).toBe(401);
    expect(send).toHaveBeenCalledTimes(2);
  });

  it.each([
    ..."javascript:alert(1)//;data:text/html,x;https://evil.example/step-up;//evil.example/x;/\\evil.example".split(
      ";",
    ),
    ..."/\t/evil.example; /auth/step-up;auth/step-up".split(";"),
    "",
    7,
    null,
  ])("opens nothing but a path of this site: not %j", async (url) => {
    const open = vi.fn(() => null);
    const answer = Response.json({ error: "insufficient_user_authentication", url }, { status: 401 });
    const send = vi.fn(async () => answer);
    const fetch = vi.fn();
    expect(await withStepUp(send, { open, fetch })()).toBe(answer);
    expect([open, fetch].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  it("gives the first answer when the window is blocked", async () => {
    const send = vi.fn(async () => required());
    expect((await withStepUp(send, { open: () => null })()).status).toBe(401);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("waits while the user is away, though the window seems to be closed, and gives up when they are back", async () => {
    const send = vi.fn(async () => required());
    const looks = [false, false, false, false, true, false, true, true, true];
    const fetch = vi.fn(async () => Response.json({ methods: [] }));
    const popup = { closed: true, close: () => undefined };
    const isBack = () => looks.shift() ?? true;
    const pay = withStepUp(send, { open: () => popup, fetch, wait: async () => undefined, isBack });
    expect((await pay()).status).toBe(401);
    expect([fetch.mock.calls.length, send.mock.calls.length, looks.length]).toEqual([9, 1, 0]);
  });

  it("takes no more than five minutes", async () => {
    const wait = vi.fn(async () => undefined);
    const popup = { closed: false, close: vi.fn() };
    const fetch = async () => Response.json({ methods: [] });
    await withStepUp(async () => required(), { open: () => popup, fetch, wait })();
    expect([wait.mock.calls.length, popup.close.mock.calls.length]).toEqual([300, 1]);
  });

  it.each([
    ["a page that was hidden, whose timers are slow", 60_000, 0],
    ["a device that slept", 12 * 60 * 60 * 1000, 0],
    ["a device that slept during a look", 0, 12 * 60 * 60 * 1000],
  ])("sends nothing for a proof after more than five minutes: %s", async (_what, waited, looked) => {
    let now = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now);
    const send = vi.fn(async () => required());
    const popup = { closed: true, close: vi.fn() };
    const fetch = async () => {
      now += looked;
      return Response.json(now > 5 * 60 * 1000 ? { url: "/done" } : { methods: [] });
    };
    const wait = async () => {
      now += waited;
    };
    const pay = withStepUp(send, { open: () => popup, fetch, wait, isBack: () => false });
    expect((await pay()).status).toBe(401);
    clock.mockRestore();
    expect([send.mock.calls.length, popup.close.mock.calls.length]).toEqual([1, 1]);
  });

  it.each([
    ["the network is away", () => Promise.reject(new TypeError("fetch failed"))],
    ["a proxy sends a page", async () => new Response("<p>busy</p>")],
    ["nothing arrives", async () => new Response(null, { status: 204 })],
    ["it is JSON of another kind", async () => Response.json(null)],
  ])("looks again when a look fails: %s", async (_what, fail) => {
    const looks = [fail, async () => Response.json({ url: "/done" })];
    const send = vi.fn(async () => (send.mock.calls.length === 1 ? required() : new Response("paid")));
    const popup = { closed: false, close: vi.fn() };
    const fetch = vi.fn(async () => (await looks.shift()?.()) ?? Response.error());
    const pay = withStepUp(send, { open: () => popup, fetch, wait: async () => undefined });
    expect(await (await pay()).text()).toBe("paid");
    expect([fetch.mock.calls.length, popup.close.mock.calls.length]).toEqual([2, 1]);
  });

  it("sends a random UUID also where browsers offer none: at an address without https", async () => {
    vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const keys = new Set<string>();
    const pay = withStepUp(async ({ idempotencyKey }) => {
      keys.add(idempotencyKey);
      return new Response("paid");
    });
    for (let n = 0; n < 100; n++) await pay();
    vi.unstubAllGlobals();
    expect(keys.size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it.each(["", "{", "<p>Sign in to the network</p>", "null", '"insufficient_user_authentication"'])(
    "leaves an answer as it is that only claims to be JSON: %j",
    async (body) => {
      const open = vi.fn();
      const answer = new Response(body, { status: 401, headers: { "content-type": "application/json" } });
      const response = await withStepUp(async () => answer, { open })();
      expect(await response.text()).toBe(body);
      expect(open).not.toHaveBeenCalled();
    },
  );

  it("leaves every other answer as it is", async () => {
    for (const status of [200, 401, 500]) {
      const open = vi.fn();
      expect((await withStepUp(async () => new Response("x", { status }), { open })()).status).toBe(status);
      expect(open).not.toHaveBeenCalled();
    }
  });
});
