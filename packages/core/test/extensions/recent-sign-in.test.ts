/** `maxSignInAge` of one provider holds for everything that is added to a user, whichever package adds it (docs/behaviour.md#account-linking). */

import { account } from "@cardea/account";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { Password, type PasswordMail, scrypt } from "@cardea/providers-password";
import { Passkey } from "@cardea/providers-webauthn";
import { secondFactor } from "@cardea/second-factor";
import { createBrowser, createClock, createMemoryAdapter, totpCode } from "@cardea/testing";
import { afterEach, describe, expect, it } from "vitest";

const ORIGIN = "https://app.example.com";
const PASSWORD = "purple monkey sings";
const ANN = { id: "ann", name: "Ann", email: "ann@example.com", emailVerified: new Date(0), image: null };
const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** Ann is signed in; time stands still. */
async function start(strategy: "jwt" | "database", maxSignInAge: number | undefined) {
  const clock = createClock(Math.floor(Date.now() / 30_000) * 30_000);
  const installed = clock.install();
  endings.push(() => installed.restore());
  const memory = createMemoryAdapter({ keepIds: true, seed: { users: [ANN] } });
  const mails: PasswordMail[] = [];
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    store: memoryStore({ instances: 1, now: clock.now }),
    session: { strategy },
    experimental: { enableWebAuthn: true },
    extensions: [secondFactor(), account({ mail: () => undefined })],
    providers: [
      Passkey(maxSignInAge === undefined ? {} : { maxSignInAge }),
      Password({ hash: scrypt({ N: 2 ** 10 }), breached: false, mail: (mail) => void mails.push(mail) }),
      { id: "demo", name: "Demo", type: "credentials", credentials: { username: {} }, authorize: () => ANN },
      { id: "op", name: "OP", type: "oidc", issuer: "https://op.example.com", clientId: "app", clientSecret: "s" },
    ],
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  });
  const browser = createBrowser((request) => handlers[request.method === "POST" ? "POST" : "GET"](request), {
    origin: ORIGIN,
    now: clock.now,
  });
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, ...fields });
    const answer = await browser.fetch(`/auth/${path}`, {
      method: "POST",
      body,
      headers: { "x-auth-return-redirect": "1" },
    });
    return answer.json();
  };
  const signIn = () => post("callback/demo", { username: "ann" });
  await signIn();
  return { memory, mails, clock, browser, post, signIn };
}

const REFUSED = { url: expect.stringMatching(/\/auth\/signin\?.*error=SessionRequired/) };

describe.each(["jwt", "database"] as const)("maxSignInAge, %s sessions", (strategy) => {
  it("holds for a password, a factor, an address and an account, after five minutes of one", async () => {
    const { memory, browser, clock, post, signIn } = await start(strategy, 60);
    const { enrol } = await post("factors/totp", { step: "begin" });
    const additions: readonly (readonly [string, Record<string, string>])[] = [
      ["password/add", { password: PASSWORD }],
      ["factors/totp", { step: "begin" }],
      ["factors/totp", { step: "confirm", setup: enrol.setup, code: await totpCode(enrol.secret, clock.now()) }],
      ["factor/totp", { step: "confirm", setup: enrol.setup, code: await totpCode(enrol.secret, clock.now()) }],
      ["account/email", { email: "new@example.com" }],
      ["account/link", { provider: "op" }],
    ];
    clock.advance({ minutes: 5 });
    for (const [path, fields] of additions)
      expect([path, await post(path, fields)]).toEqual([path, expect.objectContaining(REFUSED)]);
    expect((await browser.fetch("/auth/webauthn-options/passkey?action=register")).status).toBe(403);
    expect((await browser.fetch("/auth/factors")).status, "what changes nothing").toBe(200);
    expect(await post("account/profile", { name: "Anna" })).toMatchObject({ done: "profile" });
    expect(memory.snapshot()).toMatchObject({ credentials: [], accounts: [], users: [{ email: ANN.email }] });
    await signIn();
    for (const [path, fields] of [...additions.slice(1, 2), ...additions.slice(4), ...additions.slice(0, 1)])
      expect([path, await post(path, fields)]).not.toEqual([path, expect.objectContaining(REFUSED)]);
    expect(memory.snapshot().credentials).toHaveLength(1);
  });

  it("holds for the password that a user without one chooses after a link", async () => {
    const { memory, mails, clock, browser, post } = await start(strategy, 60);
    await post("reset/password", { email: ANN.email });
    const open = async () => {
      const page = await browser.navigate(mails.at(-1)?.url ?? "", { initiator: "none" });
      return browser.submit(page, { action: "/auth/reset/password" });
    };
    await open();
    clock.advance({ minutes: 5 });
    expect(await post("reset/password", { password: PASSWORD })).toMatchObject(REFUSED);
    expect(memory.snapshot().credentials).toEqual([]);
    await post("callback/demo", { username: "ann" });
    await post("reset/password", { password: PASSWORD });
    expect(memory.snapshot().credentials).toHaveLength(1);
  });

  it("asks for nothing where it is not set, nor changes the limits of a package", async () => {
    const { clock, post } = await start(strategy, undefined);
    clock.advance({ minutes: 5 });
    expect(await post("factors/totp", { step: "begin" })).toMatchObject({ enrol: expect.anything() });
    clock.advance({ minutes: 11 });
    expect(await post("password/add", { password: PASSWORD })).toMatchObject(REFUSED);
  });
});
