// Account ids that are one key to a store of Auth.js, and those of different people to their provider.
import { describe, expect, it } from "vitest";
import { openUnstorageAdapter } from "./adapters/unstorage.ts";
import { setUpEngine } from "./engine-on-adapter.ts";

const PAIRS = [
  ["what follows a question mark", "https://id.example/?user=1", "https://id.example/?user=2"],
  ["a slash and a colon", "auth0|a/b", "auth0|a:b"],
  ["separators at the end", "a", "a:"],
  ["several separators", "a//b", "a/b"],
] as const;

describe.each(PAIRS)("@auth/unstorage-adapter: %s", (_name, victim, attacker) => {
  it.each(["database", "jwt"] as const)("does not sign in to the other user, %s sessions", async (strategy) => {
    const { adapter, close } = await openUnstorageAdapter();
    const app = setUpEngine(adapter, { session: { strategy } });
    app.op.user = { sub: victim, email: "victim@example.com", email_verified: true };
    await app.signInWithOp();
    await app.signOut();
    expect(app.errors).toEqual([]);
    app.op.user = { sub: attacker, email: "mallory@example.com", email_verified: true };
    expect((await app.signInWithOp()).url).toContain("error=Configuration");
    expect(await app.session()).toBeNull();
    expect(app.errors.map(String)).toEqual([expect.stringContaining("`getAccount`")]);
    app.op.user = { sub: victim, email: "victim@example.com", email_verified: true };
    await app.signInWithOp();
    expect(await app.session()).toMatchObject({ user: { email: "victim@example.com" } });
    await close();
  });
});
