import { describe, expect, it } from "vitest";
import { createBrowser } from "./browser.ts";
import { type CodeFlow, runCodeFlow } from "./plain-client.ts";
import { authorizationUrl, basic, flowWith, redirectUri } from "./scripted-provider/plain-requests.ts";
import { createScriptedProvider } from "./scripted-provider.ts";

describe("createScriptedProvider()", () => {
  it("signs a user in, honestly", async () => {
    const op = createScriptedProvider();
    const { claims, userinfo, tokens } = await runCodeFlow(flowWith(op));
    expect(claims).toMatchObject({ sub: "user-subject-1815", email: "ada@example.com", email_verified: true });
    expect(userinfo).toEqual(op.user);
    expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "openid profile email" });
    const counts = [
      op.calls.discovery,
      op.calls.jwks,
      op.calls.authorize,
      op.calls.token,
      op.calls.userinfo,
      op.calls.other,
    ];
    expect(counts.map((list) => list.length)).toEqual([1, 1, 1, 1, 1, 0]);
    expect(op.calls.token[0]?.params.get("code")).toBe(op.issued.codes[0]);
    expect(op.issued.idTokens).toEqual([tokens.id_token]);
    op.calls.reset();
    expect(op.calls.token).toEqual([]);
  });

  it.each(["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"] as const)(
    "signs with %s",
    async (signatureAlgorithm) => {
      const op = createScriptedProvider({ signatureAlgorithm, issuer: "https://op.example.com/tenant/" });
      await expect(runCodeFlow(flowWith(op))).resolves.toBeDefined();
    },
  );

  it("chooses the person and the scope's claims", async () => {
    const op = createScriptedProvider({ user: { sub: "1", email: "a@example.com", name: "A", roles: ["x"] } });
    const { claims } = await runCodeFlow(flowWith(op, { params: { scope: "openid email" } }));
    expect(claims).toMatchObject({ sub: "1", email: "a@example.com", roles: ["x"] });
    expect(claims).not.toHaveProperty("name");
    op.user = { sub: "2" };
    expect((await runCodeFlow(flowWith(op))).claims.sub).toBe("2");
    const visit: CodeFlow["visit"] = async (url) => (await op.authorize(url, { user: { sub: "3" } })).url.searchParams;
    expect((await runCodeFlow(flowWith(op, { visit }))).claims.sub).toBe("3");
  });

  it("lives in the browser's routes, form_post included", async () => {
    const op = createScriptedProvider();
    const seen: string[] = [];
    const app = async (request: Request): Promise<Response> => {
      seen.push(
        `${request.method} ${new URL(request.url).searchParams.size} ${(await request.text()).replace(/=.*/, "")}`,
      );
      return new Response();
    };
    const browser = createBrowser(app, { routes: { [op.issuer]: op.handler }, follow: "all" });
    await browser.navigate(authorizationUrl(op, { state: "s" }));
    const page = await browser.navigate(authorizationUrl(op, { state: '"><b>', response_mode: "form_post" }));
    const answer = await browser.submit(page);
    expect(seen).toEqual(["GET 2 ", "POST 0 code"]);
    expect(answer.hops[0]?.requestHeaders.get("origin")).toBe(op.issuer);
  });

  it("is an OAuth 2.0 provider without ID tokens where it is told so", async () => {
    const op = createScriptedProvider({
      type: "oauth2",
      issuer: "https://github.example",
      endpoints: { userinfo: "https://api.github.example/user" },
      resources: { "https://api.github.example/user/emails": [{ email: "ada@example.com" }] },
    });
    expect((await op.fetch("https://github.example/.well-known/oauth-authorization-server")).status).toBe(200);
    await expect(op.fetch("https://github.example/.well-known/openid-configuration")).rejects.toThrow("fetch failed");
    const url = authorizationUrl(op, { scope: "user" });
    url.host = "github.example";
    const code = (await op.authorize(url)).url.searchParams.get("code") ?? "";
    const body = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: redirectUri });
    const response = await op.fetch("https://github.example/token", { method: "POST", body, headers: basic });
    const tokens = (await response.json()) as Record<string, string>;
    expect(tokens).not.toHaveProperty("id_token");
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect(await (await op.fetch("https://api.github.example/user", { headers })).json()).toMatchObject({
      id: 1815,
      login: "ada",
    });
    expect(await (await op.fetch("https://api.github.example/user/emails", { headers })).json()).toHaveLength(1);
    expect((await op.fetch("https://api.github.example/user/emails")).status).toBe(401);
  });

  it("fails like an unreachable host everywhere else", async () => {
    const op = createScriptedProvider();
    for (const url of [
      "https://op.example.com//.well-known/openid-configuration",
      "https://op.example.com/authorize",
      "http://op.example.com/token",
    ]) {
      await expect(op.fetch(url)).rejects.toMatchObject({ cause: { code: "ENOTFOUND" } });
    }
    expect(op.calls.other).toHaveLength(3);
  });
});
