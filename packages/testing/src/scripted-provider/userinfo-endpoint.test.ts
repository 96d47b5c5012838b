import { describe, expect, it } from "vitest";
import { runCodeFlow } from "../plain-client.ts";
import { createScriptedProvider } from "../scripted-provider.ts";
import { flowWith } from "./plain-requests.ts";

describe("userinfo script", () => {
  it("takes the token where it says, never from the query", async () => {
    const op = createScriptedProvider();
    const { tokens } = await runCodeFlow(flowWith(op));
    const token = String(tokens.access_token);
    const ask = async (url: string, init?: RequestInit) =>
      (await op.fetch(`https://op.example.com/userinfo${url}`, init)).status;
    const post = { method: "POST", body: new URLSearchParams({ access_token: token }) };
    const header = { headers: { authorization: `bearer ${token}` } };
    expect([await ask("", header), await ask("", post), await ask(`?access_token=${token}`)]).toEqual([200, 401, 401]);
    op.script = { userinfo: { transport: "body" } };
    expect([await ask("", header), await ask("", post)]).toEqual([401, 200]);
  });

  it("answers with changed, other or signed claims", async () => {
    const op = createScriptedProvider();
    op.script = { userinfo: { patch: { append: { sub: "invalid" } } } };
    expect((await runCodeFlow(flowWith(op))).userinfo.sub).toBe("user-subject-1815invalid");
    const { tokens } = await runCodeFlow(flowWith(op));
    const ask = () =>
      op.fetch("https://op.example.com/userinfo", { headers: { authorization: `Bearer ${tokens.access_token}` } });
    for (const body of ["x", 42, null, [], { error: "no" }]) {
      op.script = { userinfo: { body } };
      expect(await (await ask()).json()).toEqual(body);
    }
    op.script = { userinfo: { signed: true } };
    const signed = await ask();
    expect([signed.headers.get("content-type"), (await signed.text()).split(".").length]).toEqual([
      "application/jwt",
      3,
    ]);
  });
});
