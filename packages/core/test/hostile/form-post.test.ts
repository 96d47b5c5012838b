/** A provider that answers with a form, which browsers send without its cookies: every decision is that of an answer in the URL. */

import { defineExtension } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { type DatabaseCase, setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, installClock, ORIGIN, setUp } from "../harness/harness.ts";
import {
  anotherBrowser,
  attempt,
  begin,
  CALLBACK,
  calls,
  comeBack,
  expectLanding,
  expectSignedIn,
} from "../harness/oauth-journeys.ts";

const MODES = ["query", "form_post"] as const;
const ADA = { sub: "ada", name: "Ada", email: "ada@example.com", email_verified: true };
const BOB = { sub: "bob", name: "Bob", email: "bob@example.com", email_verified: true };

/** The site that sends the form. */
const PROVIDER = "https://id.provider.example";

const optionsOf = (mode: string) => ({ provider: { authorization: { params: { response_mode: mode } } } });

/** Users are signed in by a link, and the provider's answer arrives from its own site. */
async function signedIn(mode: string, strategy: "jwt" | "database"): Promise<DatabaseCase> {
  const c = setUpDatabase({ ...optionsOf(mode), strategy });
  await c.ask("ada@example.com");
  await c.open();
  return c;
}

/** Signs in at the provider by the application's own button, and comes back. */
async function add(c: DatabaseCase, user: object) {
  const form = { csrfToken: await c.csrfToken(), callbackUrl: "/dash" };
  const begun = await c.browser.navigate(`${BASE}/signin/op`, { form });
  const { url, form: answer } = await c.op.authorize(new URL(begun.redirectsTo ?? ""), { user: user as typeof ADA });
  return c.browser.navigate(url, { form: answer, initiator: PROVIDER, follow: "all" });
}

const rows = (c: DatabaseCase) => {
  const { users, accounts, sessions } = c.memory.snapshot();
  return { users: users.length, accounts: accounts.length, sessions: sessions.length };
};

describe.each(["jwt", "database"] as const)("an answer of a provider, %s sessions", (strategy) => {
  const count = strategy === "database" ? 1 : 0;

  it.each(MODES)("%s: is linked to the user whose session started it", async (mode) => {
    const c = await signedIn(mode, strategy);
    await add(c, BOB);
    expect(await c.session()).toMatchObject({ user: { email: "ada@example.com" } });
    expect(rows(c)).toEqual({ users: 1, accounts: 1, sessions: count });
  });

  it.each(MODES)("%s: does not sign another user in beside the one who started it", async (mode) => {
    const c = await signedIn(mode, strategy);
    const other = anotherBrowser(c);
    await comeBack(c, await begin(c, "/dash", other), { user: BOB }, other);
    const visit = await add(c, BOB);
    expect(new URL(visit.url).searchParams.get("error")).toBe("OAuthAccountNotLinked");
    expect(await c.session()).toMatchObject({ user: { email: "ada@example.com" } });
  });

  it.each(MODES)("%s: asks whether a further user may take the place of the one who is signed in", async (mode) => {
    const c = await signedIn(mode, strategy);
    const answer = await c.op.authorize(await begin(c), { user: BOB });
    const visit = await c.browser.navigate(answer.url, { form: answer.form, initiator: PROVIDER, follow: "all" });
    expect(new URL(visit.url).pathname).toBe(`${BASE}/confirm-account`);
    expect(rows(c)).toEqual({ users: 1, accounts: 0, sessions: count });
  });

  it.each(MODES)("%s: ends the session that it replaces, whose own account signs in again", async (mode) => {
    const c = await signedIn(mode, strategy);
    await add(c, BOB);
    const [former] = c.memory.snapshot().sessions;
    const cookie = c.browser.cookies.get(COOKIE.session)?.value;
    await add(c, BOB);
    expect(rows(c)).toEqual({ users: 1, accounts: 1, sessions: count });
    expect(c.memory.snapshot().sessions[0]).not.toEqual(former ?? null);
    expect(c.browser.cookies.get(COOKIE.session)?.value).not.toBe(cookie);
  });
});

describe("an answer of a provider, in a browser without a session", () => {
  it.each(MODES)("%s: comes with the other cookies that the browser had, and extensions read them", async (mode) => {
    const read: unknown[] = [];
    const extension = defineExtension({
      id: "probe",
      admit: async (_candidate, t) => {
        read.push(await t.cookies.read("device"));
        await t.cookies.write("device", { known: "yes" }, 3600);
        return { admit: true };
      },
    });
    const c = setUp({ ...optionsOf(mode), config: { extensions: [extension] } });
    for (const _time of [1, 2]) {
      const { url, form } = await c.op.authorize(await begin(c), { user: ADA });
      const visit = await c.browser.navigate(url, { form, initiator: PROVIDER, follow: "all" });
      expect([visit.url, await c.session()]).toEqual([`${ORIGIN}/dash`, expect.anything()]);
      await c.post(`${BASE}/signout`);
    }
    expect(read).toEqual([null, { known: "yes" }]);
  });
});

describe("the redirect to the same callback", () => {
  it("extensions learn of the session that ends, without a database as well", async () => {
    const ended: string[] = [];
    const extension = defineExtension({ id: "probe", onSignOut: async ({ userId }) => void ended.push(userId) });
    const c = setUp({ ...optionsOf("form_post"), config: { extensions: [extension] } });
    await expectSignedIn(c, await attempt(c, { user: ADA }));
    const { url, form } = await c.op.authorize(await begin(c), { user: BOB });
    await c.browser.navigate(url, { form, initiator: PROVIDER, follow: "all" });
    expect([ended, await c.session()]).toEqual([["op|ada"], expect.objectContaining({ user: expect.anything() })]);
  });

  it("is not made for a browser without other cookies, nor for a form that comes with it", async () => {
    const c = setUpDatabase(optionsOf("form_post"));
    await expectSignedIn(c, await attempt(c, { user: ADA }));
    const { url, form } = await c.op.authorize(await begin(c), { user: ADA });
    await expectSignedIn(c, await c.browser.navigate(url, { form }));
  });

  it("shows nothing of the form, and works once, in this browser, for this provider", async () => {
    const c = await signedIn("form_post", "database");
    const { url, form } = await c.op.authorize(await begin(c), { user: BOB });
    const { redirectsTo = "" } = await c.browser.navigate(url, { form, initiator: PROVIDER });
    const code = new URLSearchParams(form).get("code") ?? "";
    expect([redirectsTo?.split("=")[0], redirectsTo?.includes(code)]).toEqual([`${CALLBACK}?posted`, false]);
    expectLanding(await anotherBrowser(c).navigate(redirectsTo ?? ""), "OAuthCallbackError");
    await c.browser.navigate(redirectsTo ?? "");
    expect(calls(c).token).toBe(1);
  });

  it("answers no code in the URL, whatever stands beside it", async () => {
    const c = setUp(optionsOf("form_post"));
    const { form } = await c.op.authorize(await begin(c), { user: ADA });
    expectLanding(await c.browser.navigate(`${CALLBACK}?posted=x&${form}`), "OAuthCallbackError");
    expect([calls(c).token, await c.session()]).toEqual([0, null]);
  });

  it("is no reason to ignore an answer in the URL, where that is the mode of the provider", async () => {
    const c = setUp(optionsOf("query"));
    const { url } = await c.op.authorize(await begin(c), { user: ADA });
    await expectSignedIn(c, await c.browser.navigate(`${url}&posted=x`));
  });

  it("is followed for a minute", async () => {
    const clock = installClock();
    const c = await signedIn("form_post", "database");
    const { url, form } = await c.op.authorize(await begin(c), { user: BOB });
    const { redirectsTo } = await c.browser.navigate(url, { form, initiator: PROVIDER });
    clock.advance({ seconds: 90 });
    expectLanding(await c.browser.navigate(redirectsTo ?? ""), "OAuthCallbackError");
  });
});
