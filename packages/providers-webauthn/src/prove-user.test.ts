import { createAuth } from "@cardea/core";
import { type ActionSpec, defineExtension, type RequestTools } from "@cardea/extend";
import { createAuthenticator, createBrowser, createMemoryAdapter, type SoftwareAuthenticator } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { challengePasskey, Passkey, verifyPasskey } from "./index.ts";

const ORIGIN = "https://app.example.com";
const provider = Passkey();

/** An extension that asks the signed-in user for a passkey, as one for second factors does. */
function prover(id: string) {
  const spec = { csrf: "none", segment: "none", answers: "json", head: "skip" } as const;
  const ask: ActionSpec = {
    ...spec,
    run: async ({ query, session, renewSession }, t) => {
      if (query.has("renew")) await renewSession({ f: [["otp", t.now()]] });
      const userId = query.get("user") ?? (await session())?.userId ?? "";
      const about = query.get("about") ?? "";
      return { kind: "json", status: 200, body: await challengePasskey(t, { provider, userId, about }) };
    },
  };
  const answer: ActionSpec = {
    ...spec,
    csrf: "required",
    run: async (action, t) => ({ kind: "json", status: 200, body: await prove(action, t) }),
  };
  return defineExtension({ id, actions: { [`GET ${id}`]: ask, [`POST ${id}`]: answer } });
}

async function prove({ body, session }: Parameters<ActionSpec["run"]>[0], t: RequestTools): Promise<object> {
  const userId = (await session())?.userId ?? String(body.get("user"));
  const request = { provider, userId, about: String(body.get("about") ?? "") };
  try {
    return await verifyPasskey(t, request, String(body.get("state")), body.get("data"));
  } catch (error) {
    return { refused: Object(error).check ?? String(error) };
  }
}

async function setUp(strategy: "jwt" | "database" = "database") {
  const memory = createMemoryAdapter();
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    session: { strategy },
    providers: [provider],
    extensions: [prover("prove"), prover("other")],
    experimental: { enableWebAuthn: true },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  });
  const newBrowser = () => createBrowser(handlers.GET, { origin: ORIGIN });
  const browser = newBrowser();
  const json = async (path: string, from = browser) => (await from.fetch(`/auth/${path}`)).json();
  const post = async (path: string, fields: object, from = browser) => {
    const { csrfToken } = await (await from.fetch("/auth/csrf")).json();
    const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
    const body = JSON.stringify({ csrfToken, ...fields });
    return (await from.fetch(`/auth/${path}`, { method: "POST", headers, body })).json();
  };
  const register = async (authenticator: SoftwareAuthenticator, email: string, from = browser) => {
    const asked = await (await from.fetch(`/auth/webauthn-options/passkey?action=register&email=${email}`)).json();
    const data = await authenticator.create(asked.options);
    await post("callback/passkey", { action: "register", data: JSON.stringify(data) }, from);
  };
  const mine = createAuthenticator();
  await register(mine, "ann@example.com");
  return { memory, json, post, register, mine, newBrowser };
}

describe("verifyPasskey()", () => {
  it("proves the user once, and stores the counter and the time", async () => {
    const { memory, json, post, mine } = await setUp();
    const { options, state } = await json("prove");
    const data = await mine.get(options);
    const { credentialID } = memory.snapshot().authenticators[0] ?? {};
    expect(await post("prove", { state, data })).toEqual({ credentialID, userVerified: true });
    expect(memory.snapshot().authenticators).toMatchObject([{ counter: 2, usedAt: expect.any(Date) }]);
    expect(await post("prove", { state, data })).toEqual({ refused: "replay" });
  });

  it("counts once for all processes", async () => {
    const { memory, json, post, mine } = await setUp();
    const { options, state } = await json("prove");
    const before = memory.snapshot().verificationTokens.length;
    await post("prove", { state, data: await mine.get(options) });
    expect(memory.snapshot().verificationTokens).toHaveLength(before + 1);
  });

  it("counts for what is confirmed, and for nothing else", async () => {
    const { json, post, mine } = await setUp();
    const { options, state } = await json("prove?about=pay 100");
    const data = await mine.get(options);
    expect(await post("prove", { state, data, about: "pay 900" })).toEqual({ refused: "challenge" });
    expect(await post("prove", { state, data, about: "pay 100" })).toMatchObject({ userVerified: true });
  });

  it("takes no challenge of another user, extension or sign-in", async () => {
    const { memory, json, post, register, mine, newBrowser } = await setUp();
    const other = createAuthenticator();
    await register(other, "bob@example.com", newBrowser());
    const bob = memory.snapshot().users.find(({ email }) => email === "bob@example.com")?.id;
    const asked = await json(`prove?user=${bob}`);
    expect(await post("prove", { state: asked.state, data: await other.get(asked.options) })).toEqual({
      refused: "challenge",
    });
    const { options, state } = await json("prove");
    expect(await post("other", { state, data: await mine.get(options) })).toEqual({ refused: "challenge" });
    const data = await other.get({ ...asked.options, challenge: options.challenge });
    expect(await post("prove", { state, data })).toEqual({ refused: "other-person" });
    const signIn = await json("webauthn-options/passkey?action=authenticate");
    expect(await post("prove", { state, data: await mine.get(signIn.options) })).toEqual({ refused: "challenge" });
    for (const forged of ["", "x", "null"])
      expect(await post("prove", { state: forged, data: await mine.get(options) })).toEqual({ refused: "challenge" });
  });

  it.each(["jwt", "database"] as const)(
    "takes a challenge of the session that asked, however often renewed (%s)",
    async (strategy) => {
      const { json, post, mine, newBrowser } = await setUp(strategy);
      const elsewhere = newBrowser();
      const signIn = await json("webauthn-options/passkey?action=authenticate", elsewhere);
      const answer = { action: "authenticate", data: JSON.stringify(await mine.get(signIn.options)) };
      await post("callback/passkey", answer, elsewhere);
      expect(await json("prove", elsewhere), "the same user").toMatchObject({ state: expect.any(String) });
      const { options, state } = await json("prove");
      const given = { state, data: await mine.get(options) };
      expect(await post("prove", given, elsewhere)).toEqual({ refused: "challenge" });
      await json("prove?renew=1");
      expect(await post("prove", given)).toMatchObject({ userVerified: true });
    },
  );

  it("proves no visitor", async () => {
    const { memory, json, post, mine, newBrowser } = await setUp();
    const [{ id = "" } = {}] = memory.snapshot().users;
    const { options, state } = await json(`prove?user=${id}`, newBrowser());
    expect(await post("prove", { state, data: await mine.get(options), user: id }, newBrowser())).toEqual({
      refused: "challenge",
    });
  });

  it("is not for the sign-in", async () => {
    const { json, post, mine, newBrowser } = await setUp();
    const { options } = await json("prove");
    const data = JSON.stringify(await mine.get(options));
    const { url } = await post("callback/passkey", { action: "authenticate", data }, newBrowser());
    expect(url).toContain("error=Callback");
  });

  it("does not count without the account of the passkey", async () => {
    const { memory, json, post, mine } = await setUp();
    const { options, state } = await json("prove");
    const [{ provider: of = "", providerAccountId = "" } = {}] = memory.snapshot().accounts;
    await memory.adapter.unlinkAccount?.({ provider: of, providerAccountId });
    expect(await post("prove", { state, data: await mine.get(options) })).toEqual({ refused: "unknown-credential" });
    expect(memory.snapshot().authenticators).toMatchObject([{ counter: 1 }]);
  });
});

describe("challengePasskey()", () => {
  it("lists the passkeys of the user alone, and is null without any", async () => {
    const { memory, json } = await setUp();
    const { options } = await json("prove");
    const [{ credentialID = "" } = {}] = memory.snapshot().authenticators;
    const ids = options.allowCredentials.map(({ id }: { id: string }) =>
      Buffer.from(id, "base64url").toString("base64"),
    );
    expect(ids).toEqual([credentialID]);
    expect(await json("prove?user=nemo")).toBeNull();
  });
});
