import type { WebAuthnOptions } from "@cardea/providers-webauthn";
import { createAuthenticator } from "@cardea/testing";
import { describe, expect, it, vi } from "vitest";
import { BASE, expectRefused, ORIGIN, recordOf } from "../../../core/test/harness/harness.ts";
import { type PasskeyCase, setUpPasskeys } from "../../../core/test/harness/passkey-app.ts";

const checkOf = (answer: Response) =>
  /"check":"([a-z-]+)"/.exec(
    recordOf(answer)
      .logs.map(({ text }) => text)
      .join(),
  )?.[1];

/** What a sign-in with an account that has a passkey of `rpId` comes to. */
async function signInAt(app: PasskeyCase, origin: string, rpId?: string) {
  const authenticator = createAuthenticator({ origin: ORIGIN });
  const registration = await app.options("action=register&email=ann@example.com");
  await app.answer("register", await authenticator.create(registration));
  await app.signOut();
  const asked = await app.options("action=authenticate");
  const lie = { origin, ...(rpId === undefined ? {} : { rpId }) };
  return app.answer("authenticate", await authenticator.get(asked, lie));
}

describe("the relying party", () => {
  it.each([
    "https://evil.app.example.com",
    "https://example.com",
    "https://app.example.com:8443",
    "https://app.example.com:443",
    "http://app.example.com",
    "https://app.example.com.",
    "https://app.example.com/",
    "https://APP.example.com",
    "https://app.example.com.evil.example",
    "https://app.example.com@evil.example",
    "null",
    "",
    "android:apk-key-hash:x",
  ])("H221 refuses the origin %j", async (origin) => {
    const app = setUpPasskeys();
    const answer = await signInAt(app, origin);
    expectRefused(answer);
    expect(checkOf(answer)).toBe("origin");
    expect(app.memory.snapshot().authenticators).toMatchObject([{ counter: 1 }]);
  });

  it("H221 a registration from another origin makes no one", async () => {
    const app = setUpPasskeys();
    expectRefused(await app.register(undefined, { origin: "https://evil.app.example.com" }));
    expect(app.memory.snapshot()).toMatchObject({ users: [], accounts: [], authenticators: [] });
  });

  it("H221 refuses a frame of another site", async () => {
    const app = setUpPasskeys();
    const answer = await app.register(undefined, { crossOrigin: true });
    expectRefused(answer);
    expect(checkOf(answer)).toBe("cross-origin");
    await app.register();
    await app.signOut();
    const assertion = await app.authenticate("", { crossOrigin: true });
    expectRefused(assertion);
    expect(checkOf(assertion)).toBe("cross-origin");
  });

  it.each(["evil.example", "example.com", "app.example.com.", ""])("refuses the relying party id %j", async (rpId) => {
    const answer = await signInAt(setUpPasskeys(), ORIGIN, rpId);
    expectRefused(answer);
    expect(checkOf(answer)).toBe("rp-id");
  });

  it.each(["evil.example", "example.com"])("refuses a registration for the relying party id %j", async (rpId) => {
    const answer = await setUpPasskeys().register(undefined, { rpId });
    expectRefused(answer);
    expect(checkOf(answer)).toBe("rp-id");
  });

  const HOSTS: readonly Record<string, string>[] = [
    { host: "evil.example" },
    { "x-forwarded-host": "evil.example" },
    { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
  ];

  it.each(HOSTS)("H222 with AUTH_URL %o changes nothing", async (headers) => {
    vi.stubEnv("AUTH_URL", `${ORIGIN}${BASE}`);
    const app = setUpPasskeys();
    const asked = await app.send(`${BASE}/webauthn-options/passkey?action=register&email=a@x.io`, { headers });
    expect(await asked.json()).toMatchObject({ options: { rp: { id: "app.example.com", name: "app.example.com" } } });
    await app.register();
    await app.signOut();
    const { options } = await (await app.ask("action=authenticate")).json();
    const data = await app.authenticator.get(options, { origin: "https://evil.example" });
    const answer = await app.answer("authenticate", data, { headers });
    expect([answer.status, checkOf(answer)]).toEqual([200, "origin"]);
  });

  it.each(HOSTS)("H222 in production without AUTH_URL no one gets options, whatever the host: %o", async (headers) => {
    vi.stubEnv("NODE_ENV", "production");
    const app = setUpPasskeys();
    const answer = await app.send(`${BASE}/webauthn-options/passkey?action=authenticate`, { headers });
    expect([answer.status, await answer.json()]).toEqual([400, null]);
    const [said] = app.logs.filter(({ level }) => level === "error");
    expect(said?.text).toMatch(/AUTH_URL.*relayingParty\.id.*relayingParty\.origin/);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  const HALVES: readonly WebAuthnOptions[] = [
    { relayingParty: { id: "app.example.com" } },
    { relayingParty: { origin: ORIGIN } },
    { getRelayingParty: ({ url }) => ({ id: url.hostname, name: "Example", origin: url.origin }) },
  ];

  it.each(HALVES)("H222 in production half of it is not enough: %o", async (passkey) => {
    vi.stubEnv("NODE_ENV", "production");
    const app = setUpPasskeys({ passkey });
    expect((await app.ask("action=authenticate")).status).toBe(400);
  });

  const WHOLES: readonly WebAuthnOptions[] = [
    { relayingParty: { id: "app.example.com", origin: ORIGIN } },
    { relayingParty: { id: "app.example.com", name: "Example", origin: ORIGIN } },
    { getRelayingParty: () => ({ id: "app.example.com", name: "Example", origin: ORIGIN }) },
  ];

  it.each(WHOLES)("in production it may come from the provider: %o", async (passkey) => {
    vi.stubEnv("NODE_ENV", "production");
    const app = setUpPasskeys({ passkey });
    expect(await (await app.register()).json()).toEqual({ url: `${ORIGIN}/dash` });
    await app.signOut();
    expect(await (await app.authenticate()).json()).toEqual({ url: `${ORIGIN}/dash` });
  });

  it("of several ids and origins the request's own is offered, and each is taken", async () => {
    const relayingParty = {
      id: ["other.example", "example.com"],
      name: "Example",
      origin: ["https://other.example", ORIGIN, "https://www.example.com"],
    };
    const app = setUpPasskeys({ passkey: { relayingParty } });
    const asked = await app.options("action=register&email=ann@example.com");
    expect(asked.rp).toEqual({ id: "example.com", name: "Example" });
    const www = { origin: "https://www.example.com" };
    expect(await (await app.answer("register", await app.authenticator.create(asked, www))).json()).toEqual({
      url: `${ORIGIN}/dash`,
    });
    await app.signOut();
    expectRefused(await app.authenticate("", { origin: "https://evil.example.com" }));
    expectRefused(await app.authenticate("", { rpId: "www.example.com" }));
    expect(await (await app.authenticate()).json()).toEqual({ url: `${ORIGIN}/dash` });
  });

  it.each([
    [() => ({ id: "app.example.com" })],
    [
      () => {
        throw new Error("canary");
      },
    ],
    [() => null],
  ])("a getRelayingParty that fails is an error of the operator's", async (broken) => {
    const getRelayingParty = () => parseParty(broken());
    const app = setUpPasskeys({ passkey: { getRelayingParty }, mayFail: true });
    expect((await app.ask("action=authenticate")).status).toBe(500);
    expect(app.logs.filter(({ level }) => level === "error").map(({ text }) => text)).toEqual([
      expect.stringContaining("getRelayingParty of provider"),
    ]);
  });
});

function parseParty(party: unknown): { id: string; name: string; origin: string } {
  return party as { id: string; name: string; origin: string };
}
