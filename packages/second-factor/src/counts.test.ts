import { customFetch } from "@cardea/core/providers";
import { createBrowser, createScriptedProvider } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { ORIGIN, STRATEGIES, startApplication } from "../test/open-application.ts";
import { secondFactor } from "./index.ts";

const RULE = { acr: ["phr"], amr: ["mfa", "hwk"] };

/** Where a browser is after a sign-in at a provider whose ID token has these claims. */
async function signIn(
  strategy: "jwt" | "database",
  claims: Readonly<Record<string, string | string[]>>,
  { of = "op", inUserinfo = false } = {},
) {
  const user = { sub: "1815", name: "Ann", ...(inUserinfo ? claims : {}) };
  const op = createScriptedProvider({ user, claimsIn: inUserinfo ? "userinfo" : "both" });
  op.script = { idToken: { claims: { set: inUserinfo ? {} : claims } } };
  const { issuer, clientId, clientSecret } = op;
  const app = startApplication(
    {},
    {
      strategy,
      extensions: [secondFactor({ require: () => "always", counts: { [of]: RULE } })],
      providers: [{ id: "op", name: "OP", type: "oidc", issuer, clientId, clientSecret, [customFetch]: op.fetch }],
    },
  );
  const browser = createBrowser(app.handle, { origin: ORIGIN, now: app.clock.now, routes: { [issuer]: op.handler } });
  const page = await browser.navigate("/auth/signin?callbackUrl=/inside");
  const { redirectsTo } = await browser.submit(page, { action: "/auth/signin/op" });
  const back = await op.authorize(new URL(redirectsTo ?? ""));
  const end = await browser.navigate(back.url, { initiator: issuer });
  return new URL(end.redirectsTo ?? "about:blank").pathname;
}

describe.each(STRATEGIES)("counts, %s sessions", (strategy) => {
  it.each([{ acr: "phr" }, { amr: ["pwd", "mfa"] }, { amr: ["hwk"], acr: "0" }])(
    "a provider whose verified ID token has %j asked for a second factor",
    async (claims) => {
      expect(await signIn(strategy, claims)).toBe("/inside");
    },
  );

  it.each([
    {},
    { acr: "0" },
    { amr: [] },
    { amr: ["pwd"] },
    { amr: "mfa" },
    { acr: "mfa" },
    { amr: ["phr"] },
    { acr: ["phr"] },
  ])("one with %j did not", async (claims) => {
    expect(await signIn(strategy, claims)).toBe("/auth/factor");
  });

  it("what only userinfo says does not count, nor what another provider says", async () => {
    expect(await signIn(strategy, { amr: ["mfa"] }, { inUserinfo: true })).toBe("/auth/factor");
    for (const of of ["other", "constructor"])
      expect(await signIn(strategy, { amr: ["mfa"] }, { of })).toBe("/auth/factor");
  });
});
