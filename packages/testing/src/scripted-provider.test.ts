import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createBrowser } from "./browser.ts";
import { createClock } from "./clock.ts";
import { type CodeFlow, runCodeFlow } from "./plain-client.ts";
import type { IdTokenScript, ProviderScript } from "./scripted-provider/script.ts";
import { createScriptedProvider, type ScriptedProvider } from "./scripted-provider.ts";

const redirectUri = "https://app.example.com/auth/callback/op";

function flowWith(op: ScriptedProvider, changes: Partial<CodeFlow> = {}): CodeFlow {
  return {
    issuer: op.issuer,
    clientId: op.clientId,
    clientSecret: op.clientSecret ?? "",
    redirectUri,
    fetch: op.fetch,
    visit: async (url) => {
      const answer = await op.authorize(url);
      return answer.form ?? answer.url.searchParams;
    },
    ...changes,
  };
}

function authorizationUrl(op: ScriptedProvider, changes: Record<string, string> = {}): URL {
  const url = new URL("https://op.example.com/authorize");
  const params = {
    client_id: op.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid email",
    ...changes,
  };
  url.search = new URLSearchParams(params).toString();
  return url;
}

async function redeem(
  op: ScriptedProvider,
  changes: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const { url } = await op.authorize(authorizationUrl(op));
  const code = url.searchParams.get("code") ?? "";
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...changes };
  const response = await op.fetch("https://op.example.com/token", {
    method: "POST",
    body: new URLSearchParams(form),
    headers,
  });
  return { code, status: response.status, body: await response.json() };
}

const basic = { authorization: `Basic ${btoa("cid:csecret")}` };

describe("createScriptedProvider()", () => {
  it("signs a person in, honestly", async () => {
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

  it("refreshes tokens for whoever asked for offline_access", async () => {
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
