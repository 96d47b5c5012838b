import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createClock } from "../clock.ts";
import { runCodeFlow } from "../plain-client.ts";
import { createScriptedProvider } from "../scripted-provider.ts";
import { authorizationUrl, basic, flowWith, redeem, redirectUri } from "./plain-requests.ts";

describe("token endpoint", () => {
  it("takes a code once, within its minute", async () => {
    const clock = createClock();
    const op = createScriptedProvider({ now: clock.now });
    const { code, status } = await redeem(op, {}, basic);
    expect(status).toBe(200);
    expect(await redeem(op, { code }, basic)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    const { url } = await op.authorize(authorizationUrl(op));
    clock.advance({ seconds: 61 });
    expect((await redeem(op, { code: url.searchParams.get("code") ?? "" }, basic)).status).toBe(400);
    op.script = { token: { skip: ["code"] } };
    expect((await redeem(op, { code }, basic)).status).toBe(200);
  });

  it("checks redirect_uri, verifier and the shape of the request", async () => {
    const op = createScriptedProvider();
    expect((await redeem(op, { redirect_uri: `${redirectUri}?` }, basic)).body).toMatchObject({
      error: "invalid_grant",
    });
    expect((await redeem(op, { code_verifier: "x".repeat(43) }, basic)).body).toMatchObject({ error: "invalid_grant" });
    expect((await redeem(op, { grant_type: "password" }, basic)).body).toMatchObject({
      error: "unsupported_grant_type",
    });
    expect((await op.fetch("https://op.example.com/token")).status).toBe(400);
    const failing = flowWith(op, {
      fetch: (url, init) =>
        op.fetch(
          url,
          init && {
            ...init,
            ...(init.body ? { body: String(init.body).replace(/code_verifier=./, "code_verifier=!") } : {}),
          },
        ),
    });
    await expect(runCodeFlow(failing)).rejects.toThrow();
  });

  it("asks the client to prove itself in one allowed way", async () => {
    const op = createScriptedProvider({ clientSecret: "s:e c+r&t" });
    const encoded = { authorization: `Basic ${btoa("cid:s%3Ae+c%2Br%26t")}` };
    const post = { client_id: "cid", client_secret: "s:e c+r&t" };
    expect((await redeem(op, {}, encoded)).status).toBe(200);
    expect((await redeem(op, {}, { authorization: `Basic ${btoa("cid:s:e c+r&t")}` })).status).toBe(401);
    expect((await redeem(op, post)).status).toBe(200);
    expect((await redeem(op, post, encoded)).status).toBe(401);
    expect((await redeem(op, { client_id: "cid" })).body).toMatchObject({ error: "invalid_client" });
    op.script = { token: { clientAuthentication: ["client_secret_basic"] } };
    expect((await redeem(op, post)).status).toBe(401);
    const open = createScriptedProvider({ clientSecret: null });
    expect((await redeem(open, { client_id: "cid" })).status).toBe(200);
  });

  it("takes a signed assertion, once", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const op = createScriptedProvider({ clientSecret: null, clientKeys: [await exportJWK(publicKey)] });
    const assertion = (aud: string) =>
      new SignJWT({ jti: aud })
        .setProtectedHeader({ alg: "ES256" })
        .setIssuer("cid")
        .setSubject("cid")
        .setAudience(aud)
        .setExpirationTime("1m")
        .sign(privateKey);
    const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    const form = { client_assertion_type: type, client_assertion: await assertion(op.issuer) };
    expect((await redeem(op, form)).status).toBe(200);
    expect((await redeem(op, form)).status).toBe(401);
    expect((await redeem(op, { ...form, client_assertion: await assertion("https://evil.example") })).status).toBe(401);
  });

  it("refreshes tokens for anyone who asked for offline_access", async () => {
    const op = createScriptedProvider();
    const { tokens } = await runCodeFlow(flowWith(op, { params: { scope: "openid offline_access" } }));
    const { status, body } = await redeem(
      op,
      { grant_type: "refresh_token", refresh_token: String(tokens.refresh_token) },
      basic,
    );
    expect([status, typeof body]).toEqual([200, "object"]);
    expect(op.issued.idTokens).toHaveLength(2);
  });
});
