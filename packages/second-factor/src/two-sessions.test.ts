import { describe, expect, it } from "vitest";
import { bodyOf, codeOf, ORIGIN, STRATEGIES, startApplication } from "../test/open-application.ts";

type Cookies = readonly { readonly name: string; readonly value: string }[];

/** How a thief sends their own session beside one that they stole. */
const ORDERS: Readonly<Record<string, (own: Cookies, stolen: Cookies) => Cookies>> = {
  "thief first": (own, stolen) => [...own, ...stolen],
  "victim first": (own, stolen) => [...stolen, ...own],
  "victim as the beginning of another value": (own, stolen) => [
    ...own,
    ...stolen,
    ...stolen.map(({ name, value }) => ({ name, value: `${value}x` })),
  ],
  "victim as the first chunk of another value": (own, stolen) => [
    ...own,
    ...stolen.flatMap(({ name, value }) => [
      { name: `${name}.0`, value },
      { name: `${name}.1`, value: "x" },
    ]),
  ],
};

describe.each(STRATEGIES)("two sessions in one request, %s sessions", (strategy) => {
  /** Ends the thief's session while their proof is checked. */
  type Ending = (app: ReturnType<typeof startApplication>, token: string) => Promise<unknown>;
  const endings: Record<(typeof STRATEGIES)[number], Ending> = {
    jwt: async (app) => app.clock.advance({ seconds: 500 }),
    database: async (app, token) => app.memory.adapter.deleteSession?.(token),
  };

  it.each(Object.keys(ORDERS))("a proof counts for no session of another user (%s)", async (order) => {
    const app = startApplication({}, { strategy, session: { strategy, maxAge: 600 } });
    const thief = app.newBrowser();
    await thief.signIn("bob");
    const begun = await bodyOf(await thief.send("/auth/factors/totp", { step: "begin" }));
    const { setup, secret } = Object(begun.enrol);
    await thief.send("/auth/factors/totp", { step: "confirm", setup, code: codeOf(secret, app.now()) });
    app.clock.advance({ seconds: 240 });
    const victim = app.newBrowser();
    await victim.signIn("ann");
    const { csrfToken = "" } = await (await thief.browser.fetch("/auth/csrf")).json();
    const all = thief.browser.cookies.list().map(({ name, value }) => ({ name, value }));
    const isSession = ({ name }: { name: string }) => name.endsWith("session-token");
    const stolen = victim.browser.cookies.list().filter(isSession);
    const sent = ORDERS[order]?.(all, stolen) ?? [];
    const update = app.memory.adapter.updateCredential;
    app.memory.adapter.updateCredential = async (change) => {
      const done = (await update?.(change)) ?? null;
      await endings[strategy](app, decodeURIComponent(all.find(isSession)?.value ?? ""));
      return done;
    };
    const cookie = sent.map(({ name, value }) => `${name}=${value}`).join("; ");
    const answer = await app.handle(
      new Request(`${ORIGIN}/auth/factor/totp`, {
        method: "POST",
        headers: { cookie, "x-auth-return-redirect": "1" },
        body: new URLSearchParams({ csrfToken, code: codeOf(secret, app.now()) }),
      }),
    );
    const issued = answer.headers.getSetCookie().filter((one) => /session-token=[^;]/.test(one));
    expect(issued).toEqual([]);
    const proofs = app.memory.snapshot().sessionInfos.filter(({ userId }) => userId === "ann");
    expect(proofs.flatMap(({ factors }) => factors.map(({ m }) => m))).not.toContain("otp");
  });
});
