import { describe, expect, it } from "vitest";
import { createScriptedProvider } from "../scripted-provider.ts";
import { authorizationUrl, redirectUri } from "./plain-requests.ts";
import type { ProviderScript } from "./script.ts";

describe("authorize()", () => {
  it.each([
    [{ client_id: "other" }, "client_id"],
    [{ redirect_uri: "https://evil.example" }, "not registered"],
    [{ redirect_uri: `${redirectUri}/` }, "not registered"],
    [{ response_type: "token" }, "response_type"],
    [{ scope: "email" }, "openid"],
    [{ response_mode: "fragment" }, "response_mode"],
    [{ code_challenge: "x".repeat(43), code_challenge_method: "plain" }, "S256"],
    [{ code_challenge: "x", code_challenge_method: "S256" }, "SHA-256"],
  ])("refuses %o", async (changes, reason) => {
    const op = createScriptedProvider({ redirectUris: [redirectUri] });
    await expect(op.authorize(authorizationUrl(op, changes))).rejects.toThrow(reason);
  });

  it("refuses repeated parameters, strange endpoints and, where required, a missing challenge", async () => {
    const op = createScriptedProvider({ pkce: "required" });
    await expect(op.authorize(authorizationUrl(op))).rejects.toThrow("code_challenge");
    await expect(op.authorize(`${authorizationUrl(op)}&scope=openid`)).rejects.toThrow("repeated");
    await expect(op.authorize("https://evil.example/authorize")).rejects.toThrow("authorization endpoint");
  });

  it.each<[NonNullable<ProviderScript["authorize"]>, string]>([
    [{}, "code=C&state=s&iss=https%3A%2F%2Fop.example.com"],
    [
      { error: { error: "access_denied", error_description: "no" } },
      "error=access_denied&error_description=no&state=s&iss=https%3A%2F%2Fop.example.com",
    ],
    [{ params: { remove: ["iss", "state"] } }, "code=C"],
    [{ params: { remove: ["iss"], replace: { state: "bad", code: "" } } }, "code=&state=bad"],
    [{ params: { remove: ["iss"], duplicate: { state: "EVIL" } } }, "code=C&state=EVIL&state=s"],
    [{ params: { remove: ["iss"], add: { state: "EVIL", error: "x" } } }, "code=C&state=s&state=EVIL&error=x"],
  ])("answers as %o says", async (script, expected) => {
    const op = createScriptedProvider({ responseIss: true });
    op.script = { authorize: script };
    const { url } = await op.authorize(authorizationUrl(op, { state: "s" }));
    expect(url.search.slice(1).replace(op.issued.codes[0] ?? "-", "C")).toBe(expected);
  });

  it("posts a form where the client asks for one", async () => {
    const op = createScriptedProvider();
    const answer = await op.authorize(authorizationUrl(op, { response_mode: "form_post" }), {
      error: { error: "login_required" },
    });
    expect([answer.mode, answer.url.href, String(answer.form)]).toEqual([
      "form_post",
      redirectUri,
      "error=login_required",
    ]);
  });
});
