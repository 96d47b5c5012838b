import { Auth } from "@cardea/core";
import { createScriptedProvider } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type AuthConfig, raw, skipCSRFCheck } from "../model/config.ts";
import { CredentialsSignin } from "../model/errors.ts";
import { customFetch } from "../model/oauth-provider.ts";

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
