import { describe, expect, it } from "vitest";
import { runCodeFlow } from "../plain-client.ts";
import { createScriptedProvider } from "../scripted-provider.ts";
import { flowWith } from "./plain-requests.ts";
import type { ProviderScript } from "./script.ts";

describe("jwks script", () => {
  it("publishes the sets of the OpenID Foundation's suite", async () => {
    const op = createScriptedProvider();
    const kinds = async (script: ProviderScript["jwks"]) => {
      op.script = script === undefined ? {} : { jwks: script };
      const { keys } = (await (await op.fetch("https://op.example.com/jwks")).json()) as {
        keys: Record<string, string>[];
      };
      return keys
        .map((key) => `${key.crv ?? key.kty}-${key.use}-${key.kid === undefined ? "" : "kid"}-${"d" in key}`)
        .sort();
    };
    expect(await kinds(undefined)).toEqual(["RSA-sig-kid-false"]);
    expect(await kinds({ set: "one-of-each", withoutKid: true })).toEqual([
      "Ed25519-sig--false",
      "P-256-enc--false",
      "P-256-sig--false",
      "RSA-enc--false",
      "RSA-sig--false",
      "secp256k1-sig--false",
    ]);
    expect(await kinds({ set: "conformance" })).toHaveLength(8);
    expect(await kinds({ set: "three-of-each" })).toHaveLength(14);
  });

  it("signs with a published key of each set", async () => {
    for (const set of ["conformance", "one-of-each", "three-of-each"] as const) {
      const op = createScriptedProvider();
      op.script = { jwks: { set }, idToken: { sign: { alg: "ES256" } } };
      await expect(runCodeFlow(flowWith(op))).resolves.toBeDefined();
    }
  });

  it("rotates before signing, or when told", async () => {
    const op = createScriptedProvider();
    const before = await op.keys.jwks();
    op.script = { jwks: { rotate: "beforeSign" } };
    await expect(runCodeFlow(flowWith(op))).resolves.toBeDefined();
    const after = await op.keys.jwks();
    expect(after.keys[0]?.kid).not.toBe(before.keys[0]?.kid);
    op.keys.rotate();
    expect((await op.keys.jwks()).keys[0]?.kid).not.toBe(after.keys[0]?.kid);
  });
});
