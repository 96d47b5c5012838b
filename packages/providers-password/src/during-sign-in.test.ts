/** A new password, while a sign-in with the former one goes on. */
import type { Adapter } from "@cardea/core/adapters";
import { sessions } from "@cardea/sessions";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

const KINDS = [
  ["jwt", "sessions()"],
  ["database", "sessions()"],
  ["database", "no further extension"],
] as const;

/** An owner who may choose a new password, and something that is done once, at a moment of the next sign-in. */
async function start(strategy: "jwt" | "database", which: string) {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const run = async (moment: string) => {
    if (moment !== at) return;
    const work = meanwhile;
    meanwhile = undefined;
    await work?.();
  };
  let at = "";
  const { adapter } = createMemoryAdapter();
  const { createSession } = adapter;
  const slow: Adapter = {
    ...adapter,
    createSession: async (record) => {
      await run("createSession");
      return createSession(record);
    },
  };
  const app = startApp({
    strategy,
    config: {
      adapter: slow,
      extensions: which === "sessions()" ? [sessions()] : [],
      callbacks: {
        signIn: () => run("signIn").then(() => true),
        jwt: ({ token, trigger }) => (trigger === "signIn" ? run("jwt").then(() => token) : token),
      },
    },
  });
  const owner = app.open();
  await app.register(owner);
  return {
    ...app,
    owner,
    during: (moment: string, work: () => Promise<unknown>) => {
      at = moment;
      meanwhile = work;
    },
  };
}

describe.each(KINDS)("a sign-in with the former password, %s sessions, %s", (strategy, which) => {
  it.each(["signIn", strategy === "jwt" ? "jwt" : "createSession"])(
    "opens no session if the password is reset during %s",
    async (moment) => {
      const { owner, open, askReset, useLink, choose, signIn, userOf, during } = await start(strategy, which);
      await askReset(owner);
      await useLink(owner);
      const thief = open();
      const done: string[] = [];
      during(moment, async () => done.push(String((await choose(owner, OTHER)).redirectsTo)));
      await signIn(thief, EMAIL, PASSWORD);
      expect(done).toHaveLength(1);
      expect(await userOf(thief)).toBeNull();
      const next = open();
      expect((await signIn(next, EMAIL, OTHER)).redirectsTo).toBe(`${ORIGIN}/inside`);
      expect(await userOf(next)).toBe(EMAIL);
    },
  );
});
