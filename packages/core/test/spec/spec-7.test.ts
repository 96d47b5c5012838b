/** What section 7 of the specification promises: errors, as code, log and person meet them. */

import { createAuth, skipCSRFCheck } from "@cardea/core";
import { AuthError, CredentialsSignin } from "@cardea/core/errors";
import type { Provider } from "@cardea/core/providers";
import { describe, expect, it, vi } from "vitest";
import type { CaseOptions } from "../harness/fixture.ts";
import { BASE, type Case, ORIGIN, PASSWORD, setUp } from "../harness/harness.ts";
import { attempt, setUpWired } from "../harness/oauth-journeys.ts";

/** A way to sign in whose `authorize` fails. */
function failing(id: string, error: Error): Provider {
  return { id, name: id, type: "credentials", credentials: {}, authorize: () => Promise.reject(error) };
}

/** The page that a user was led to says what happened. */
async function expectExplained(c: Case, url: string, text: string): Promise<void> {
  const page = await c.browser.navigate(url);
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(await page.text()).toContain(text);
}

describe("errors", () => {
  it("spec 7 AuthError spec 7 rule 1: a failed signIn() throws one, and the log gets it with what was below", async () => {
    const down = new Error("the directory is down");
    const c = setUp({ providers: [failing("staff", down)] });
    const { signIn } = createAuth(c.config);
    const request = new Request(`${ORIGIN}/login`, { method: "POST" });
    const thrown: unknown = await signIn(request, "staff", { username: "ann" }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(AuthError);
    expect(thrown).toMatchObject({ type: "CallbackRouteError", name: "CallbackRouteError", cause: { err: down } });
    const logged = c.logs.filter(({ level }) => level === "error");
    expect(logged).toMatchObject([
      { text: expect.stringContaining("staff"), values: [{ type: "CallbackRouteError" }] },
    ]);
    expect(logged[0]?.values[0]).toMatchObject({ cause: { err: { message: "the directory is down" } } });
    const refused = signIn(request, "credentials", { username: "ann", password: "wrong" });
    await expect(refused).rejects.toMatchObject({ type: "CredentialsSignin", code: "credentials" });
  });

  it("spec 7 CredentialsSignin leads to the sign-in page with its code, and all of it is in the log", async () => {
    class Locked extends CredentialsSignin {
      override code = "locked";
    }
    const c = setUp({ providers: [failing("staff", new Locked("Three tries by this account."))] });
    const page = `${ORIGIN}${BASE}/signin?error=CredentialsSignin&code=`;
    expect((await c.signIn({ password: "wrong" })).redirectsTo).toBe(`${page}credentials`);
    expect((await c.post(`${BASE}/callback/staff`)).redirectsTo).toBe(`${page}locked`);
    const told = c.logs.filter(({ level }) => level !== "debug").map(({ text }) => text);
    expect(told.at(-1)).toMatch(/^CredentialsSignin: Three tries by this account\..*"code":"locked"/);
    expect(CredentialsSignin.type).toBe("CredentialsSignin");
    await expectExplained(c, `${page}locked`, "Those details are incorrect.");
  });

  it("spec 7 MissingSecretError is thrown in production without a secret", () => {
    for (const name of ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3", "NEXTAUTH_SECRET"]) {
      vi.stubEnv(name, "");
    }
    vi.stubEnv("NODE_ENV", "production");
    const { secret: _, ...config } = setUp().config;
    expect(() => createAuth(config)).toThrow(expect.objectContaining({ type: "MissingSecretError" }));
  });

  it("spec 7 Configuration spec 7 AccessDenied are explained on the error page", async () => {
    const c = setUp({
      providers: [failing("staff", new Error("down"))],
      config: { callbacks: { signIn: () => false } },
    });
    const broken = (await c.post(`${BASE}/callback/staff`)).redirectsTo ?? "";
    expect(broken).toBe(`${ORIGIN}${BASE}/error?error=Configuration`);
    await expectExplained(c, broken, "Sign-in is unavailable");
    const refused = (await c.signIn()).redirectsTo ?? "";
    expect(refused).toBe(`${ORIGIN}${BASE}/error?error=AccessDenied`);
    await expectExplained(c, refused, "Access denied");
  });

  const brokenLimit: CaseOptions = { config: { callbacks: { allowAttempt: () => Promise.reject(new Error("no")) } } };
  const down = () => Promise.reject(new TypeError("connect ECONNREFUSED"));

  it.each<[string, string, () => Case, (c: Case) => Promise<{ redirectsTo?: string | null | undefined }>]>([
    ["spec 7 Signin", "We couldn’t sign you in.", setUp, (c) => c.post(`${BASE}/signin/op`, { csrfToken: "stale" })],
    [
      "spec 7 OAuthSignin",
      "We couldn’t reach the service you chose.",
      () => setUpWired(down),
      (c) => c.post(`${BASE}/signin/op`),
    ],
    [
      "spec 7 OAuthCallbackError",
      "The service you chose didn’t confirm your identity.",
      setUp,
      (c) => attempt(c, { error: { error: "server_error" } }),
    ],
    [
      "spec 7 Callback",
      "Something went wrong while returning to this site.",
      () => setUp(brokenLimit),
      (c) => c.signIn(),
    ],
  ])("%s is explained on the sign-in page, and no one is signed in", async (id, text, start, act) => {
    const c = start();
    const { redirectsTo } = await act(c);
    const target = new URL(redirectsTo ?? "");
    expect([target.pathname, target.searchParams.get("error")]).toEqual([`${BASE}/signin`, id.replace("spec 7 ", "")]);
    await expectExplained(c, target.href, text);
    expect(await c.session()).toBe(null);
  });

  it("spec 7 rule 2 spec 9 skipCSRFCheck: csrf is 404 while the check is off, and forms need no token", async () => {
    const form = { username: "ann", password: PASSWORD };
    const checked = setUp();
    const refused = await checked.browser.navigate(`${BASE}/callback/credentials`, { form });
    expect(refused.redirectsTo).toContain("error=Signin");
    expect(await checked.session()).toBe(null);
    const open = setUp({ config: { skipCSRFCheck } });
    expect((await checked.browser.fetch(`${BASE}/csrf`)).status).toBe(200);
    expect((await open.browser.fetch(`${BASE}/csrf`)).status).toBe(404);
    await open.browser.navigate(`${BASE}/callback/credentials`, { form });
    expect(await open.session()).toMatchObject({ user: { name: "ann" } });
  });
});
