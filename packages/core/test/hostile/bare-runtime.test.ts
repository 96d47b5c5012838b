/** The engine in a realm that has web standards and nothing else: no `Buffer`, no `process` (safety R61). */
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

/** What every runtime with web standards has (WinterTC minimum common API), as far as the engine and its script need it. */
const WEB = {
  ...{ AbortController, AbortSignal, Blob, Headers, ReadableStream, Request, Response, URL, URLSearchParams },
  ...{ TextDecoder, TextEncoder, atob, btoa, clearTimeout, console, crypto, fetch, setTimeout, structuredClone },
  // One realm's `instanceof` must hold for what the other realm made.
  ...{ ArrayBuffer, Error, Promise, TypeError, Uint8Array },
};

/** Signs in through a provider and by password, reads the sessions, signs out; returns what was answered. */
const SCRIPT = `
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { Auth } from "./index.ts";
import { customFetch } from "./model/oauth-provider.ts";

const ORIGIN = "https://app.example.com";
const ISSUER = "https://op.example.com";

async function createProvider() {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "one", use: "sig", alg: "RS256" };
  const endpoints = { authorization_endpoint: ISSUER + "/a", token_endpoint: ISSUER + "/t", jwks_uri: ISSUER + "/j" };
  const provider = { nonce: "" };
  const sign = () => new SignJWT({ nonce: provider.nonce, name: "Ada", email: "ada@x.io" }).setProtectedHeader({ alg: "RS256", kid: "one" })
    .setIssuer(ISSUER).setAudience("cid").setSubject("1815").setIssuedAt().setExpirationTime("5m").sign(privateKey);
  provider.fetch = async (url) => {
    const path = new URL(url).pathname;
    if (path === "/j") return Response.json({ keys: [jwk] });
    if (path === "/t") return Response.json({ access_token: "at", token_type: "Bearer", id_token: await sign() });
    return Response.json({ issuer: ISSUER, ...endpoints });
  };
  return provider;
}

globalThis.journey = async () => {
  const provider = await createProvider();
  const client = { issuer: ISSUER, clientId: "cid", clientSecret: "a client secret", [customFetch]: provider.fetch };
  const config = {
    secret: "a secret of more than thirty-two bytes",
    trustHost: true,
    providers: [
      { id: "op", name: "OP", type: "oidc", ...client },
      { id: "door", name: "Door", type: "credentials", credentials: {}, authorize: () => ({ id: "7", name: "Ann" }) },
    ],
  };
  const jar = new Map();
  const send = async (path, form) => {
    const headers = { cookie: [...jar].map((pair) => pair.join("=")).join("; ") };
    const post = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
    const answer = await Auth(new Request(ORIGIN + path, { headers, ...post }), config);
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      value === "" ? jar.delete(name) : jar.set(name, value);
    }
    return answer;
  };
  const csrfToken = async () => (await (await send("/auth/csrf")).json()).csrfToken;
  const who = async () => (await (await send("/auth/session")).json())?.user.name ?? null;
  const trace = [typeof Buffer, typeof process];
  trace.push((await send("/auth/signin")).status);
  const begun = await send("/auth/signin/op", { csrfToken: await csrfToken(), callbackUrl: "/dash" });
  const query = new URL(begun.headers.get("location")).searchParams;
  provider.nonce = query.get("nonce");
  trace.push((await send("/auth/callback/op?code=c&state=" + query.get("state"))).headers.get("location"), await who());
  trace.push((await send("/auth/callback/door", { csrfToken: await csrfToken() })).status, await who());
  trace.push((await send("/auth/signout", { csrfToken: await csrfToken() })).status, await who());
  return JSON.stringify(trace);
};
`;

describe("a runtime without Buffer and process", () => {
  it("R61 signs in through a provider and by password, reads the session and signs out", async () => {
    const stdin = { contents: SCRIPT, resolveDir: `${import.meta.dirname}/../../src`, loader: "ts" } as const;
    const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "iife", platform: "browser" });
    const realm = createContext({ ...WEB });
    runInContext(outputFiles[0]?.text ?? "", realm);
    const trace: unknown = JSON.parse(await runInContext("journey()", realm));
    expect(trace).toEqual([
      ...["undefined", "undefined"],
      200,
      ...["https://app.example.com/dash", "Ada"],
      ...[302, "Ann"],
      ...[302, null],
    ]);
  });
});
