import { inspect } from "node:util";
import type { ClientAuthentication, ScriptedProviderOptions } from "@cardea/testing";
import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import { setUp } from "../../test/harness/harness.ts";
import { attempt, calls, expectNoSignIn, expectSignedIn, OAUTH2 } from "../../test/harness/oauth-journeys.ts";
import type { OAuthProvider } from "../model/oauth-provider.ts";

/** A sign-in of a client that proves itself by the method, at a provider that takes nothing else. */
function client(method: ClientAuthentication, op: ScriptedProviderOptions = {}, provider: Partial<OAuthProvider> = {}) {
  return setUp({
    op: { clientAuthentication: [method], ...op },
    provider: { client: { token_endpoint_auth_method: method }, ...provider },
  });
}

const METHODS = "token_endpoint_auth_methods_supported";

describe("clientAuthentication()", () => {
  it.each(["client_secret_basic", "client_secret_post", "client_secret_jwt"] as const)(
    "proves the client by %s",
    async (method) => {
      const c = client(method);
      await expectSignedIn(c, await attempt(c));
      const [token] = c.op.calls.token;
      const ways = {
        client_secret_basic: token?.headers.authorization?.startsWith("Basic "),
        client_secret_post: token?.params.has("client_secret"),
        client_secret_jwt: token?.params.has("client_assertion"),
      };
      expect(Object.entries(ways).filter(([, isUsed]) => isUsed === true)).toEqual([[method, true]]);
    },
  );

  it("sends id and secret in HTTP Basic so that they are read with and without decoding", async () => {
    const ids = ["407-a1.apps.example.com", "GOCSPX-a_b.c~d"] as const;
    const c = client("client_secret_basic", { clientId: ids[0], clientSecret: ids[1] });
    await expectSignedIn(c, await attempt(c));
    const { authorization = "" } = c.op.calls.token[0]?.headers ?? {};
    expect(atob(authorization.slice("Basic ".length))).toBe(ids.join(":"));
  });

  it("proves a public client by nothing but its id", async () => {
    const c = client("none", { clientSecret: null }, { clientSecret: undefined });
    await expectSignedIn(c, await attempt(c));
    const [token] = c.op.calls.token;
    expect(token?.headers).not.toHaveProperty("authorization");
    expect([token?.params.get("client_id"), token?.params.has("client_secret")]).toEqual(["cid", false]);
  });

  it.each<[readonly ClientAuthentication[] | undefined, ClientAuthentication]>([
    [undefined, "client_secret_basic"],
    [["client_secret_post", "client_secret_basic"], "client_secret_basic"],
    [["client_secret_post"], "client_secret_post"],
    [["none", "private_key_jwt", "client_secret_jwt", "client_secret_post"], "client_secret_post"],
    [["private_key_jwt", "client_secret_jwt"], "client_secret_jwt"],
    [["private_key_jwt"], "client_secret_basic"],
  ])(
    "without a configured method, at a server that announces %j, proves the client by %s",
    async (announced, method) => {
      const c = setUp({ op: { clientAuthentication: [method] } });
      const metadata = announced === undefined ? { remove: [METHODS] } : { set: { [METHODS]: announced } };
      c.op.script = { metadata };
      await expectSignedIn(c, await attempt(c));
    },
  );

  it("keeps the configured method, whatever the server announces", async () => {
    const c = client("client_secret_basic");
    c.op.script = { metadata: { set: { [METHODS]: ["client_secret_post"] } } };
    await expectSignedIn(c, await attempt(c));
  });

  it("proves the client by private_key_jwt, for the issuer alone, each time with another id", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const clientKeys = [{ ...(await exportJWK(publicKey)), kid: "one" }];
    const token = { clientPrivateKey: { key: privateKey, kid: "one" } };
    const c = client("private_key_jwt", { clientSecret: null, clientKeys }, { clientSecret: undefined, token });
    for (let n = 0; n < 2; n++) await expectSignedIn(c, await attempt(c));
    const claims = c.op.calls.token.map(({ params }) => {
      const [, payload = ""] = (params.get("client_assertion") ?? "").split(".");
      return Object(JSON.parse(Buffer.from(payload, "base64url").toString()));
    });
    expect(claims.map(({ aud, iss, sub }) => [aud, iss, sub])).toEqual(
      Array(2).fill(["https://op.example.com", "cid", "cid"]),
    );
    expect(claims[0].jti).not.toBe(claims[1].jti);
    expect(claims[0].exp - claims[0].iat).toBeLessThanOrEqual(60);
  });

  it.each(["private_key_jwt", "client_secret_jwt"] as const)(
    "proves the client by %s to the token endpoint of a provider whose issuer is not known",
    async (method) => {
      const { privateKey, publicKey } = await generateKeyPair("ES256");
      const clientKeys = [await exportJWK(publicKey)];
      const op = { ...OAUTH2.op, clientKeys, ...(method === "private_key_jwt" ? { clientSecret: null } : {}) };
      const token = { url: "https://op.example.com/token", params: { a: "1" }, clientPrivateKey: privateKey };
      const c = client(method, op, { ...OAUTH2.provider, issuer: undefined, token });
      c.op.script = { token: { skip: ["client"] } };
      await expectSignedIn(c, await attempt(c));
      const [, payload = ""] = (c.op.calls.token[0]?.params.get("client_assertion") ?? "").split(".");
      expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({ aud: token.url, iss: "cid" });
    },
  );

  it("H287 keeps a secret that a function made out of the log, whatever the provider says", async () => {
    const made = "canary-of-a-secret-made-just-now";
    const c = client("client_secret_post", { clientSecret: made }, { clientSecret: () => made });
    c.plant(made);
    c.op.script = { token: { status: 400, raw: JSON.stringify({ error: "invalid_client", error_description: made }) } };
    await expectNoSignIn(c, await attempt(c));
    expect(calls(c).token).toBe(1);
    expect(inspect(c.logs, { depth: null })).toContain("invalid_client");
  });

  it("signs no one in when the provider does not take the client's word", async () => {
    const wrong = setUp({ provider: { clientSecret: "canary-of-a-wrong-client-secret" } });
    wrong.plant("canary-of-a-wrong-client-secret");
    await expectNoSignIn(wrong, await attempt(wrong));
    const other = client("client_secret_post", { clientAuthentication: ["client_secret_basic"] });
    await expectNoSignIn(other, await attempt(other));
  });
});
