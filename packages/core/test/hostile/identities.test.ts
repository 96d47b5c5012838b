import type { CredentialsProvider, OAuthProvider } from "@cardea/core/providers";
import type { AuthConfig } from "@cardea/core/types";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUp } from "../harness/harness.ts";
import { begin, comeBack, expectNoSignIn, expectSignedIn } from "../harness/oauth-journeys.ts";

const SHOW_SUBJECT: NonNullable<AuthConfig["callbacks"]> = {
  session: ({ session, token }) => ({ ...session, sub: token?.sub }),
};

const other: OAuthProvider = {
  ...{ id: "other-op", name: "Other", type: "oauth", clientId: "x", clientSecret: "canary-other-secret" },
  ...{
    authorization: "https://other.example/a",
    token: "https://other.example/t",
    userinfo: "https://other.example/u",
  },
};

function credentials(id: string, userId: string): CredentialsProvider {
  return { id, name: id, type: "credentials", credentials: { username: {} }, authorize: () => ({ id: userId }) };
}

/** Ids that users could choose, and whether each is that of a user of another provider. */
const IDS: readonly (readonly [id: string, isForeign: boolean])[] = [
  ...(["op|1815", "op|", "op|1|2", "other-op|7", "other-op||"] as const).map((id) => [id, true] as const),
  ...(["op", "1815", "OP|1815", "opx|1", "|op|1", "credentials|1", "form|op|1", "a b|1"] as const).map(
    (id) => [id, false] as const,
  ),
];

describe("subjects without a database", () => {
  it.each(IDS)("a credentials provider that returns the id %s: refused %o", async (id, isForeign) => {
    const c = setUp({ providers: [other, credentials("form", id)], config: { callbacks: SHOW_SUBJECT } });
    const visit = await c.post("/api/auth/callback/form", { username: "eve" });
    expect(await c.session()).toEqual(isForeign ? null : expect.objectContaining({ sub: id }));
    if (!isForeign) return;
    expect(visit.redirectsTo).toContain("error=AccessDenied");
    expect(JSON.stringify(c.logs)).toContain("user's id begins with");
    expect(c.eventNames()).not.toContain("signIn");
  });

  it("the id of an OAuth user has the provider, whatever the provider calls its users", async () => {
    for (const sub of ["1815", "other-op|7", "form|1", "op|1815"]) {
      const c = setUp({ providers: [other], config: { callbacks: SHOW_SUBJECT } });
      c.op.user = { sub };
      await expectSignedIn(c, await comeBack(c, await begin(c)));
      expect(await c.session()).toMatchObject({ sub: `op|${sub}` });
    }
  });

  it("with a database, ids are those of its rows", async () => {
    const { adapter } = createMemoryAdapter();
    const user = await adapter.createUser({ id: "", name: "Ann", email: "ann@example.com", emailVerified: null });
    const row = { ...user, id: "op|1815" };
    const config = { adapter: { ...adapter, getUser: async () => row }, session: { strategy: "jwt" as const } };
    const c = setUp({ providers: [credentials("form", row.id)], config: { ...config, callbacks: SHOW_SUBJECT } });
    await c.post("/api/auth/callback/form", { username: "ann" });
    expect(await c.session()).toMatchObject({ sub: row.id });
  });

  it.each([1, 2])("%i further credentials providers: a warning at start", async (count) => {
    const more = Array.from({ length: count }, (_, at) => credentials(`form-${at}`, "1"));
    const c = setUp({ providers: more });
    await c.session();
    expect(c.logs.filter(({ text }) => text.includes("shared-subjects"))).toHaveLength(1);
  });
});

describe("`iss` of a response, for a provider without issuer", () => {
  const HOST = "https://id.example.com";
  const at = (realm: string, issuer?: string): OAuthProvider => ({
    ...{ id: realm, name: realm, type: "oauth", clientId: "x", clientSecret: `canary-${realm}-secret`, issuer },
    ...{ authorization: `${HOST}/realms/${realm}/auth`, token: `${HOST}/realms/${realm}/token` },
    ...{ userinfo: `${HOST}/realms/${realm}/me`, profile: () => ({ id: "1" }) },
  });

  it.each([
    [`${HOST}/realms/b`, at("b"), true],
    [`${HOST}/realms/b`, at("b", `${HOST}/realms/b`), true],
    [`${HOST}/realms/b/`, at("b"), true],
    [HOST, at("b", HOST), true],
    [`${HOST}/realms/op`, at("b"), false],
    [`${HOST}/realms/op`, at("op2", `${HOST}/realms/op2`), false],
    [HOST, at("b"), false],
    ["https://other.example", other, true],
    ["https://unknown.example", at("b"), false],
  ])("%s beside %o: refused %o", async (iss, neighbour, isRefused) => {
    const own = { ...at("op"), id: "op" };
    const c = setUp({ provider: { ...own, issuer: undefined, type: "oauth" }, providers: [neighbour], alsoTo: [HOST] });
    const sent = await begin(c);
    const answer = new URL(sent.searchParams.get("redirect_uri") ?? "");
    const state = sent.searchParams.get("state") ?? "";
    answer.search = new URLSearchParams({ code: "a-code", state, iss }).toString();
    const visit = await c.browser.navigate(answer, { initiator: HOST });
    await expectNoSignIn(c, visit);
    expect(JSON.stringify(c.logs).includes("issuer of another provider")).toBe(isRefused);
  });
});
