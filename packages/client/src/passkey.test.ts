import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "../../testing/src/own-timers.ts";
import { openPage } from "../test/open-page.ts";
import { openSite, type Site } from "../test/open-site.ts";
import { type Authenticator, stubAuthenticator } from "../test/stub-authenticator.ts";
import { createClient } from "./create-client.ts";
import * as entry from "./index.ts";

const HERE = "https://app.example.com/page";
const OPTIONS = "GET webauthn-options/passkey";
const CALLBACK = "POST callback/passkey";
const page = openPage(HERE);
const { signInWithPasskey, registerPasskey, signalPasskeys } = createClient();

const authenticate = { action: "authenticate", options: { challenge: "Y2hhbGxlbmdl", rpId: "app.example.com" } };
const register = {
  action: "register",
  options: {
    challenge: "Y2hhbGxlbmdl",
    rp: { id: "app.example.com", name: "App" },
    user: { id: "dXNlcg", name: "ann@example.com", displayName: "Ann" },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  },
};

/** A site whose passkeys are answered by the test; the rest is the engine's. */
function open(options: object = authenticate, url = `${HERE}?done`): Site {
  const site = openSite();
  site.breakDown(Response.json(options), OPTIONS);
  site.breakDown(Response.json({ url }), CALLBACK);
  return site;
}

const SIGNALS = {
  ...{ rpId: "app.example.com", userId: "aGFuZGxl", name: "ann@example.com", displayName: "Ann" },
  allAcceptedCredentialIds: ["aWQ"],
};

function withTimeout(ceremony: typeof authenticate, timeout: number) {
  return { ...ceremony, options: { ...ceremony.options, timeout } };
}

let authenticator: Authenticator;
beforeEach(() => {
  page.assign.mockClear();
  authenticator = stubAuthenticator();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("signInWithPasskey()", () => {
  it("asks the server, then the browser, then sends the answer, and goes where the server says (docs/from-authjs.md#passkeys-client)", async () => {
    const site = open();
    authenticator.answer("credential");
    const response = await signInWithPasskey({ email: "ann@example.com", nothing: null, redirectTo: "/dash" });
    expect(response).toEqual({ ok: true, status: 200, url: `${HERE}?done` });
    expect(page.assign.mock.calls).toEqual([[`${HERE}?done`]]);
    expect(site.requests).toEqual([OPTIONS, "GET csrf", CALLBACK]);
    expect(site.queries[0]).toBe("?email=ann%40example.com&action=authenticate");
    const body = new URLSearchParams(String(site.bodies.at(-1)));
    expect([...body.keys()]).toEqual(["action", "data", "csrfToken", "callbackUrl"]);
    expect([body.get("action"), body.get("callbackUrl")]).toEqual(["authenticate", "/dash"]);
    expect(JSON.parse(body.get("data") ?? "")).toMatchObject({
      id: "aWQ",
      response: { signature: "cw", userHandle: "dQ" },
    });
    expect(authenticator.questions.map(({ kind, options }) => [kind, options.mediation])).toEqual([["get", undefined]]);
  });

  it.each(["http://[", "//", "https://a b/"])(
    "signs in although the destination is not a URL: %s",
    async (redirectTo) => {
      open();
      authenticator.answer("credential");
      expect(await signInWithPasskey({ redirect: false, redirectTo })).toEqual({
        ok: true,
        status: 200,
        url: `${HERE}?done`,
      });
    },
  );

  it("stays on the page with redirect: false, and tells other tabs", async () => {
    const site = open();
    authenticator.answer("credential");
    const heard = new Promise((resolve) => {
      new BroadcastChannel("cardea").onmessage = ({ data }) => resolve(data);
    });
    expect(await signInWithPasskey({ redirect: false })).toMatchObject({ ok: true });
    expect(await heard).toBeNull();
    expect(page.assign).not.toHaveBeenCalled();
    for (const channel of site.channels) channel.close();
  });

  it("asks the provider that it is told to", async () => {
    const site = openSite();
    site.breakDown(Response.json(authenticate), "GET webauthn-options/key");
    site.breakDown(Response.json({ url: HERE }), "POST callback/key");
    authenticator.answer("credential");
    expect(await signInWithPasskey({ provider: "key", redirect: false })).toMatchObject({ ok: true });
  });

  it("says that the server has refused, and why; with redirect it goes to where that is said", async () => {
    const url = "https://app.example.com/api/auth/error?error=AccessDenied&code=x";
    open(authenticate, url);
    authenticator.answer("credential");
    const refusal = { ok: false, error: "Refused", reason: "AccessDenied", code: "x", status: 200, url: null };
    expect(await signInWithPasskey({ redirect: false })).toEqual(refusal);
    expect(page.assign).not.toHaveBeenCalled();
    expect(await signInWithPasskey()).toEqual(refusal);
    expect(page.assign.mock.calls).toEqual([[url]]);
    expect(authenticator.forgotten).toEqual([]);
  });

  it.each([
    ["NotAllowedError", "Cancelled"],
    ["SecurityError", "NotSupported"],
    ["ConstraintError", "NoAuthenticator"],
    ["NotSupportedError", "NoAuthenticator"],
    ["UnknownError", "NoAuthenticator"],
    ["NotReadableError", "NoAuthenticator"],
    ["DataError", "NoAuthenticator"],
    ["OperationError", "Aborted"],
  ])("stays, and tells a %s as %s", async (name, error) => {
    const site = open();
    authenticator.answer(new DOMException("no", name));
    expect(await signInWithPasskey()).toEqual({ ok: false, error, status: 0, url: null });
    expect(page.assign).not.toHaveBeenCalled();
    expect(site.requests).toEqual([OPTIONS]);
  });

  it("takes whatever a password manager throws for a failure of the authenticator", async () => {
    open();
    authenticator.answer(new Error("Something went wrong"));
    expect(await signInWithPasskey()).toMatchObject({ ok: false, error: "NoAuthenticator" });
    authenticator.answer(new TypeError("publicKey.rpId is not a string"));
    await expect(signInWithPasskey()).rejects.toThrow("rpId");
  });

  it.each([0, 400, 503])("says that the server was not reached: %s", async (status) => {
    const failure = { ok: false, error: "ClientFetchError", status, url: null };
    for (const action of [OPTIONS, CALLBACK]) {
      const site = open();
      authenticator.answer("credential");
      site.breakDown(status, action);
      expect(await signInWithPasskey()).toEqual(failure);
    }
    expect(page.assign).not.toHaveBeenCalled();
  });

  it.each([{}, null, [], { action: "x", options: {} }, { action: "register" }])(
    "takes %j for no options",
    async (options) => {
      const site = openSite();
      site.breakDown(Response.json(options), OPTIONS);
      expect(await signInWithPasskey()).toEqual({ ok: false, error: "ClientFetchError", status: 200, url: null });
      expect(authenticator.questions).toEqual([]);
    },
  );

  it("says that this browser has no passkeys, and asks no one", async () => {
    const site = open();
    vi.stubGlobal("PublicKeyCredential", undefined);
    expect(await signInWithPasskey()).toEqual({ ok: false, error: "NotSupported", status: 0, url: null });
    expect(site.requests).toEqual([]);
  });

  it("is ended by its signal, whatever it waits for", async () => {
    const aborted = { ok: false, error: "Aborted", status: 0, url: null };
    const site = open();
    expect(await signInWithPasskey({ signal: AbortSignal.abort() })).toEqual(aborted);
    const asking = new AbortController();
    site.hold(OPTIONS);
    const first = signInWithPasskey({ signal: asking.signal });
    await expect.poll(() => site.count(OPTIONS)).toBe(1);
    asking.abort();
    expect(await first).toEqual(aborted);
    const waiting = new AbortController();
    const second = signInWithPasskey({ signal: waiting.signal });
    await authenticator.asked(1);
    waiting.abort();
    expect(await second).toEqual(aborted);
    expect(site.count(CALLBACK)).toBe(0);
  });

  it("says that a signal was one of time", async () => {
    open();
    const controller = new AbortController();
    const response = signInWithPasskey({ signal: controller.signal });
    await authenticator.asked(1);
    controller.abort(new DOMException("late", "TimeoutError"));
    expect(await response).toMatchObject({ error: "TimedOut" });
  });

  it.each([
    ["the server says", withTimeout(authenticate, 5000), undefined],
    ["it is told", withTimeout(authenticate, 60_000), 5000],
  ])("is out of time when %s", async (_name, options, timeout) => {
    open(options);
    const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const response = signInWithPasskey({ timeout });
    await authenticator.asked(1);
    await vi.advanceTimersByTimeAsync(4999);
    expect(authenticator.questions[0]?.options.signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await response).toEqual({ ok: false, error: "TimedOut", status: 0, url: null });
    expect(timers.count()).toBe(0);
  });

  it.each([null, 0, -1, 2 ** 31, 1e300])("leaves a time limit of %s to the browser", async (timeout) => {
    open({ ...authenticate, options: { ...authenticate.options, timeout } });
    const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const controller = new AbortController();
    const response = signInWithPasskey({ signal: controller.signal });
    await authenticator.asked(1);
    expect(timers.count()).toBe(0);
    controller.abort();
    expect(await response).toMatchObject({ error: "Aborted" });
  });

  it("can be asked again after it was cancelled", async () => {
    open();
    authenticator.answer(new DOMException("no", "NotAllowedError"));
    expect(await signInWithPasskey()).toMatchObject({ error: "Cancelled" });
    authenticator.answer("credential");
    expect(await signInWithPasskey()).toMatchObject({ ok: true });
  });
});

describe("signInWithPasskey() with autofill", () => {
  beforeEach(() => {
    document.body.innerHTML = '<input autocomplete="username webauthn">';
  });

  it("offers passkeys in the field, and gives way to another call", async () => {
    open();
    const offered = signInWithPasskey({ autofill: true });
    await authenticator.asked(1);
    expect(authenticator.questions[0]?.options.mediation).toBe("conditional");
    authenticator.answer("credential");
    expect(await signInWithPasskey({ redirect: false })).toMatchObject({ ok: true });
    expect(await offered).toEqual({ ok: false, error: "Aborted", status: 0, url: null });
  });

  it("gives way while its options are on their way, too", async () => {
    const site = open();
    const release = site.hold(OPTIONS, "answer");
    const offered = signInWithPasskey({ autofill: true });
    await expect.poll(() => site.count(OPTIONS)).toBe(1);
    const asked = signInWithPasskey({ redirect: false });
    await authenticator.asked(1);
    release();
    expect(await offered).toEqual({ ok: false, error: "Aborted", status: 0, url: null });
    await site.settle();
    expect(authenticator.questions.map(({ options }) => options.signal?.aborted)).toEqual([false]);
    authenticator.answer("credential");
    expect(await signInWithPasskey({ redirect: false })).toMatchObject({ ok: true });
    expect(await asked).toMatchObject({ error: "Aborted" });
  });

  it("signs in with the one that is chosen", async () => {
    open();
    authenticator.answer("credential");
    expect(await signInWithPasskey({ autofill: true })).toMatchObject({ ok: true });
    expect(page.assign).toHaveBeenCalledOnce();
  });

  it("asks for another challenge before the first is too old, but not while no one looks", async () => {
    const site = open(withTimeout(authenticate, 1000));
    const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const controller = new AbortController();
    const response = signInWithPasskey({ autofill: true, signal: controller.signal });
    await authenticator.asked(1);
    page.show("hidden");
    await vi.advanceTimersByTimeAsync(10 * 60 * 1000);
    expect(authenticator.questions[0]?.options.signal?.aborted).toBe(true);
    await site.settle();
    expect(site.count(OPTIONS)).toBe(1);
    page.show("visible");
    await authenticator.asked(2);
    controller.abort();
    expect(await response).toMatchObject({ error: "Aborted" });
    expect(timers.count()).toBe(0);
  });

  it("says that this browser cannot, and asks no one", async () => {
    const site = open();
    authenticator = stubAuthenticator({ canOffer: false });
    expect(await signInWithPasskey({ autofill: true })).toEqual({
      ok: false,
      error: "NotSupported",
      status: 0,
      url: null,
    });
    expect(site.requests).toEqual([]);
  });

  it("rejects without a field for it: that is the page's to fix", async () => {
    open();
    document.body.innerHTML = '<input autocomplete="username">';
    await expect(signInWithPasskey({ autofill: true })).rejects.toThrow(/webauthn/);
  });
});

describe("registerPasskey()", () => {
  it("makes a passkey with what the server says, and sends it", async () => {
    const site = open(register);
    authenticator.answer("credential");
    expect(await registerPasskey({ email: "ann@example.com" })).toMatchObject({ ok: true });
    expect(site.queries[0]).toBe("?email=ann%40example.com&action=register");
    const body = new URLSearchParams(String(site.bodies.at(-1)));
    expect(body.get("action")).toBe("register");
    expect(JSON.parse(body.get("data") ?? "")).toMatchObject({ response: { transports: ["internal"] } });
    expect(authenticator.questions.map(({ kind }) => kind)).toEqual(["create"]);
  });

  it("says that the device has one already", async () => {
    open(register);
    authenticator.answer(new DOMException("again", "InvalidStateError"));
    expect(await registerPasskey()).toEqual({ ok: false, error: "AlreadyRegistered", status: 0, url: null });
  });

  it("has the device forget a passkey for an address that is another user's", async () => {
    open(register, "https://app.example.com/api/auth/signin?error=OAuthAccountNotLinked");
    authenticator.answer("credential");
    expect(await registerPasskey({ redirect: false })).toMatchObject({
      error: "Refused",
      reason: "OAuthAccountNotLinked",
    });
    expect(authenticator.forgotten).toEqual([{ rpId: "app.example.com", credentialId: "aWQ" }]);
  });

  it.each(["AccessDenied", "Configuration", "Callback", "Signin"])(
    "keeps what may be stored after a %s",
    async (reason) => {
      open(register, `https://app.example.com/api/auth/error?error=${reason}`);
      authenticator.answer("credential");
      expect(await registerPasskey({ redirect: false })).toMatchObject({ error: "Refused", reason });
      expect(authenticator.forgotten).toEqual([]);
    },
  );

  it("runs the ceremony that the server answers with", async () => {
    open(authenticate);
    authenticator.answer("credential");
    expect(await registerPasskey({ redirect: false })).toMatchObject({ ok: true });
    expect(authenticator.questions.map(({ kind }) => kind)).toEqual(["get"]);
  });
});

describe("signals", () => {
  const accepted = (userId: string) => ({ rpId: "app.example.com", userId, allAcceptedCredentialIds: ["aWQ"] });
  const details = (userId: string) => ({
    rpId: "app.example.com",
    userId,
    name: "ann@example.com",
    displayName: "Ann",
  });

  it.each([
    ["sign-in", authenticate, "dQ"],
    ["registration", register, "dXNlcg"],
  ])(
    "tell the device after a %s which passkeys are accepted, by both user handles, before the page is left",
    async (_, options, handle) => {
      authenticator = stubAuthenticator({ canTell: true });
      const site = open({ ...options, signals: SIGNALS });
      authenticator.answer("credential");
      page.assign.mockImplementation(() => expect(authenticator.told).toHaveLength(4));
      expect(await signInWithPasskey()).toMatchObject({ ok: true });
      expect(site.requests.at(-1)).toBe(OPTIONS);
      expect(site.queries.at(-1)).toBe("?action=signals");
      const all = ["aGFuZGxl", handle].flatMap((userId) => [accepted(userId), details(userId)]);
      expect(authenticator.told).toEqual(all);
    },
  );

  it.each([
    ["no one is signed in yet", { ...authenticate, signals: null }],
    ["the server does not answer that", authenticate],
  ])("say nothing where %s", async (_, options) => {
    authenticator = stubAuthenticator({ canTell: true });
    open(options);
    authenticator.answer("credential");
    expect(await signInWithPasskey({ redirect: false })).toMatchObject({ ok: true });
    expect([authenticator.told, authenticator.forgotten]).toEqual([[], []]);
  });

  it("have the device forget a passkey that no user has, and none that was refused otherwise", async () => {
    for (const [query, forgotten] of [
      ["error=Callback&code=unknown-credential", [{ rpId: "app.example.com", credentialId: "aWQ" }]],
      ["error=Callback", []],
      ["error=AccessDenied", []],
    ] as const) {
      authenticator = stubAuthenticator({ canTell: true });
      open(authenticate, `https://app.example.com/api/auth/signin?${query}`);
      authenticator.answer("credential");
      expect(await signInWithPasskey({ redirect: false })).toMatchObject({ error: "Refused" });
      expect(authenticator.forgotten).toEqual(forgotten);
    }
  });

  it("are sent on demand after a change, and never fail", async () => {
    authenticator = stubAuthenticator({ canTell: true });
    const site = open({ signals: { ...SIGNALS, unknownCredentialId: "Z29uZQ" } });
    await signalPasskeys({ removed: "Z29uZQ==" });
    expect(site.queries).toEqual(["?action=signals&removed=Z29uZQ%3D%3D"]);
    expect(authenticator.forgotten).toEqual([{ rpId: "app.example.com", credentialId: "Z29uZQ" }]);
    expect(authenticator.told).toEqual([accepted("aGFuZGxl"), details("aGFuZGxl")]);
    for (const status of [0, 429, 503]) {
      site.breakDown(status, OPTIONS);
      await signalPasskeys();
    }
    authenticator = stubAuthenticator();
    const silent = open({ signals: SIGNALS });
    await signalPasskeys();
    expect(silent.requests).toEqual([]);
  });
});

describe("registerPasskey() without a prompt", () => {
  it("asks the server and the browser for it", async () => {
    const site = open(register);
    authenticator.answer("credential");
    expect(await registerPasskey({ conditional: true, redirect: false })).toMatchObject({ ok: true });
    expect(site.queries[0]).toBe("?mediation=conditional&action=register");
    expect(authenticator.questions.map(({ kind, options }) => [kind, options.mediation])).toEqual([
      ["create", "conditional"],
    ]);
  });

  it("asks no one in a browser that cannot, and returns the reason that the browser gives", async () => {
    open(register);
    authenticator.answer(new DOMException("no password was used", "NotAllowedError"));
    expect(await registerPasskey({ conditional: true, redirect: false })).toMatchObject({ error: "Cancelled" });
    authenticator = stubAuthenticator({ canOffer: false });
    const site = open(register);
    expect(await registerPasskey({ conditional: true, redirect: false })).toMatchObject({ error: "NotSupported" });
    expect(site.requests).toEqual([]);
  });
});

describe("the entries", () => {
  it("have both calls, alone and in a client for React", async () => {
    authenticator.answer("credential");
    // Loaded now that there is a window, for which it looks once.
    const react = await import("./create-react-client.ts");
    for (const client of [entry, react.createClient()]) {
      open();
      expect(await client.signInWithPasskey({ redirect: false })).toMatchObject({ ok: true });
      open(register);
      expect(await client.registerPasskey({ redirect: false })).toMatchObject({ ok: true });
    }
  });
});
