import { describe, expect, it } from "vitest";
import { createScriptedProvider } from "../scripted-provider.ts";

describe("metadata script", () => {
  it("changes members, and follows endpoints within the origin", async () => {
    const op = createScriptedProvider();
    op.script = { metadata: { append: { issuer: "INVALID", jwks_uri: "/k3y5" }, remove: ["userinfo_endpoint"] } };
    const metadata = (await (
      await op.fetch("https://op.example.com/.well-known/openid-configuration")
    ).json()) as Record<string, string>;
    expect(metadata.issuer).toBe("https://op.example.comINVALID");
    expect(metadata).not.toHaveProperty("userinfo_endpoint");
    expect((await op.fetch(metadata.jwks_uri ?? "")).status).toBe(200);
    op.script = { metadata: { set: { token_endpoint: "http://op.example.com/token" } } };
    await expect(op.fetch("http://op.example.com/token", { method: "POST" })).rejects.toThrow("fetch failed");
  });
});
