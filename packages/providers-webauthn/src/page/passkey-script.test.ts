import { Auth, type AuthConfig } from "@cardea/core";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { Passkey } from "../index.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { PASSKEY_SCRIPT_HASH } from "./passkey-script-hash.ts";

const BASE = "https://app.example.com/auth";
const password = {
  id: "password",
  name: "Password",
  type: "credentials",
  credentials: {},
  authorize: () => null,
} as const;
const passkey = Passkey();

function ask(path: string, providers: AuthConfig["providers"] = [password, passkey], init: RequestInit = {}) {
  return Auth(new Request(`${BASE}/${path}`, init), {
    providers,
    adapter: createMemoryAdapter().adapter,
    experimental: { enableWebAuthn: true },
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  });
}

/** The URL of the script below the base, as the sign-in page names it. */
async function scriptPath(): Promise<string> {
  const [, src = ""] = /<script src="([^"]*)"/.exec(await (await ask("signin")).text()) ?? [];
  return src.replace(`${BASE}/`, "");
}

describe("webauthnScript()", () => {
  it("answers with the script that the page names, which may be kept for good, and sets no cookie", async () => {
    const answer = await ask(await scriptPath());
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(PASSKEY_SCRIPT);
    expect(Object.fromEntries(answer.headers)).toEqual({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
  });

  it.each(["", "?v=", "?v=another", "?v=__proto__"])(
    "is asked for again each time under another version: %j",
    async (query) => {
      const answer = await ask(`webauthn-script${query}`);
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(await answer.text()).toBe(PASSKEY_SCRIPT);
    },
  );

  it("is the same for everyone: cookies and queries change nothing", async () => {
    const headers = { cookie: "__Host-cardea.session-token=x; a=b", "x-auth-return-redirect": "1" };
    const answer = await ask(`${await scriptPath()}&callbackUrl=x`, undefined, { headers });
    expect(await answer.text()).toBe(PASSKEY_SCRIPT);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it("answers HEAD without the script, and no other method", async () => {
    const head = await ask("webauthn-script", undefined, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await ask("webauthn-script", undefined, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await ask("webauthn-script/passkey")).status).toBe(404);
  });

  it("is not there without passkeys", async () => {
    const answer = await ask("webauthn-script", [password]);
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toContain("=>");
  });
});

describe("the policy of the sign-in page", () => {
  const policyOf = async (path: string, providers?: AuthConfig["providers"]) =>
    ((await ask(path, providers)).headers.get("content-security-policy") ?? "").split("; ");

  it("H296 allows the one script by its address and its hash, and to ask this site, where there are passkeys", async () => {
    for (const path of ["signin", "signin/passkey", "signin?error=Callback"]) {
      expect((await policyOf(path)).slice(0, 3)).toEqual([
        "default-src 'none'",
        `script-src ${BASE}/webauthn-script '${PASSKEY_SCRIPT_HASH}'`,
        "connect-src 'self'",
      ]);
    }
  });

  it("H296 allows no script anywhere else", async () => {
    for (const path of ["signout", "error", "verify-request"]) {
      expect((await policyOf(path)).join()).not.toMatch(/script-src|connect-src/);
    }
    expect((await policyOf("signin", [password])).join()).not.toMatch(/script-src|connect-src/);
  });
});
