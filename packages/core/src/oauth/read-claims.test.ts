import { inspect } from "node:util";
import type { IdTokenScript, ProviderScript, ScriptedProviderOptions } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUp } from "../../test/harness/harness.ts";
import {
  attempt,
  calls,
  expectNoSignIn,
  expectSignedIn,
  OAUTH2,
  setUpWired,
} from "../../test/harness/oauth-journeys.ts";
import type { SignInCallbackParams } from "../model/callbacks.ts";
import type { OAuthProvider } from "../model/oauth-provider.ts";
import type { Profile } from "../model/records.ts";

/** A server whose ID tokens contain only what OpenID Connect requires, such as Authelia, AD FS and Keycloak's lightweight tokens. */
const MINIMAL: ScriptedProviderOptions = { claimsIn: "userinfo" };

const USER = { sub: "user-subject-1815", name: "Ada Lovelace", email: "ada@example.com", email_verified: true };

const without = (...names: string[]): IdTokenScript => ({ claims: { remove: names } });

function prepare(op: ScriptedProviderOptions, script: ProviderScript = {}, provider: Partial<OAuthProvider> = {}) {
  const facts: SignInCallbackParams[] = [];
  const signIn = (params: SignInCallbackParams) => facts.push(params) > 0;
  const c = setUp({ op: { user: USER, ...op }, provider, config: { callbacks: { signIn } } });
  c.op.script = script;
  const warnings = () => c.logs.filter(({ level }) => level === "warn").map(({ text }) => text);
  return { c, facts, warnings };
}

describe("readClaims()", () => {
  it("asks the userinfo endpoint for nothing that is in the ID token", async () => {
    const { c, warnings } = prepare({});
    await expectSignedIn(c, await attempt(c));
    expect([calls(c).userinfo, warnings()]).toEqual([0, []]);
  });

  it.each([
    ["everything", MINIMAL, {}],
    ["the name", {}, { idToken: without("name") }],
    ["the address", {}, { idToken: without("email", "email_verified") }],
    ["the address, which is null", {}, { idToken: { claims: { set: { email: null }, remove: ["email_verified"] } } }],
  ])("completes an ID token that lacks %s (docs/from-authjs.md#missing-claims)", async (_, op, script) => {
    const { c, facts, warnings } = prepare(op, script);
    await expectSignedIn(c, await attempt(c));
    expect(await c.session()).toMatchObject({ user: { name: USER.name, email: USER.email } });
    expect(facts[0]?.profile).toMatchObject(USER);
    expect([calls(c).userinfo, warnings()]).toEqual([1, []]);
  });

  it("reads the requested scopes from the URL of the endpoint as well", async () => {
    const { c } = prepare(
      MINIMAL,
      {},
      { authorization: "https://op.example.com/authorize?scope=openid%20email%20profile" },
    );
    await expectSignedIn(c, await attempt(c));
    expect(await c.session()).toMatchObject({ user: { email: USER.email } });
  });

  it.each([
    ["openid", MINIMAL, {}],
    ["openid email", { user: { sub: USER.sub, email: USER.email } }, {}],
    ["openid profile", { user: { sub: USER.sub, preferred_username: "ada" } }, {}],
    ["openid profile email", MINIMAL, { token: { patch: { set: { scope: "openid" } } } }],
  ])("asks for no claims but those of scopes that were requested and granted: %s", async (scope, op, script) => {
    const { c, warnings } = prepare(op, script, { authorization: { params: { scope } } });
    await expectSignedIn(c, await attempt(c));
    expect([calls(c).userinfo, warnings()]).toEqual([0, []]);
  });

  it("takes precedence of the ID token, and an address with its own `email_verified`", async () => {
    const { c, facts } = prepare(
      {},
      {
        idToken: { claims: { set: { tid: "tenant-7", email_verified: true }, remove: ["email", "name"] } },
        userinfo: { patch: { set: { tid: "tenant-8", email: "eve@example.com" }, remove: ["email_verified"] } },
      },
      { allowDangerousEmailAccountLinking: true },
    );
    await expectSignedIn(c, await attempt(c));
    const { profile } = facts[0] ?? {};
    expect(profile).toMatchObject({ tid: "tenant-7", name: USER.name, email: "eve@example.com" });
    expect(profile).not.toHaveProperty("email_verified");
  });

  it.each([
    [USER.email, true],
    ["eve@example.com", undefined],
  ])("lets userinfo vouch for no address but its own: %s", async (email, email_verified) => {
    const script = { idToken: without("email_verified", "name"), userinfo: { patch: { set: { email } } } };
    const { c, facts } = prepare({}, script);
    await expectSignedIn(c, await attempt(c));
    expect(facts[0]?.profile).toMatchObject({ name: USER.name, email: USER.email });
    expect(facts[0]?.profile?.email_verified).toBe(email_verified);
  });

  it.each([
    [["email", "email_verified"], 1, true],
    [["email"], 0, undefined],
  ])("asks whether the address is verified, if the metadata announce %j", async (claims, asked, email_verified) => {
    const metadata = { set: { claims_supported: claims } };
    const { c, facts, warnings } = prepare({}, { metadata, idToken: without("email_verified") });
    await expectSignedIn(c, await attempt(c));
    expect([calls(c).userinfo, facts[0]?.profile?.email_verified, warnings()]).toEqual([asked, email_verified, []]);
  });

  it("does not let `verifiedEmail` combine two documents", async () => {
    const seen: unknown[] = [];
    const verifiedEmail = (document: Profile) => {
      seen.push(document.is_checked);
      return document.is_checked === true ? document.email : null;
    };
    const script = { idToken: { claims: { set: { is_checked: true }, remove: ["email"] } } };
    const { c } = prepare({}, script, { verifiedEmail });
    await expectSignedIn(c, await attempt(c));
    expect(seen).toEqual([undefined]);
  });

  it("refuses the userinfo response of another user (OIDC Core §5.3.2)", async () => {
    const { c } = prepare(MINIMAL, { userinfo: { patch: { set: { sub: "user-subject-1816" } } } });
    await expectNoSignIn(c, await attempt(c));
    const request = () => ({ sub: "user-subject-1816", name: "Eve" });
    const byHook = prepare(MINIMAL, {}, { userinfo: { request } });
    await expectNoSignIn(byHook.c, await attempt(byHook.c));
  });

  it("completes an ID token with `userinfo.request`", async () => {
    const { c } = prepare(MINIMAL, {}, { userinfo: { request: () => ({ sub: USER.sub, name: "Ada" }) } });
    await expectSignedIn(c, await attempt(c));
    expect(await c.session()).toMatchObject({ user: { name: "Ada" } });
  });

  it.each<[string, ProviderScript]>([
    ["there is no userinfo endpoint", { metadata: { remove: ["userinfo_endpoint"] } }],
    ["so does the userinfo response", { userinfo: { body: { sub: USER.sub } } }],
    ["could not be read", { userinfo: { status: 403 } }],
    ["could not be read", { userinfo: { raw: "<html>" } }],
    ["could not be read", { userinfo: { network: "refused" } }],
  ])("signs in by the ID token and warns once if %s: %j", async (reason, script) => {
    const { c, warnings } = prepare(MINIMAL, script);
    for (let n = 0; n < 2; n++) await expectSignedIn(c, await attempt(c));
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toContain(
      'missing-claims: ID tokens of provider "op" lack the claims of the scope "profile email"',
    );
    expect(warnings()[0]).toContain(reason);
  });

  it("warns of the claims alone that are missing from both", async () => {
    const { c, warnings } = prepare({ ...MINIMAL, user: { sub: USER.sub, name: USER.name } });
    await expectSignedIn(c, await attempt(c));
    expect(warnings()).toEqual([expect.stringContaining('the scope "email", and so does the userinfo response')]);
  });

  it("logs the text of an error of the userinfo endpoint, bounded and without the access token", async () => {
    let token = "";
    const c = setUpWired(async (honest, url, init) => {
      if (!url.endsWith("/userinfo")) return honest(url, init);
      token = (new Headers(init.headers).get("authorization") ?? "").replace("Bearer ", "");
      return new Response(`<h1>not allowed: ${token}</h1>${"x".repeat(10_000)}`, { status: 403 });
    }, OAUTH2);
    await expectNoSignIn(c, await attempt(c));
    const log = inspect(c.logs, { depth: null });
    expect([log.includes("not allowed"), log.includes("403")]).toEqual([true, true]);
    expect([token.length > 8, log.includes(token), log.includes("x".repeat(300))]).toEqual([true, false, false]);
  });
});
