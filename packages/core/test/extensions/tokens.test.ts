/** What extensions are told of the tokens of providers (docs/extensions.md#laws). */

import { createAuth } from "@cardea/core";
import type { OAuthProvider } from "@cardea/core/providers";
import { defineExtension, type ExtensionSpec, type GrantedTokens, handleOf } from "@cardea/extend";
import { expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { cookieHeader, ORIGIN, setUp } from "../harness/harness.ts";
import { begin, comeBack, OAUTH2 } from "../harness/oauth-journeys.ts";
import "../harness/watch-cases.ts";

const STRATEGIES = ["jwt", "database"] as const;

function signIns(
  spec: Partial<ExtensionSpec>,
  strategy: (typeof STRATEGIES)[number] = "database",
  provider: Partial<OAuthProvider> = {},
) {
  const granted: GrantedTokens[] = [];
  const onTokens = (given: GrantedTokens) => void granted.push(given);
  const extension = defineExtension({ id: "keeper", onTokens, ...spec });
  const c = setUpDatabase({ strategy, provider, config: { extensions: [extension] } });
  const signIn = async () => comeBack(c, await begin(c));
  const account = async () => c.memory.adapter.getAccount(granted[0]?.account.providerAccountId ?? "", "op");
  return { c, granted, signIn, account };
}

it.each(STRATEGIES)("tells of the tokens at each sign-in, with the session that follows (%s)", async (strategy) => {
  const sids: string[] = [];
  const { c, granted, signIn } = signIns({ onSession: ({ sid }) => void sids.push(sid) }, strategy);
  await signIn();
  await c.signOut();
  await signIn();
  expect(granted.map(({ sid }) => sid)).toEqual(sids);
  expect(granted.map(({ tokens }) => tokens.access_token)).toEqual(c.op.issued.accessTokens);
  expect(new Set(granted.map(({ userId }) => userId)).size).toBe(1);
  expect(granted[0]?.account).toMatchObject({ provider: "op", type: "oidc" });
});

it.each(STRATEGIES)("tells of the tokens that account() selects (%s)", async (strategy) => {
  const { c, granted, signIn } = signIns({}, strategy, { account: ({ access_token }) => ({ access_token }) });
  await signIn();
  const [access_token] = c.op.issued.accessTokens;
  expect(granted[0]?.tokens).toEqual({ ...granted[0]?.account, access_token });
});

it("leaves the tokens of accounts to an extension that keeps them, for new users and for linked accounts", async () => {
  for (const keepsTokens of [undefined, true] as const) {
    const { signIn, account } = signIns({ ...(keepsTokens && { keepsTokens }) });
    await signIn();
    const stored = await account();
    expect(stored).toMatchObject({ provider: "op" });
    expect("access_token" in Object(stored)).toBe(keepsTokens === undefined);
    expect("id_token" in Object(stored)).toBe(keepsTokens === undefined);
  }
});

it("signs in all the same when it throws, and logs that", async () => {
  const onTokens = () => {
    throw new Error("column is too short");
  };
  const { c, signIn } = signIns({ onTokens });
  await signIn();
  expect(await c.session()).toMatchObject({ user: {} });
  expect(c.logs.map(({ text }) => text).join()).toContain("onTokens");
});

it("tells nothing of sign-ins without a provider's tokens", async () => {
  const { c, granted } = signIns({});
  await c.ask("ann@example.com");
  await c.open();
  expect(granted).toEqual([]);
});

it("gives functions for server code the sealed cookies of a request, and sets theirs on the answer", async () => {
  const c = setUp({ ...OAUTH2, config: { extensions: [defineExtension({ id: "keeper" })] } });
  const auth = createAuth(c.config);
  const handle = handleOf(auth, "keeper");
  const first = await handle.requestTools({ url: ORIGIN, headers: new Headers() });
  await first.tools.cookies.write("note", { text: "kept" }, 60);
  const answer = new Headers();
  first.addCookies(answer);
  const [cookie = ""] = answer.getSetCookie();
  expect(cookie).toContain("cardea.note=");
  expect(cookie).not.toContain("kept");
  const headers = new Headers({ cookie: `${cookieHeader(c.browser)}; ${cookie.split(";")[0]}` });
  const { tools } = await handle.requestTools({ url: ORIGIN, headers });
  expect(await tools.cookies.read("note")).toMatchObject({ text: "kept" });
});
