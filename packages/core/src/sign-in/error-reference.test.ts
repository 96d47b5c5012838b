import { Auth } from "@cardea/core";
import type { AuthConfig } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import type { CaseOptions } from "../../test/harness/fixture.ts";
import { BASE, type Case, ORIGIN, SECRET, setUp } from "../../test/harness/harness.ts";

const COOKIE = "__Host-cardea.error";
const REFERENCE = /Reference: <bdi>([a-z0-9]{10})<\/bdi>/;

const denied: CaseOptions = { config: { callbacks: { signIn: () => false } } };
const broken: CaseOptions = {
  config: {
    callbacks: {
      jwt: () => {
        throw new Error("no directory");
      },
    },
  },
};

/** The reference that a page shows, which must stand in exactly one line of the log. */
async function findReference(c: Case, page: Response): Promise<string | undefined> {
  const reference = REFERENCE.exec(await page.text())?.[1];
  const lines = c.logs.filter(({ text, values }) => {
    const cause: unknown = Reflect.get(Object(values[0]), "cause");
    return reference !== undefined && (Reflect.get(Object(cause), "reference") ?? text).includes(reference);
  });
  expect(lines).toHaveLength(reference === undefined ? 0 : 1);
  return reference;
}

/** Fails a sign-in and follows the redirect. */
async function fail(c: Case): Promise<Response> {
  const { redirectsTo = "" } = await c.signIn();
  return c.browser.navigate(redirectsTo);
}

describe("showReference()", () => {
  it.each([
    ["a refusal, one line at warn", denied, "AccessDenied"],
    ["a failure, at error", broken, "Configuration"],
  ])("shows the reference of the log after a redirect: %s", async (_, options, error) => {
    const c = setUp(options);
    const visit = await c.signIn();
    expect(visit.redirectsTo).toBe(`${ORIGIN}${BASE}/error?error=${error}`);
    const page = await c.browser.navigate(visit.redirectsTo ?? "");
    const reference = await findReference(c, page);
    expect(reference).toBeDefined();
    expect(await findReference(c, await c.browser.navigate(visit.redirectsTo ?? "")), "reload").toBe(reference);
  });

  it("shows it on a page that answers the failed request itself", async () => {
    const c = setUp();
    const foreign = await c.post(`${BASE}/signout`, {}, { "sec-fetch-site": "cross-site" });
    expect(foreign.status).toBe(403);
    expect(await findReference(c, foreign)).toBeDefined();
  });

  it.each([
    ["an untrusted host", { basePath: BASE, trustHost: false }],
    ["a broken configuration", { providers: [{ id: "" }] }],
  ] as const)("shows it with status 500: %s", async (_, wrong) => {
    const logged: (Error | string)[] = [];
    const logger = { error: (error: Error) => void logged.push(error), warn: () => {} };
    // What a configuration in JavaScript may be.
    const config = { providers: [], secret: SECRET, logger, ...wrong } as unknown as AuthConfig;
    const accept = { accept: "text/html" };
    const page = await Auth(new Request(`${ORIGIN}${BASE}/signin`, { headers: accept }), config);
    const reference = REFERENCE.exec(await page.text())?.[1];
    expect(page.status).toBe(500);
    expect(logged).toEqual([expect.objectContaining({ cause: expect.objectContaining({ reference }) })]);
    expect(reference).toBeDefined();
  });

  it("makes a new one for each failure, and shows the latest", async () => {
    const c = setUp(denied);
    const first = await findReference(c, await fail(c));
    const second = await findReference(c, await fail(c));
    expect(new Set([first, second, undefined]).size).toBe(3);
  });

  it("shows none on a page of another error, nor in another browser", async () => {
    const c = setUp(denied);
    await fail(c);
    expect(await findReference(c, await c.browser.navigate(`${BASE}/error?error=Configuration`))).toBeUndefined();
    c.browser.cookies.delete(COOKIE);
    expect(await findReference(c, await c.browser.navigate(`${BASE}/error?error=AccessDenied`))).toBeUndefined();
  });

  it.each<[string, string, HeadersInit]>([
    ["a query", "&reference=abcdefghij", {}],
    ["a header", "", { "x-request-id": "abcdefghij", "x-correlation-id": "abcdefghij" }],
    ["a cookie without a MAC", "", { cookie: `${COOKIE}=abcdefghij` }],
    ["a cookie with another MAC", "", { cookie: `${COOKIE}=abcdefghijABCDEFGHIJKLMNOP` }],
  ])("shows nothing that a request contains: %s", async (_, query, headers) => {
    const page = await setUp(denied).send(`${BASE}/error?error=AccessDenied${query}`, { headers });
    expect(page.status).toBe(403);
    expect(await page.text()).not.toMatch(/abcdefghij|Reference/);
  });

  it("sets no cookie for a visitor who has not begun to sign in, nor for an application's own page", async () => {
    const visitor = setUp();
    const unknown = await visitor.browser.navigate(`${BASE}/callback/unknown`);
    expect([unknown.redirectsTo, unknown.headers.getSetCookie()]).toEqual([`${ORIGIN}${BASE}/error`, []]);
    const own = setUp({ config: { ...denied.config, pages: { error: "/oops" } } });
    const refused = await own.signIn();
    expect(refused.redirectsTo).toBe(`${ORIGIN}/oops?error=AccessDenied`);
    expect(refused.headers.getSetCookie().filter((line) => line.startsWith(COOKIE))).toEqual([]);
  });

  it("leaves an error that the application throws again and again as it is", async () => {
    const { AccessDenied } = await import("../model/errors.ts");
    const again = Object.freeze(new AccessDenied("closed", { cause: { reason: "closed" } }));
    const c = setUp({
      config: {
        callbacks: {
          jwt: () => {
            throw again;
          },
        },
      },
    });
    expect(await findReference(c, await fail(c))).toBeDefined();
    expect(again.cause).toEqual({ reason: "closed" });
  });
});
