import { Auth } from "@cardea/core";
import { createScriptedProvider } from "@cardea/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serializeCookie } from "../http/serialize-cookie.ts";
import { type AuthConfig, raw, skipCSRFCheck } from "../model/config.ts";
import { CredentialsSignin } from "../model/errors.ts";
import { customFetch } from "../model/oauth-provider.ts";
import { toCookie } from "./respond-raw.ts";

const op = createScriptedProvider();
const config: AuthConfig & { raw: typeof raw } = {
  secret: "a secret of more than thirty-two bytes for tests",
  trustHost: true,
  logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  raw,
  skipCSRFCheck,
  providers: [
    {
      ...{ id: "op", name: "Provider", type: "oidc", issuer: op.issuer, clientId: op.clientId, clientSecret: "x" },
      [customFetch]: op.fetch,
    },
    {
      ...{ id: "credentials", name: "Password", type: "credentials", credentials: { name: {} } },
      authorize: ({ name }) => (name === "Ann" ? { id: "7", name: "Ann" } : null),
    },
  ],
};

function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return new Request(`https://app.example.com/auth/${path}`, {
    method: "POST",
    headers,
    body: new URLSearchParams(fields),
  });
}

describe("Auth() with raw", () => {
  it("resolves to the redirect and the cookies of a sign-in", async () => {
    const answer = await Auth(post("callback/credentials", { name: "Ann", callbackUrl: "/a" }), config);
    expect(answer).toMatchObject({ status: 302, redirect: "https://app.example.com/a" });
    const session = answer.cookies?.find(({ name }) => name === "__Host-cardea.session-token");
    expect(session?.value).toMatch(/^[\w-]+\./);
    expect(session?.options).toMatchObject({ httpOnly: true, secure: true, path: "/", sameSite: "lax" });
    const { cookies = [] } = answer;
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const read = await Auth(new Request("https://app.example.com/auth/session", { headers: { cookie } }), config);
    expect(read.body).toMatchObject({ user: { name: "Ann" } });
  });

  it("leads to a provider", async () => {
    const answer = await Auth(post("signin/op", {}), config);
    expect(new URL(answer.redirect ?? "").origin).toBe(op.issuer);
  });

  it("rejects with the error, or redirects where the client follows URLs itself", async () => {
    const wrong = () => post("callback/credentials", { name: "Bob" });
    await expect(Auth(wrong(), config)).rejects.toBeInstanceOf(CredentialsSignin);
    const headers = { "x-auth-return-redirect": "1" };
    const answer = await Auth(post("callback/credentials", { name: "Bob" }, headers), config);
    expect(answer.body).toMatchObject({ url: expect.stringContaining("error=CredentialsSignin") });
  });

  it("answers pages as text", async () => {
    const page = await Auth(new Request("https://app.example.com/auth/signin"), config);
    expect([page.status, page.body]).toEqual([200, expect.stringContaining("<!doctype html>")]);
  });
});

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const text = (characters: RegExp) => fc.stringMatching(characters, { size: "small" });

const anyCookie = fc.record({
  name: text(/^[\w.-]{1,20}$/),
  value: text(/^[\w.=%-]{0,40}$/),
  options: fc.record({
    domain: some(text(/^[a-z]{1,9}\.example$/)),
    expires: some(fc.integer({ min: 0, max: 4e9 }).map((seconds) => new Date(seconds * 1000))),
    httpOnly: some(fc.constant(true)),
    maxAge: some(fc.integer({ min: 0, max: 1e9 })),
    partitioned: some(fc.constant(true)),
    path: some(text(/^\/[A-Za-z=]{0,9}$/)),
    priority: some(fc.constantFrom("low" as const, "medium" as const, "high" as const)),
    sameSite: some(fc.constantFrom("lax" as const, "strict" as const, "none" as const)),
    secure: some(fc.constant(true)),
  }),
});

describe("toCookie()", () => {
  it("reads every cookie that is written", () => {
    fc.assert(
      fc.property(anyCookie, (cookie) => {
        expect(toCookie(serializeCookie(cookie))).toEqual(cookie);
      }),
    );
  });

  it("keeps a value as it is encoded, and each attribute in its own type", () => {
    const line = "a=b%20c=; Max-Age=60; Path=/x; Expires=Thu, 01 Jan 1970 00:00:01 GMT; HttpOnly; SameSite=Strict";
    const options = { maxAge: 60, path: "/x", expires: new Date(1000), httpOnly: true, sameSite: "strict" };
    expect(toCookie(line)).toEqual({ name: "a", value: "b%20c=", options });
  });
});
