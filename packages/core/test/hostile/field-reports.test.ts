/** Public reports about what real providers and browsers do, rebuilt; tests/field/README.md has their sources. */
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, ORIGIN, setUp } from "../harness/harness.ts";
import {
  attempt,
  begin,
  comeBack,
  expectAgain,
  expectNoSignIn,
  expectSignedIn,
  OAUTH2,
} from "../harness/oauth-journeys.ts";

describe("providers, as reported in 2025 and 2026", () => {
  it("one begins to send `iss`, and its provider object has no issuer: users still sign in", async () => {
    const c = setUp({ ...OAUTH2, provider: { ...OAUTH2.provider, issuer: undefined } });
    await expectSignedIn(c, await attempt(c, { params: { add: { iss: "https://github.example/login/oauth" } } }));
  });

  it("userinfo has no address, and the ID token has one: the user has it", async () => {
    const c = setUp();
    c.op.user = { sub: "1", name: "Ann", email: "ann@example.com" };
    c.op.script = { userinfo: { patch: { remove: ["email"] } } };
    await expectSignedIn(c, await attempt(c));
    expect(await c.session()).toMatchObject({ user: { email: "ann@example.com" } });
  });

  it.each([undefined, null, ""])("the id of an account is %j: no user or account is stored", async (id) => {
    const profile = (claims: Record<string, unknown>) => ({ id: claims.account as string, name: "Ann" });
    const c = setUpDatabase({ ...OAUTH2, provider: { ...OAUTH2.provider, profile } });
    c.op.user = { sub: "1", name: "Ann", ...(id === undefined ? {} : { account: id }) };
    await expectNoSignIn(c, await attempt(c));
    expect(c.memory.snapshot()).toMatchObject({ users: [], accounts: [] });
  });

  it("one posts its response from its own site: the pending sign-in is sent, and used once", async () => {
    const c = setUp({ provider: { authorization: { params: { response_mode: "form_post" } } } });
    const url = await begin(c);
    const pending = c.browser.cookies.list().filter(({ name }) => name.includes("state"));
    expect(pending).toEqual([expect.objectContaining({ sameSite: "none", secure: true })]);
    await expectSignedIn(c, await comeBack(c, url));
  });

  it("the lifetime of a token is a text: the account has its expiry as a number", async () => {
    const c = setUpDatabase(OAUTH2);
    c.op.script = { token: { patch: { set: { expires_in: "3600" } } } };
    await expectSignedIn(c, await attempt(c));
    expect(c.memory.snapshot().accounts[0]?.expires_at).toEqual(expect.any(Number));
  });

  it("its cookie is not partitioned: browsers do not send such a cookie with that form", async () => {
    const c = setUp({ provider: { authorization: { params: { response_mode: "form_post" } } } });
    await begin(c);
    const lines = c.visits.flatMap(({ headers }) => headers.getSetCookie()).filter((line) => line.includes("state"));
    expect(lines).toEqual([expect.not.stringMatching(/; *Partitioned/i)]);
  });

  it("a used link makes the address proven by a Date, on which drivers for databases call methods", async () => {
    const c = setUpDatabase();
    await c.post(`${BASE}/signin/email`, { email: "bob@example.com" });
    await c.browser.navigate(c.mails[0] ?? "");
    expect(c.memory.snapshot().users).toMatchObject([{ email: "bob@example.com", emailVerified: expect.any(Date) }]);
  });

  it("one issues no ID token, and its users have numbers: they sign in, by the number as text", async () => {
    const profile = (claims: Record<string, unknown>) => ({ id: claims.id as string, name: "Ann" });
    const c = setUpDatabase({ ...OAUTH2, provider: { ...OAUTH2.provider, profile } });
    c.op.user = { sub: "1", id: 583_231, name: "Ann" };
    await expectSignedIn(c, await attempt(c));
    expect(c.memory.snapshot().accounts).toMatchObject([{ providerAccountId: "583231" }]);
  });

  it("one announces `iss`, and its response has none: no one is signed in", async () => {
    const c = setUp({ op: { responseIss: true } });
    await expectNoSignIn(c, await attempt(c, { params: { remove: ["iss"] } }));
  });

  it("one is unavailable for a moment, as Keycloak is in a second tab: the sign-in starts again, once", async () => {
    const unavailable = { error: { error: "temporarily_unavailable", error_description: "authentication_expired" } };
    const c = setUp();
    const sent = await begin(c);
    await expectSignedIn(c, await comeBack(c, expectAgain(c, await comeBack(c, sent, unavailable), sent)));
    const other = setUp();
    const first = await begin(other);
    const again = expectAgain(other, await comeBack(other, first, unavailable), first);
    await expectNoSignIn(other, await comeBack(other, again, unavailable));
  });

  it("one refuses a sign-in while another tab has begun one: its page leads to its own destination", async () => {
    for (const error of ["server_error", "access_denied"]) {
      const c = setUp();
      const [one, two] = [c.browser, c.browser.tab()];
      const sent = await begin(c, "/one", one);
      await begin(c, "/two", two);
      await comeBack(c, sent, { error: { error } }, one);
      const page = await one.navigate(`${BASE}/signin`);
      expect(await page.text()).toContain(`value="${ORIGIN}/one"`);
    }
  });
});
