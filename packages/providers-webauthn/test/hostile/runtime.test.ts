/** Passkeys in a realm that has web standards and nothing else: no `Buffer`, no `process` (safety R61). */
import { createContext, runInContext } from "node:vm";
import { createAuthenticator } from "@cardea/testing";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

/** What every runtime with web standards has, as far as the engine, the library and the script need it. */
const WEB = {
  ...{ AbortController, AbortSignal, Blob, Headers, ReadableStream, Request, Response, URL, URLSearchParams },
  ...{ TextDecoder, TextEncoder, atob, btoa, clearTimeout, console, fetch, setTimeout, structuredClone },
  ...{ Crypto, CryptoKey, SubtleCrypto, crypto },
  // One realm's `instanceof` must hold for what the other realm made.
  ...{ ArrayBuffer, DataView, Error, Promise, TypeError, Uint8Array },
};

/** Registers a passkey, signs out and in again; returns what was answered. The authenticator is outside, as it is in life. */
const SCRIPT = `
import { Passkey } from "@cardea/providers-webauthn";
import { createMemoryAdapter } from "@cardea/testing/memory-adapter";
import { Auth } from "@cardea/core";

const ORIGIN = "https://app.example.com";

globalThis.journey = async (authenticator) => {
  const config = {
    secret: "a secret of more than thirty-two bytes",
    trustHost: true,
    adapter: createMemoryAdapter().adapter,
    providers: [Passkey({ relayingParty: { id: "app.example.com", origin: ORIGIN } })],
    experimental: { enableWebAuthn: true },
    logger: { warn: () => undefined },
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
  const who = async () => (await (await send("/auth/session")).json())?.user.email ?? null;
  const answer = async (action, data) => {
    const form = { action, data, csrfToken: await csrfToken(), callbackUrl: "/dash" };
    return (await send("/auth/callback/passkey", form)).headers.get("location");
  };
  const trace = [typeof Buffer, typeof process];
  const options = async (query) => JSON.stringify((await (await send("/auth/webauthn-options/passkey?" + query)).json()).options);
  const created = await authenticator.create(await options("action=register&email=ann@example.com"));
  trace.push(await answer("register", created), await who());
  trace.push((await send("/auth/signout", { csrfToken: await csrfToken() })).status, await who());
  trace.push(await answer("authenticate", await authenticator.get(await options("action=authenticate"))), await who());
  return JSON.stringify(trace);
};
`;

describe("passkeys in a runtime without Buffer and process", () => {
  it("R61 are registered and sign in", async () => {
    const stdin = { contents: SCRIPT, resolveDir: import.meta.dirname, loader: "ts" } as const;
    const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "iife", platform: "browser" });
    const device = createAuthenticator();
    const authenticator = {
      create: async (options: string) => JSON.stringify(await device.create(JSON.parse(options))),
      get: async (options: string) => JSON.stringify(await device.get(JSON.parse(options))),
    };
    const realm = createContext({ ...WEB, authenticator });
    runInContext(outputFiles[0]?.text ?? "", realm);
    const trace: unknown = JSON.parse(await runInContext("journey(authenticator)", realm));
    const home = "https://app.example.com/dash";
    expect(trace).toEqual([
      ...["undefined", "undefined"],
      ...[home, "ann@example.com"],
      ...[302, null],
      ...[home, "ann@example.com"],
    ]);
  });
});
