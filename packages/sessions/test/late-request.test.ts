/** Two requests of one browser overlap, and one of them replaces or ends the session that the other still carries. */
import { defineExtension } from "@cardea/extend";
import { createBrowser } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { sessions } from "../src/index.ts";
import { createTestApplication, EAGER, ORIGIN, post } from "./application.ts";

const proofs = defineExtension({
  id: "proofs",
  actions: {
    "POST prove": {
      ...{ csrf: "required", segment: "none", answers: "json", head: "skip" },
      run: async (action) => {
        await action.session();
        await action.renewSession({ f: [["otp", 9]] });
        return { kind: "empty", status: 204 };
      },
    },
  },
});

/** A browser whose request for `?late` reaches the server after `open()`, with the cookies from when it was sent. */
async function start(strategy: "jwt" | "database", extensions = [sessions({ revocation: EAGER }), proofs]) {
  const server = createTestApplication({ strategy }).server({ extensions });
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const browser = createBrowser(
    async (request) => {
      if (request.url.endsWith("?late")) await gate;
      return server.handler(request);
    },
    { origin: ORIGIN },
  );
  const signIn = (username: string) => post(browser, "callback/password", { username, password: "right" });
  const userOf = async () => (await (await browser.fetch("/auth/session")).json())?.user?.name ?? null;
  await signIn("ann");
  const sendLate = () => browser.fetch("/auth/session?late");
  return { server, browser, open, signIn, userOf, sendLate };
}

describe.each(["jwt", "database"] as const)("a request with a former token, %s sessions", (strategy) => {
  it("does not remove the new token of the same session", async () => {
    const { browser, open, userOf, sendLate } = await start(strategy);
    const late = sendLate();
    expect((await post(browser, "prove")).status).toBe(204);
    open();
    expect(await (await late).json()).toBeNull();
    expect(await userOf()).toBe("ann");
  });

  it("does not remove the token of a sign-in in another tab", async () => {
    const { open, signIn, userOf, sendLate } = await start(strategy);
    const late = sendLate();
    await signIn("bo");
    open();
    expect(await (await late).json()).toBeNull();
    expect(await userOf()).toBe("bo");
  });

  it("has its cookie cleared if all sessions of its user ended, as far as the token tells whose it was", async () => {
    const { server, browser, open, sendLate } = await start(strategy);
    const late = sendLate();
    await server.sessions.endAll("ann", { by: "admin" });
    open();
    const isCleared = (await late).headers.getSetCookie().join().includes("session-token=;");
    // Without a row, the token could be that of another application on the host.
    expect(isCleared).toBe(strategy === "jwt");
    expect(browser.cookies.list().some(({ name }) => name.includes("session-token"))).toBe(!isCleared);
  });
});

it("does not remove the token of a sign-in in another tab, without extensions", async () => {
  const { open, signIn, userOf, sendLate } = await start("database", []);
  const late = sendLate();
  await signIn("bo");
  open();
  expect(await (await late).json()).toBeNull();
  expect(await userOf()).toBe("bo");
});
