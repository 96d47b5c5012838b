import { createAuth } from "@cardea/core";
import {
  createBrowser,
  createScriptedProvider,
  type ScriptedProvider,
  type ScriptedProviderOptions,
} from "@cardea/testing";
import { describe, expect, it, vi } from "vitest";
import type { SignInCallbackParams } from "../model/callbacks.ts";
import { customFetch, type OAuthProvider } from "../model/oauth-provider.ts";

const ISSUER = "https://op.example.com";
const OAUTH2 = {
  type: "oauth",
  authorization: `${ISSUER}/authorize`,
  token: { url: `${ISSUER}/token` },
  userinfo: { url: `${ISSUER}/userinfo` },
} as const;

/** Signs in through a scripted provider; what `callbacks.signIn` got, or the error. */
async function signIn(
  overrides: Partial<OAuthProvider>,
  server: ScriptedProviderOptions = {},
  prepare: (op: ScriptedProvider) => unknown = () => {},
  posted: Record<string, string> = {},
) {
  const op = createScriptedProvider({ issuer: ISSUER, ...server });
  await prepare(op);
  const facts: SignInCallbackParams[] = [];
  const warnings: string[] = [];
  const errors: Error[] = [];
  const common = { id: "op", name: "Provider", clientId: "cid", clientSecret: "csecret", [customFetch]: op.fetch };
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes",
    trustHost: true,
    logger: { error: (error) => errors.push(error), warn: (code) => warnings.push(code), debug: () => {} },
    providers: [{ type: "oidc", issuer: ISSUER, ...common, ...overrides }],
    callbacks: { signIn: (params) => facts.push(params) > 0 },
  });
  const browser = createBrowser(handlers.GET);
  const begun = await browser.submit(await browser.navigate("/auth/signin"), { action: "/auth/signin/op" });
  const url = new URL(begun.redirectsTo ?? "about:blank");
  const { url: back, form } = await op.authorize(url);
  for (const [name, value] of Object.entries(posted)) form?.set(name, value);
  const { redirectsTo } = await browser.navigate(back, { form, initiator: op.issuer });
  const [reason] = errors.map(({ cause }): unknown => Object(cause).err?.message);
  return { op, url, redirectsTo, warnings, reason, ...facts[0] };
}

/** Members as JavaScript may write them. */
function asWritten(members: object): Partial<OAuthProvider> {
  return members;
}

describe("hooks of a provider", () => {
  it("token.request makes the token request, and what it returns is judged", async () => {
    const { account, op } = await signIn(
      {
        ...OAUTH2,
        token: {
          url: `${ISSUER}/token`,
          async request({ params, checks, provider, fetch }) {
            const body = new URLSearchParams({
              grant_type: "authorization_code",
              client_id: provider.clientId ?? "",
              client_secret: "csecret",
              code: params.code ?? "",
              code_verifier: checks.code_verifier ?? "",
              redirect_uri: provider.callbackUrl,
            });
            return { tokens: await (await fetch(`${ISSUER}/token`, { method: "POST", body })).json() };
          },
        },
      },
      { type: "oauth2" },
    );
    expect(account).toMatchObject({ providerAccountId: "1815", token_type: "bearer" });
    expect(op.calls.token).toHaveLength(1);
  });

  it("receive the endpoints as they would be requested, with the `params` that an application adds", async () => {
    const urls: unknown[] = [];
    await signIn(
      {
        ...OAUTH2,
        token: {
          url: `${ISSUER}/token?a=1`,
          params: { b: "2" },
          request: ({ provider }) => {
            urls.push(Object(provider.token).url);
            return { access_token: "token" };
          },
        },
        userinfo: {
          url: `${ISSUER}/userinfo?fields=id&v=1`,
          params: { fields: "id,name", none: undefined },
          request: ({ provider }) => {
            urls.push(Object(provider.userinfo).url);
            return { id: "1815" };
          },
        },
      },
      { type: "oauth2" },
    );
    expect(urls).toEqual([new URL(`${ISSUER}/token?a=1&b=2`), new URL(`${ISSUER}/userinfo?fields=id%2Cname&v=1`)]);
  });

  it("receive the endpoints of the metadata", async () => {
    const urls: unknown[] = [];
    const request: Extract<OAuthProvider["userinfo"], object>["request"] = ({ provider }) => {
      urls.push(Object(provider.userinfo).url, Object(provider.token).url);
      return { sub: "user-subject-1815" };
    };
    await signIn({ idToken: false, userinfo: { params: { a: "1" }, request } });
    expect(urls).toEqual([new URL(`${ISSUER}/userinfo?a=1`), new URL(`${ISSUER}/token`)]);
  });

  it("userinfo.conform rewrites the answer", async () => {
    const conform = async (answer: Response) => Response.json({ ...(await answer.json()), email_verified: true });
    const { profile } = await signIn({ ...OAUTH2, userinfo: { ...OAUTH2.userinfo, conform } }, { type: "oauth2" });
    expect(profile).toMatchObject({ id: 1815, email_verified: true });
  });

  it("a parameter may depend on the client, or be an object", async () => {
    const client_key = ({ clientId }: { clientId: string }) => clientId;
    const { url, op } = await signIn(
      {
        ...OAUTH2,
        authorization: { url: `${ISSUER}/authorize`, params: { client_key, claims: { id_token: { email: null } } } },
        token: {
          url: `${ISSUER}/token?v=1`,
          params: { client_key, "api-version": 7 },
          body: { client_key, extra: "x" },
        },
        userinfo: { url: `${ISSUER}/userinfo`, params: { client_key } },
      },
      { type: "oauth2" },
    );
    expect(url.searchParams.get("claims")).toBe('{"id_token":{"email":null}}');
    const asked = [url.searchParams, op.calls.token[0]?.params, new URL(op.calls.userinfo[0]?.url ?? "").searchParams];
    expect(asked.map((params) => params?.get("client_key"))).toEqual(["cid", "cid", "cid"]);
    const [token] = op.calls.token;
    expect(Object.fromEntries(new URL(token?.url ?? "").searchParams)).toEqual({
      v: "1",
      client_key: "cid",
      "api-version": "7",
    });
    expect([token?.params.has("api-version"), token?.params.get("extra"), token?.params.has("code")]).toEqual([
      false,
      "x",
      true,
    ]);
  });

  it("a URL may be an object wherever it may be text, but not the issuer", async () => {
    const at = (path: string) => new URL(`${ISSUER}/${path}`);
    const authorization = at("authorize?prompt=login&max_age=0&scope=openid");
    const members = {
      wellKnown: at(".well-known/openid-configuration"),
      jwks_endpoint: at("jwks"),
      token: at("token"),
    };
    for (const given of [authorization, { url: authorization }]) {
      const { url, account } = await signIn(asWritten({ ...members, userinfo: at("userinfo"), authorization: given }));
      expect(Object.fromEntries(url.searchParams)).toMatchObject({ prompt: "login", max_age: "0", scope: "openid" });
      expect(account?.providerAccountId).toBe("user-subject-1815");
    }
    await expect(signIn(asWritten({ issuer: new URL(ISSUER) }))).rejects.toThrow("`providers[0].issuer`");
    const proxy = asWritten({ redirectProxyUrl: new URL("https://proxy.example.com/auth/") });
    await expect(signIn(proxy)).rejects.toThrow("No handler for https://proxy.example.com");
  });

  it("clientSecret may be a function of the client", async () => {
    const clientSecret = async ({ clientId }: { clientId: string }) => `secret of ${clientId}`;
    const { account } = await signIn({ clientSecret }, { clientSecret: "secret of cid" });
    expect(account?.providerAccountId).toBe("user-subject-1815");
  });

  it.each([
    ...["token_type", "refresh_token", "scope", "expires_in"].flatMap((name) => [
      [name, null] as const,
      [name, ""] as const,
    ]),
    ...[["expires_in", -1] as const, ["expires_in", "soon"] as const, ["id_token", ""] as const],
  ])("`%s` of a token response counts as absent where it is %j", async (name, value) => {
    for (const [type, members] of [["oidc", {}] as const, ["oauth2", OAUTH2] as const]) {
      if (type === "oidc" && name === "id_token") continue;
      const { account } = await signIn(members, { type }, (op) => {
        op.script = { token: { patch: { set: { [name]: value } } } };
      });
      expect(account?.token_type).toBe("bearer");
      if (name !== "token_type") expect(account).not.toHaveProperty(name);
    }
  });

  it("a token without `token_type` is a bearer token", async () => {
    for (const [type, members] of [["oidc", {}] as const, ["oauth2", OAUTH2] as const]) {
      const { account } = await signIn(members, { type }, (op) => {
        op.script = { token: { patch: { remove: ["token_type"] } } };
      });
      expect(account?.token_type).toBe("bearer");
    }
  });
});

describe("a callback URL that the provider will not take", () => {
  const refuseCallbackUrl = (url: string) => `${url} is not registered`;

  it.each([
    ["production", ["callback-url: https://app.example.com/auth/callback/op is not registered"]],
    ["development", []],
  ])("is warned about in %s: %j", async (mode, expected) => {
    vi.stubEnv("NODE_ENV", mode);
    const { warnings } = await signIn({ refuseCallbackUrl });
    expect(warnings).toEqual(expected);
    vi.unstubAllEnvs();
  });
});

describe("a server of many tenants", () => {
  const COMMON = "https://login.example.com/common/v2.0";
  const MINE = "https://login.example.com/tenant-7/v2.0";
  const asMicrosoft = (iss: string) => (op: ScriptedProvider) => {
    op.script = {
      metadata: { set: { issuer: "https://login.example.com/{tenantid}/v2.0" } },
      idToken: { claims: { set: { tid: "tenant-7", iss } } },
    };
  };
  const idTokenIssuer = ({ tid }: Readonly<Record<string, unknown>>) => `https://login.example.com/${tid}/v2.0`;

  it("takes an ID token of the tenant that the token names", async () => {
    const { account } = await signIn({ issuer: COMMON, idTokenIssuer }, { issuer: COMMON }, asMicrosoft(MINE));
    expect(account?.providerAccountId).toBe("user-subject-1815");
  });

  it.each([COMMON, "https://login.example.com/tenant-8/v2.0"])("refuses one that %s issued", async (iss) => {
    const { redirectsTo } = await signIn({ issuer: COMMON, idTokenIssuer }, { issuer: COMMON }, asMicrosoft(iss));
    expect(redirectsTo).toContain("error=OAuthCallbackError");
  });

  it.each([
    [undefined, null],
    [COMMON, null],
    [MINE, null],
    ["https://login.example.com/tenant-8/v2.0", `must be "${MINE}"`],
    ["https://login.example.com:8443/tenant-7/v2.0", `must be "${COMMON}"`],
    ["https://evil.example/tenant-7/v2.0", `must be "${COMMON}"`],
    ["tenant-7", `must be "${COMMON}"`],
  ])("may name the tenant of the ID token in its response, and no other issuer: %s", async (iss, expected) => {
    const given = await signIn({ issuer: COMMON, idTokenIssuer }, { issuer: COMMON }, (op) => {
      asMicrosoft(MINE)(op);
      if (iss !== undefined) op.script = { ...op.script, authorize: { params: { replace: { iss } } } };
    });
    expect(given.account?.providerAccountId).toBe(expected === null ? "user-subject-1815" : undefined);
    if (expected !== null)
      expect(given.reason).toContain(`${expected}, but its authorization response contains "${iss}"`);
    // The code of another server is not sent to this one.
    expect(given.op.calls.token).toHaveLength(expected?.includes(COMMON) ? 0 : 1);
  });

  it("is not one of which a response may name a tenant where one tenant is configured", async () => {
    const { redirectsTo } = await signIn({ issuer: MINE }, { issuer: MINE }, (op) => {
      op.script = { authorize: { params: { replace: { iss: "https://login.example.com/tenant-8/v2.0" } } } };
    });
    expect(redirectsTo).toContain("error=OAuthCallbackError");
  });

  it("is not one where `wellKnown` is the document of one tenant", async () => {
    const wellKnown = `${COMMON}/.well-known/openid-configuration`;
    const by = (issuer: string) =>
      signIn({ issuer: COMMON, idTokenIssuer, wellKnown }, { issuer: COMMON }, (op) => {
        op.script = { metadata: { set: { issuer } }, idToken: { claims: { set: { tid: "tenant-7", iss: MINE } } } };
      });
    expect((await by("https://login.example.com/{tenantid}/v2.0")).account).toBeDefined();
    await expect(by(MINE)).rejects.toThrow("/auth/signin is not its authorization endpoint");
  });

  it("is known by the mark of providers written for Auth.js v5, too", async () => {
    const marked = { issuer: COMMON, [Symbol("conform-internal")]: true };
    const prepare = (op: ScriptedProvider) => {
      op.script = { idToken: { claims: { set: { tid: "tenant-7", iss: MINE } } } };
    };
    expect((await signIn(marked, { issuer: COMMON }, prepare)).account).toBeDefined();
    expect((await signIn({ issuer: COMMON }, { issuer: COMMON }, prepare)).account).toBeUndefined();
  });

  /** The published keys name their issuer, as those of Microsoft do. */
  const withKeyOf = (issuer: string, tid: string) => async (op: ScriptedProvider) => {
    const keys = (await op.keys.jwks()).keys.map((key) => JSON.parse(JSON.stringify({ ...key, issuer })));
    const iss = `https://login.example.com/${tid}/v2.0`;
    op.script = { jwks: { body: { keys } }, idToken: { claims: { set: { tid, iss } } } };
  };
  const TEMPLATE = "https://login.example.com/{tenantid}/v2.0";
  const ofKey: NonNullable<OAuthProvider["idTokenIssuer"]> = ({ tid }, _issuer, key) =>
    String(key?.issuer ?? TEMPLATE).replace("{tenantid}", String(tid));
  const PROVIDERS: Partial<OAuthProvider>[] = [{ idTokenIssuer: ofKey }, { [Symbol("conform-internal")]: true }];

  it.each(PROVIDERS)("a key verifies only tokens of the issuer that it names: %o", async (members) => {
    const by = (issuer: string) =>
      signIn({ issuer: COMMON, ...members }, { issuer: COMMON }, withKeyOf(issuer, "tenant-7"));
    expect((await by(MINE)).account).toBeDefined();
    expect((await by(TEMPLATE)).account).toBeDefined();
    const stolen = await by("https://login.example.com/tenant-8/v2.0");
    expect([stolen.account, stolen.redirectsTo?.includes("error=OAuthCallbackError")]).toEqual([undefined, true]);
  });

  it.each([
    ["common", "tenant-7", true],
    ["common", "9188040d-6c67-4c5b-b112-36a304b66dad", true],
    ["organizations", "tenant-7", true],
    ["organizations", "9188040d-6c67-4c5b-b112-36a304b66dad", false],
    ["consumers", "tenant-7", false],
    ["consumers", "9188040d-6c67-4c5b-b112-36a304b66dad", true],
  ])("marked for Auth.js v5, %s covers the tenant %s: %s", async (tenants, tid, isCovered) => {
    const issuer = `https://login.example.com/${tenants}/v2.0`;
    const marked = { issuer, [Symbol("conform-internal")]: true };
    const { account } = await signIn(marked, { issuer }, withKeyOf(TEMPLATE, tid));
    expect(account !== undefined).toBe(isCovered);
  });
});

describe("an issuer", () => {
  it.each([
    [ISSUER, `${ISSUER}/`],
    [`${ISSUER}/realms/app/`, `${ISSUER}/realms/app`],
  ])("is compared exactly, and the log shows both: %s and %s", async (iss, issuer) => {
    const at = (path: string) => `${ISSUER}/${path}`;
    const members = { issuer, authorization: at("authorize"), token: at("token"), jwks_endpoint: at("jwks") };
    for (const [responseIss, source] of [[true, "authorization response"] as const, [false, "ID token"] as const]) {
      const { redirectsTo, reason } = await signIn(members, { responseIss }, (op) => {
        const params = responseIss ? { replace: { iss } } : {};
        op.script = { authorize: { params }, idToken: { claims: { set: { iss } } } };
      });
      expect(redirectsTo).toContain("error=OAuthCallbackError");
      expect(reason).toContain(`must be "${issuer}", but its ${source} contains "${iss}"`);
    }
  });
});

describe("a name in the posted answer", () => {
  const formPost: Partial<OAuthProvider> = {
    authorization: { params: { scope: "openid", response_mode: "form_post" } },
  };

  it("becomes `user.name` of the profile, and nothing else of it does", async () => {
    const user = JSON.stringify({ name: { firstName: "Ada" }, email: "eve@example.com" });
    const { profile } = await signIn(formPost, {}, undefined, { user });
    expect(profile?.user).toEqual({ name: { firstName: "Ada" } });
  });

  it.each(["", "no JSON", "null", "[]", "7", '{"name":null}'])("may be malformed: %j", async (user) => {
    const { account, profile } = await signIn(formPost, {}, undefined, { user });
    expect(account?.providerAccountId).toBe("user-subject-1815");
    expect(profile).not.toHaveProperty("user");
  });
});

describe("an ID token signed with the client secret", () => {
  const client = { id_token_signed_response_alg: "HS256" };
  const hmac = (op: ScriptedProvider) => {
    op.script = { idToken: { sign: "hmac-with-secret" } };
  };

  it("is taken where the client registered HS256", async () => {
    expect((await signIn({ client }, {}, hmac)).account?.providerAccountId).toBe("user-subject-1815");
  });

  it.each([undefined, ["HS256"], ["RS256", "HS256"]])(
    "is refused without that registration, and the log names it, where %j are announced",
    async (algorithms) => {
      const { redirectsTo, reason } = await signIn({}, {}, (op) => {
        const set = { id_token_signing_alg_values_supported: algorithms ?? null };
        op.script = { idToken: { sign: "hmac-with-secret" }, metadata: { set } };
      });
      expect(redirectsTo).toContain("error=OAuthCallbackError");
      expect(reason).toMatch(/is signed with HS256, .*`client\.id_token_signed_response_alg` to this algorithm/);
    },
  );

  it("is expected where the client registered it: the log names both algorithms", async () => {
    const { reason } = await signIn({ client }, {});
    expect(reason).toContain("is signed with RS256, but HS256 is expected");
  });

  it.each(["hmac-with-public-key-pem", "stripped", "none", "ok"] as const)("is refused when it is %s", async (sign) => {
    const { redirectsTo } = await signIn({ client }, {}, (op) => {
      op.script = { idToken: { sign } };
    });
    expect(redirectsTo).toContain("error=OAuthCallbackError");
  });
});
