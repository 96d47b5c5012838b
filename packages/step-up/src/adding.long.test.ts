/** A way to sign in is added after a recent sign-in or a fresh proof, and a factor before that where there is one. */
import { type AuthConfig, createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { customFetch } from "@cardea/core/providers";
import { Password, scrypt } from "@cardea/providers-password";
import { Passkey } from "@cardea/providers-webauthn";
import { secondFactor } from "@cardea/second-factor";
import {
  createAuthenticator,
  createBrowser,
  createClock,
  createMemoryAdapter,
  createScriptedProvider,
  totpCode,
} from "@cardea/testing";
import { afterEach, describe, expect, it } from "vitest";
import { stepUp } from "./step-up.ts";

const ORIGIN = "https://app.example.com";
const EMAIL = "ann@example.com";
const PASSWORD = "purple monkey sings";
const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

const provider = (id: string, options: object = {}) => {
  const op = createScriptedProvider({ issuer: `https://${id}.example.com`, clientSecret: "secret" });
  const { issuer, clientId, clientSecret } = op;
  op.user = { sub: `ann-at-${id}`, email: EMAIL, email_verified: true, name: "Ann" };
  const shape = { id, name: id, type: "oidc", issuer, clientId, clientSecret, [customFetch]: op.fetch } as const;
  return { op, provider: { ...shape, ...options } };
};

/** Ann has an account at the provider `op`, and may have a password. */
async function start(
  strategy: "jwt" | "database",
  extensions: AuthConfig["extensions"] = [],
  { hasPassword = false, linkByEmail = false } = {},
) {
  const clock = createClock(Math.floor(Date.now() / 30_000) * 30_000);
  const installed = clock.install();
  endings.push(() => installed.restore());
  const hash = scrypt({ N: 2 ** 10 });
  const ann = { id: "ann", name: "Ann", email: EMAIL, emailVerified: new Date(0), image: null };
  const memory = createMemoryAdapter({
    keepIds: true,
    seed: { users: [ann], accounts: [{ provider: "op", providerAccountId: "ann-at-op", type: "oidc", userId: "ann" }] },
  });
  const createdAt = new Date(0);
  const row = { userId: "ann", type: "password", createdAt, state: {} };
  if (hasPassword) await memory.adapter.createCredential?.({ ...row, secret: await hash.hash(PASSWORD) });
  const first = provider("op");
  const second = provider("op2", { allowDangerousEmailAccountLinking: linkByEmail });
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    store: memoryStore({ instances: 1 }),
    session: { strategy },
    experimental: { enableWebAuthn: true },
    extensions,
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    providers: [
      first.provider,
      second.provider,
      Passkey(),
      Password({ hash, breached: false, parallel: 2, mail: () => undefined }),
    ],
  });
  const routes = Object.fromEntries([first, second].map(({ op }) => [op.issuer, op.handler]));
  const open = () =>
    createBrowser((request) => handlers[request.method === "POST" ? "POST" : "GET"](request), {
      origin: ORIGIN,
      now: clock.now,
      routes,
    });
  const browser = open();
  const send = async (path: string, fields: Record<string, string> = {}, at = browser) => {
    const { csrfToken } = await (await at.fetch("/auth/csrf")).json();
    const headers = { "x-auth-return-redirect": "1" };
    const answer = await at.fetch(path, {
      method: "POST",
      headers,
      body: new URLSearchParams({ csrfToken, ...fields }),
    });
    return { status: answer.status, ...(await answer.json()) };
  };
  const visit = async ({ op, provider: { id } }: typeof first, at = browser): Promise<string> => {
    const { url } = await send(`/auth/signin/${id}`, { callbackUrl: "/done" }, at);
    const back = await op.authorize(new URL(url));
    return (await at.navigate(back.url, { initiator: op.issuer })).redirectsTo ?? "";
  };
  const authenticator = createAuthenticator();
  /** Where each way to add something leads. */
  const ways = {
    account: () => visit(second),
    passkey: async () => {
      const asked = await browser.fetch("/auth/webauthn-options/passkey?action=register");
      if (asked.status !== 200) return `refused with ${asked.status}`;
      const data = JSON.stringify(await authenticator.create((await asked.json()).options));
      return (await send("/auth/callback/passkey", { action: "register", data, callbackUrl: "/done" })).url;
    },
    password: async () => (await send("/auth/password/add", { password: PASSWORD })).url,
  };
  const added = () => {
    const { accounts, authenticators, credentials } = memory.snapshot();
    return { account: accounts.length - 1, passkey: authenticators.length, password: credentials.length };
  };
  const signIn = (at = browser) => visit(first, at);
  const counts = (claims: Record<string, string[]>) => {
    second.op.script = { idToken: { claims: { set: claims } } };
  };
  return {
    clock,
    memory,
    browser,
    open,
    send,
    ways,
    added,
    signIn,
    counts,
    visitSecond: (at: typeof browser) => visit(second, at),
  };
}

const WAYS = ["account", "passkey", "password"] as const;
const NONE = { account: 0, passkey: 0, password: 0 };

describe.each(["jwt", "database"] as const)("stepUp() and what is added, %s sessions", (strategy) => {
  describe.each([
    ["without a level `settings`", 900, () => stepUp({})],
    [
      "with one of five minutes, which needs a passkey",
      300,
      () => stepUp({ settings: { within: "5m", factors: ["passkey"] } }),
    ],
  ] as const)("%s", (_name, within, level) => {
    it.each(WAYS)(
      "adds one %s to a user who has no factor, within that time of the sign-in and not after",
      async (way) => {
        const late = await start(strategy, [level()]);
        await late.signIn();
        late.clock.advance({ seconds: within });
        const to = await late.ways[way]();
        expect([to === "refused with 403" || to.includes("/auth/signin?"), late.added()]).toEqual([true, NONE]);
        await late.signIn();
        late.clock.advance({ seconds: within - 1 });
        await late.ways[way]();
        expect(late.added()).toMatchObject({ [way === "passkey" ? "passkey" : way]: 1 });
      },
    );
  });

  it("adds an account after a fresh proof, for which the page of the level asks", async () => {
    const settings = stepUp({ settings: { within: "5m", factors: ["password"] } });
    const { clock, send, ways, added, signIn } = await start(strategy, [settings], { hasPassword: true });
    await signIn();
    clock.advance({ seconds: 300 });
    expect(await ways.account()).toBe(
      `${ORIGIN}/auth/step-up?level=settings&callbackUrl=${encodeURIComponent(`${ORIGIN}/done`)}`,
    );
    expect(added().account).toBe(0);
    await send("/auth/password/confirm", { password: PASSWORD, callbackUrl: "/done" });
    expect(await ways.account()).toBe(`${ORIGIN}/done`);
    expect(added().account).toBe(1);
  });
});

describe.each(["jwt", "database"] as const)("secondFactor() and what is added, %s sessions", (strategy) => {
  const factor = () => secondFactor({ existing: "keep", counts: { op2: { amr: ["mfa"] } } });

  /** Ann enrols an authenticator app in another browser. */
  async function enrol({ open, send, signIn }: Awaited<ReturnType<typeof start>>) {
    const other = open();
    await signIn(other);
    const asked = await other.fetch("/auth/factor", { headers: { accept: "application/json" } });
    const { enrol: setup } = await asked.json();
    const code = await totpCode(setup.secret);
    expect(await send("/auth/factor/totp", { step: "confirm", setup: setup.setup, code }, other)).toMatchObject({
      status: 200,
    });
    return () => totpCode(setup.secret);
  }

  it.each(WAYS)("adds no %s to a session from before the factor was enrolled", async (way) => {
    const app = await start(strategy, [factor()]);
    await app.signIn();
    await enrol(app);
    app.counts({ amr: ["mfa"] });
    const before = app.added();
    const to = await app.ways[way]();
    expect([to === "refused with 403" || to.includes("/auth/factor"), app.added()]).toEqual([true, before]);
  });

  it("adds an account to it with a code, in one go", async () => {
    const app = await start(strategy, [factor()]);
    await app.signIn();
    const code = await enrol(app);
    app.clock.advance({ seconds: 60 });
    const pending = new URL(await app.ways.account()).searchParams.get("pending") ?? "";
    expect(app.added().account).toBe(0);
    expect(await app.send("/auth/factor/totp", { pending, code: await code() })).toMatchObject({ status: 200 });
    expect(app.added().account).toBe(1);
  });

  it("counts no second factor that is that of an account joined by its address", async () => {
    const app = await start(strategy, [factor()], { linkByEmail: true });
    await enrol(app);
    app.counts({ amr: ["mfa"] });
    const stranger = app.open();
    expect(await app.visitSecond(stranger)).toContain("/auth/factor?pending=");
    expect(app.added().account).toBe(0);
    expect(await (await stranger.fetch("/auth/session")).json()).toBeNull();
  });
});
