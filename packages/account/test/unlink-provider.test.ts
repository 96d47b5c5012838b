import { type AuthConfig, customFetch } from "@cardea/core";
import { sessions } from "@cardea/sessions";
import { createScriptedProvider } from "@cardea/testing";
import { tokenOf, vault } from "@cardea/vault";
import { describe, expect, it, vi } from "vitest";
import { mailOf, startApplication } from "./open-application.ts";

const ISSUER = "https://op.example.com";

/** An application with an OpenID Provider that revokes tokens, and Ann signed in with her password in one browser. */
async function open(extensions: AuthConfig["extensions"] = [sessions({ revocation: { every: 0.000_001 } })]) {
  vi.stubEnv("AUTH_URL", "https://app.example.com/auth");
  const op = createScriptedProvider({ issuer: ISSUER });
  op.script = { metadata: { set: { revocation_endpoint: `${ISSUER}/revoke` } } };
  const revoked: string[] = [];
  const state = { isDown: false, refresh: Promise.resolve() };
  const fetch = async (input: Request | URL | string, init?: RequestInit) => {
    if (String(init?.body).includes("refresh_token=")) await state.refresh;
    if (!String(input).endsWith("/revoke")) return op.fetch(input, init);
    if (state.isDown) throw new TypeError("fetch failed");
    revoked.push(new URLSearchParams(String(init?.body)).get("token") ?? "");
    return new Response(null);
  };
  const client = {
    clientId: "cid",
    clientSecret: "csecret",
    issuer: ISSUER,
    [customFetch]: fetch,
    authorization: { params: { scope: "openid offline_access" } },
  };
  const app = startApplication({
    config: {
      extensions,
      providers: [
        { id: "op", name: "Provider", type: "oidc", ...client },
        // By which Ann can sign in without the provider.
        {
          ...({ id: "email", name: "E-mail", type: "email", from: "app@example.com", maxAge: 60 } as const),
          sendVerificationRequest: () => {},
        },
        {
          ...({ id: "password", name: "Password", type: "credentials" } as const),
          credentials: { username: {}, password: {} },
          authorize: () => ({ id: "ann", email: "ann@example.com" }),
        },
      ],
    },
  });
  const signInAtProvider = async ({ browser }: ReturnType<typeof app.newBrowser>) => {
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, callbackUrl: "/" });
    const headers = { "x-auth-return-redirect": "1" };
    const { url } = await (await browser.fetch("/auth/signin/op", { method: "POST", body, headers })).json();
    const back = await op.authorize(new URL(url));
    return browser.navigate(back.url, { initiator: ISSUER });
  };
  const [ann, other] = [app.newBrowser(), app.newBrowser()];
  await ann.signIn();
  await signInAtProvider(ann);
  const [account] = app.memory.snapshot().accounts;
  const key = { provider: "op", providerAccountId: account?.providerAccountId ?? "" };
  return { app, op, ann, other, revoked, state, key, account, signInAtProvider };
}

describe("an account at a provider", () => {
  it("is reported when it is linked, also to the address on file", async () => {
    const { app, account } = await open();
    expect(account).toMatchObject({ userId: "ann", provider: "op" });
    const fact = { kind: "method.added", userId: "ann", by: "owner", method: "account", provider: "op" };
    expect(app.facts).toContainEqual(expect.objectContaining(fact));
    await vi.waitFor(() => expect(mailOf(app.mails, "method-added").to).toBe("ann@example.com"));
    expect(mailOf(app.mails, "method-added").text).toContain("Provider can now be used");
  });

  it("loses its tokens at the provider when it is removed (RFC 7009), and the sessions that came from it end", async () => {
    const { app, op, ann, other, revoked, key, signInAtProvider } = await open();
    await signInAtProvider(other);
    expect(await other.session()).toMatchObject({ user: { email: "ann@example.com" } });
    const own = app.newBrowser();
    await own.signIn();
    expect(await own.post("unlink", key)).toMatchObject({ status: 200 });
    expect([op.issued.refreshTokens, op.issued.accessTokens].flat()).toContain(revoked[0]);
    expect(revoked).toHaveLength(1);
    app.clock.advance({ seconds: 3 });
    expect([await other.session(), await ann.session()]).toEqual([null, null]);
    expect(await own.session()).toMatchObject({ user: { email: "ann@example.com" } });
  });

  it("is removed while its provider is down, and the log says what is left", async () => {
    const { app, state, key } = await open();
    state.isDown = true;
    const own = app.newBrowser();
    await own.signIn();
    expect(await own.post("unlink", key)).toMatchObject({ status: 200 });
    expect(app.memory.snapshot().accounts).toEqual([]);
    expect(app.log.join()).toContain("account-tokens-left");
  });

  it("keeps no token of a refresh that was under way when its user asked for the deletion", async () => {
    const { app, op, revoked, state } = await open([sessions({ revocation: { every: 0.000_001 } }), vault()]);
    const { accessToken } = await tokenOf(app.auth, "op", { userId: "ann" });
    let release = () => {};
    state.refresh = new Promise((resolve) => {
      release = resolve;
    });
    const refreshed = tokenOf(app.auth, "op", { userId: "ann", refused: accessToken }).catch(() => null);
    const removed = app.operations.remove("ann");
    release();
    expect(await removed).toMatchObject({ kind: "due" });
    await refreshed;
    expect(revoked).toContain(op.issued.refreshTokens.at(-1));
    await expect(tokenOf(app.auth, "op", { userId: "ann" })).rejects.toMatchObject({ cause: "revoked" });
  });
});
