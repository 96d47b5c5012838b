/** The operator's demands on a sign-in, against a visitor who asks the provider for less. */

import { createAuth } from "@cardea/core";
import { describe, expect, it } from "vitest";
import { BASE, type Case, ORIGIN, setUp } from "../harness/harness.ts";
import { expectNoSignIn, expectSignedIn } from "../harness/oauth-journeys.ts";

const DEMANDS = { max_age: 300, prompt: "login", acr_values: "mfa", hd: "corp.example" };

function strict(): Case {
  return setUp({ provider: { authorization: { params: DEMANDS } } });
}

async function ask(c: Case, query: string): Promise<URL> {
  return new URL((await c.post(`${BASE}/signin/op?${query}`)).redirectsTo ?? "");
}

describe("authorization parameters of a visitor", () => {
  it.each([
    "max_age=999999999&prompt=none&acr_values=pwd&hd=evil.example",
    "MAX_AGE=999999999&max_age[]=999999999&Prompt=none&ACR_VALUES=pwd&hd[]=evil.example",
    "max_age=&max_age=999999999&prompt=&acr_values=&hd=",
  ])("stay below what is configured: %s", async (query) => {
    const sent = Object.fromEntries((await ask(strict(), query)).searchParams);
    expect(sent).toMatchObject({ max_age: "300", prompt: "login", acr_values: "mfa", hd: "corp.example" });
    expect(
      Object.keys(sent)
        .map((name) => name.toLowerCase().replace(/\W/g, ""))
        .sort(),
    ).toEqual([...new Set(Object.keys(sent))].sort());
  });

  it("do not relax the check of auth_time", async () => {
    for (const [shift, isIn] of [
      [-299, true],
      [-600, false],
    ] as const) {
      const c = strict();
      c.op.script = { idToken: { claims: { shift: { auth_time: shift } } } };
      const { url } = await c.op.authorize(await ask(c, "max_age=999999999&prompt=none"));
      const visit = await c.browser.navigate(url, { initiator: c.op.issuer });
      if (isIn) await expectSignedIn(c, visit, "/");
      else await expectNoSignIn(c, visit);
    }
  });

  it("take nothing off the scope", async () => {
    const c = setUp();
    expect((await ask(c, "scope=openid%20calendar")).searchParams.get("scope")).toBe("openid profile email calendar");
    expect((await ask(c, "scope=")).searchParams.get("scope")).toBe("openid profile email");
  });

  it("differ from those of the server's own code, which replace what is configured", async () => {
    const c = strict();
    const { signIn } = createAuth(c.config);
    const params = {
      hd: "other.example",
      prompt: "select_account",
      max_age: "900",
      client_id: "evil",
      Redirect_URI: "x",
    };
    const answer = await signIn(new Request(`${ORIGIN}/login`), "op", {}, params);
    const sent = new URL(answer.headers.get("location") ?? "").searchParams;
    expect(Object.fromEntries(sent)).toMatchObject({ hd: "other.example", prompt: "select_account", max_age: "300" });
    expect([sent.get("client_id"), sent.has("Redirect_URI")]).toEqual([c.op.clientId, false]);
  });

  it("are absent where the server's own code has none, as in the configuration", async () => {
    const { config } = setUp({ provider: { authorization: { params: { prompt: null, login_hint: undefined } } } });
    const { signIn } = createAuth(config);
    const params = Object({ prompt: null, login_hint: undefined, ui_locales: "de" });
    const answer = await signIn(new Request(`${ORIGIN}/login`), "op", {}, params);
    const sent = new URL(answer.headers.get("location") ?? "").searchParams;
    expect(["prompt", "login_hint", "ui_locales"].map((name) => sent.get(name))).toEqual([null, null, "de"]);
  });
});
