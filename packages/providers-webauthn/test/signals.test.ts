import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type PasskeyCase, setUpPasskeys } from "../../core/test/harness/passkey-app.ts";

const signalsOf = async (app: PasskeyCase, query = "") =>
  (await (await app.ask(`action=signals${query}`)).json()).signals;
const stored = (id: string) => Buffer.from(id, "base64url").toString("base64");

describe("GET webauthn-options with action=signals", () => {
  it("names all passkeys of the session's user, their handle and their names, and sets nothing", async () => {
    const app = setUpPasskeys();
    await app.signInWithOp();
    for (let n = 0; n < 2; n++) await app.register("");
    await app.memory.adapter.createUser({ id: "", name: null, email: "bob@example.com", emailVerified: null });
    const before = app.memory.calls.length;
    const answer = await app.ask("action=signals");
    const { signals } = await answer.json();
    const [user] = app.memory.snapshot().users;
    expect(signals).toEqual({
      rpId: "app.example.com",
      userId: app.authenticator.credentials[0]?.userHandle,
      name: user?.email,
      displayName: user?.name,
      allAcceptedCredentialIds: app.authenticator.credentials.map(({ id }) => id),
    });
    expect(answer.headers.getSetCookie().filter((line) => line.includes("challenge"))).toEqual([]);
    const writes = app.memory.calls.slice(before).filter(({ method }) => /^(?:create|update|delete|link)/.test(method));
    expect(writes).toEqual([]);
  });

  it("says nothing without a session, and nothing to another site", async () => {
    const app = setUpPasskeys();
    await app.register();
    await app.signOut();
    expect(await (await app.ask("action=signals&email=ann@example.com")).json()).toEqual({
      action: "signals",
      signals: null,
    });
    const foreign = await app.browser.fetch("/api/auth/webauthn-options/passkey?action=signals", {
      headers: { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
  });

  it("counts as no attempt", async () => {
    const asked: unknown[] = [];
    const app = setUpPasskeys({ config: { callbacks: { allowAttempt: (attempt) => Boolean(asked.push(attempt)) } } });
    await app.register();
    const before = asked.length;
    await signalsOf(app);
    expect(asked).toHaveLength(before);
  });

  it("leaves out a passkey whose account was removed, where the adapter can tell", async () => {
    for (const canTell of [true, false]) {
      const memory = createMemoryAdapter();
      const { listAccountsByUserId, ...rest } = memory.adapter;
      const app = setUpPasskeys({ memory, config: { adapter: canTell ? memory.adapter : rest } });
      await app.signInWithOp();
      for (let n = 0; n < 2; n++) await app.register("");
      const [first = "", second = ""] = app.authenticator.credentials.map(({ id }) => id);
      await memory.adapter.unlinkAccount({ provider: "passkey", providerAccountId: stored(first) });
      const { allAcceptedCredentialIds, unknownCredentialId } = await signalsOf(
        app,
        `&removed=${encodeURIComponent(stored(first))}`,
      );
      expect(allAcceptedCredentialIds).toEqual(canTell ? [second] : [first, second]);
      expect(unknownCredentialId).toBe(canTell ? first : undefined);
    }
  });

  it("names a removed passkey, and none that is in use, whatever a link says", async () => {
    const app = setUpPasskeys();
    await app.register();
    const [bobs = ""] = app.authenticator.credentials.map(({ id }) => id);
    await app.signOut();
    await app.signInWithOp();
    await app.register("");
    const own = app.authenticator.credentials.at(-1)?.id ?? "";
    const unknownFor = async (id: string) =>
      (await signalsOf(app, `&removed=${encodeURIComponent(id)}`)).unknownCredentialId;
    expect(await unknownFor(stored("AAAA"))).toBe("AAAA");
    for (const id of [stored(bobs), stored(own), "", "not base64", "A".repeat(2000)])
      expect(await unknownFor(id)).toBe(undefined);
  });
});
