/** What the extension of a credentials provider can do: check credentials, and sign in the owner of an address it has proven. */

import { createAuth } from "@cardea/core";
import type { AdapterUser } from "@cardea/core/adapters";
import { CredentialsSignin } from "@cardea/core/errors";
import type { AuthConfig } from "@cardea/core/types";
import { defineExtension, type ExtensionSpec } from "@cardea/extend";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";

const ORIGIN = "https://app.example.com";
const EMAIL = "ann@example.com";

interface Options {
  readonly spec?: Partial<ExtensionSpec>;
  readonly created?: (user: AdapterUser) => Promise<void>;
  readonly users?: readonly Partial<AdapterUser>[];
  readonly config?: Partial<AuthConfig>;
  readonly provider?: string;
}

function setUp({ spec = {}, created, users = [], config = {}, provider = "door" }: Options) {
  const memory = createMemoryAdapter();
  const said: string[] = [];
  const extension = defineExtension({
    id: "door",
    provesAddresses: true,
    actions: {
      "GET proof": {
        csrf: "none",
        segment: "none",
        answers: "page",
        head: "skip",
        run: async (action) => {
          const asked = await action.attempt({ action: "proof", provider: "door", type: "email", identifier: EMAIL });
          if (!asked.allow) return { kind: "json", status: 429, body: asked };
          const proof = {
            provider,
            email: EMAIL,
            provenAt: new Date(),
            callbackUrl: await action.redirectTo("/inside"),
          };
          const url = await action.signIn(created === undefined ? proof : { ...proof, created });
          return { kind: "redirect", url };
        },
      },
    },
    ...spec,
  });
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    session: { strategy: "jwt" },
    providers: [
      {
        id: "door",
        name: "Door",
        type: "credentials",
        credentials: { email: {}, password: {} },
        authorize: () => null,
        extension,
      },
    ],
    logger: { error: (error) => void said.push(error.message), warn: (text) => void said.push(text), debug: () => {} },
    ...config,
  });
  const browser = createBrowser(handlers.GET, { origin: ORIGIN });
  const ready = Promise.all(
    users.map((user) => memory.adapter.createUser?.({ id: "x", email: EMAIL, emailVerified: null, ...user })),
  );
  const signIn = async () => {
    const page = await browser.navigate("/auth/signin");
    return browser.submit(page, {
      action: "/auth/callback/door",
      fields: { email: EMAIL, password: "open" },
      headers: { "x-auth-return-redirect": "1" },
    });
  };
  const session = async () => (await browser.fetch("/auth/session")).json();
  return { memory, browser, ready, said, signIn, session };
}

describe("authorize of the extension that a provider carries", () => {
  it("checks the credentials with the tools of the extension", async () => {
    const { signIn, session } = setUp({
      spec: {
        authorize: ({ email }, request, t) =>
          request.method === "POST" && t.baseUrl === `${ORIGIN}/auth` ? { id: "ann", email: email ?? "" } : null,
      },
    });
    expect(await (await signIn()).json()).toEqual({ url: `${ORIGIN}/` });
    expect(await session()).toMatchObject({ user: { email: EMAIL } });
  });

  it("refuses what it calls wrong, and answers 503 while it is busy without telling of a failure", async () => {
    const outcomes: string[] = [];
    let busy = false;
    const { signIn } = setUp({
      spec: {
        authorize: () => {
          if (!busy) return null;
          const refusal = new CredentialsSignin("Busy.", { cause: { retryAfter: 5, busy: true } });
          refusal.code = "busy";
          throw refusal;
        },
        outcome: (_, result) => void outcomes.push(result),
      },
    });
    expect((await signIn()).status).toBe(200);
    expect(outcomes).toEqual(["failure"]);
    busy = true;
    const answer = await signIn();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await answer.json()).url).toContain("code=busy");
    expect(outcomes).toEqual(["failure"]);
  });
});

describe("signIn() of an action", () => {
  it("creates the user of a proven address, and hands them over before anyone is signed in", async () => {
    const made: string[] = [];
    const { browser, session, memory } = setUp({ created: async ({ id }) => void made.push(id) });
    expect((await browser.navigate("/auth/proof")).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect(made).toEqual(["user-1"]);
    expect(await session()).toMatchObject({ user: { email: EMAIL } });
    expect(memory.snapshot().users).toMatchObject([{ email: EMAIL, emailVerified: expect.any(Date) }]);
  });

  it("leaves no user when what belongs to them cannot be written", async () => {
    const { browser, session, memory } = setUp({ created: () => Promise.reject(new Error("no place")) });
    await browser.navigate("/auth/proof");
    expect([memory.snapshot().users, await session()]).toEqual([[], null]);
  });

  it("signs in to a user with a proven address, and does not hand them over", async () => {
    const made: string[] = [];
    const created = async ({ id }: AdapterUser) => void made.push(id);
    const { browser, session, ready } = setUp({ created, users: [{ emailVerified: new Date(0) }] });
    await ready;
    expect((await browser.navigate("/auth/proof")).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect([made, await session()]).toMatchObject([[], { user: { email: EMAIL } }]);
  });

  it("leads to confirm-address where the address was never proven, and starts fresh there", async () => {
    const { browser, session, ready, memory } = setUp({ users: [{}] });
    await ready;
    expect((await browser.navigate("/auth/proof")).redirectsTo).toBe(`${ORIGIN}/auth/confirm-address`);
    expect(await session()).toBeNull();
    const choice = await browser.navigate("/auth/confirm-address");
    const again = await browser.submit(choice, { action: "/auth/confirm-address" });
    await browser.submit(again, { action: "/auth/confirm-address" });
    expect(await session()).toMatchObject({ user: { email: EMAIL } });
    expect(memory.snapshot().users).toMatchObject([{ email: null }, { email: EMAIL }]);
  });

  it("asks every extension and callbacks.allowAttempt, and does not sign in where one of them refuses", async () => {
    const refusing = setUp({
      spec: { admit: () => ({ refuse: "not today" }) },
      users: [{ emailVerified: new Date(0) }],
    });
    await refusing.ready;
    expect((await refusing.browser.navigate("/auth/proof")).redirectsTo).toContain("error=AccessDenied");
    const limited = setUp({ config: { callbacks: { allowAttempt: ({ identifier }) => identifier !== EMAIL } } });
    expect((await limited.browser.navigate("/auth/proof")).status).toBe(429);
    const counted = setUp({ spec: { attempt: () => ({ allow: false, code: "slow", retryAfter: 9 }) } });
    expect(await (await counted.browser.navigate("/auth/proof")).json()).toMatchObject({ code: "slow" });
  });

  it.each([{ provider: "other" }, { spec: { provesAddresses: undefined as never } }])(
    "is refused for a provider that it does not prove addresses for (%j)",
    async (options) => {
      const { browser, session } = setUp(options);
      await browser.navigate("/auth/proof");
      expect(await session()).toBeNull();
    },
  );
});
