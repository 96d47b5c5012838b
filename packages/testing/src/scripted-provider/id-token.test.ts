import { describe, expect, it } from "vitest";
import { runCodeFlow } from "../plain-client.ts";
import { createScriptedProvider } from "../scripted-provider.ts";
import { flowWith } from "./plain-requests.ts";
import type { IdTokenScript } from "./script.ts";

describe("idToken script", () => {
  it.each<[IdTokenScript, string]>([
    [{ sign: "xor5a" }, "signature verification failed"],
    [{ sign: "tampered" }, "signature verification failed"],
    [{ sign: "other-key" }, "signature verification failed"],
    [{ sign: "embedded-jwk" }, "no applicable key"],
    [{ sign: "stripped" }, "signature verification failed"],
    [{ sign: "none" }, "Unsupported"],
    [{ sign: "hmac-with-secret" }, "Unsupported"],
    [{ sign: "hmac-with-public-key-pem" }, "Unsupported"],
    [{ sign: "hmac-with-public-key-jwk" }, "Unsupported"],
    [{ header: { set: { alg: "ES256" } } }, "no applicable key"],
    [{ claims: { append: { iss: "1" } } }, '"iss"'],
    [{ claims: { append: { aud: "1" } } }, '"aud"'],
    [{ claims: { set: { aud: [] } } }, '"aud"'],
    [{ claims: { remove: ["sub"] } }, '"sub"'],
    [{ claims: { remove: ["iat"] } }, '"iat"'],
    [{ claims: { shift: { exp: -301 } } }, '"exp"'],
    [{ claims: { append: { nonce: "1" } } }, "nonce: the-nonce1"],
    [{ claims: { remove: ["nonce"] } }, "nonce: undefined"],
    [{ replaceWith: "a.b.c.d.e" }, "Invalid"],
  ])("%o is noticed", async (script, reason) => {
    const op = createScriptedProvider();
    op.script = { idToken: script };
    await expect(runCodeFlow(flowWith(op))).rejects.toThrow(reason);
    expect(op.calls.userinfo).toHaveLength(0);
    op.script = {};
    await expect(runCodeFlow(flowWith(op))).resolves.toBeDefined();
  });

  it("says what it is told, proto keys and arrays included", async () => {
    const op = createScriptedProvider();
    op.script = {
      idToken: {
        claims: { set: { ["__proto__"]: { id: "evil" }, aud: ["cid"] } },
        header: { set: { typ: "at+jwt" }, remove: ["kid"] },
      },
    };
    const { tokens, claims } = await runCodeFlow(flowWith(op));
    const [header = "", payload = ""] = String(tokens.id_token)
      .split(".")
      .map((part) => Buffer.from(part, "base64url").toString());
    expect(JSON.parse(header)).toEqual({ alg: "RS256", typ: "at+jwt" });
    expect(payload).toContain('"__proto__":{"id":"evil"}');
    expect(claims.aud).toEqual(["cid"]);
  });
});
