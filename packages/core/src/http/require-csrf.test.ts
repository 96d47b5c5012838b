import { describe, expect, it } from "vitest";
import { needsCsrfToken, ROUTES, type Route } from "../actions/routes.ts";
import { resolveConfig } from "../config/resolve-config.ts";
import { createFlowContext } from "../context/create-context.ts";
import { issueCsrfToken } from "../cookies/csrf.ts";
import { type AuthConfig, skipCSRFCheck } from "../model/config.ts";
import type { ActionContext } from "../model/context.ts";
import { standardParts } from "../standard.ts";
import { requireCsrf } from "./require-csrf.ts";

const ORIGIN = "https://app.example.com";
const PROVIDERS: AuthConfig["providers"] = [
  { id: "op", name: "Provider", type: "oidc", issuer: "https://op.example.com", clientId: "cid", clientSecret: "cs" },
  { id: "credentials", name: "Password", type: "credentials", credentials: {}, authorize: () => null },
];

interface Given {
  readonly headers?: Record<string, string>;
  readonly providerId?: string;
  readonly config?: Partial<AuthConfig>;
  /** What the body holds in place of the token that fits the cookie; null: nothing. */
  readonly token?: string | null;
}

/** A POST with a csrf cookie of ours, and with the token that fits it unless the case says otherwise. */
async function contextOf({ headers = {}, providerId, config = {}, token }: Given): Promise<ActionContext> {
  const secret = "a secret of more than thirty-two bytes for tests";
  const resolved = resolveConfig({ secret, providers: PROVIDERS, ...config }, {}, standardParts, {
    defaultBasePath: "/auth",
  }).config;
  const visitor = createFlowContext(resolved, ORIGIN, new Headers());
  const fitting = await issueCsrfToken(visitor, "");
  const cookie = visitor.jar
    .list()
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
  const all = new Headers({ cookie, ...headers });
  const body = new Map<string, unknown>(token === null ? [] : [["csrfToken", token ?? fitting]]);
  const url = new URL(`${ORIGIN}/auth/signout`);
  const request = { method: "POST", url, headers: all, body, rawBody: undefined } as const;
  return { ...createFlowContext(resolved, ORIGIN, all), request, query: url.searchParams, providerId };
}

async function reasonOf(route: Route, given: Given): Promise<string | null> {
  const context = await contextOf(given);
  if (!needsCsrfToken(route, context)) return null;
  return requireCsrf(context, []).then(
    () => null,
    (error: { type: string; reason: string }) => `${error.type}: ${error.reason}`,
  );
}

const SIGNOUT = ROUTES["POST signout"];
const CALLBACK = ROUTES["POST callback"];

describe("requireCsrf()", () => {
  it.each([
    { "sec-fetch-site": "cross-site" },
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "same-site" },
  ])("rule 1: refuses what another site sent, though its token fits: %o", async (headers) => {
    expect(await reasonOf(SIGNOUT, { headers })).toBe("MissingCSRF: cross-site");
  });

  it.each([
    {},
    { origin: ORIGIN },
    { "sec-fetch-site": "same-origin", origin: ORIGIN },
    { "sec-fetch-site": "same-origin", origin: "null" },
  ])("rule 2: lets the fitting token pass: %o", async (headers) => {
    expect(await reasonOf(SIGNOUT, { headers })).toBe(null);
  });

  it.each([null, "", "0".repeat(64)])("rule 2: refuses the token %j", async (token) => {
    expect(await reasonOf(SIGNOUT, { token })).toBe("MissingCSRF: stale");
  });

  it("rule 2: refuses a token without its cookie", async () => {
    expect(await reasonOf(SIGNOUT, { headers: { cookie: "x=y" } })).toBe("MissingCSRF: stale");
  });

  it.each([
    ["op", null],
    ["credentials", "MissingCSRF: stale"],
    ["unknown", "MissingCSRF: stale"],
    ["__proto__", "MissingCSRF: stale"],
  ])("asks for no token where the provider %s has its state: %j", async (providerId, expected) => {
    expect(await reasonOf(CALLBACK, { providerId, token: null })).toBe(expected);
  });

  it("asks for nothing where the action changes nothing, or the application guards itself", async () => {
    expect(await reasonOf(ROUTES["GET signin"], { token: null })).toBe(null);
    expect(await reasonOf(SIGNOUT, { token: null, config: { skipCSRFCheck } })).toBe(null);
  });
});

describe("ROUTES", () => {
  it("every POST is guarded", () => {
    const unguarded = Object.entries(ROUTES).filter(([key, { csrf }]) => key.startsWith("POST ") && csrf === "none");
    expect(unguarded).toEqual([]);
  });

  it("no GET that changes something runs for HEAD", () => {
    const run = Object.entries(ROUTES).filter(([key, { head }]) => key.startsWith("GET ") && head === "skip");
    expect(run.map(([key]) => key)).toEqual(expect.arrayContaining(["GET session", "GET callback"]));
  });
});
