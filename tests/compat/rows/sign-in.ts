import { createMemoryAdapter } from "@cardea/testing";
import { expect } from "vitest";
import { type Library, type Observations, ORIGIN, oauth, oidc, password, site } from "./library.ts";

const profile = { id: "1", name: "Ann", email: "ann@example.com" };
const session = (given: { session: object; token?: object }) => ({ ...given.session, token: given.token });

/** A provider that sends links, and the links that it sent. */
function email(given: object = {}) {
  const sent: { readonly identifier: string; readonly url: string }[] = [];
  const provider = {
    ...{ id: "email", name: "E-mail", type: "email", from: "us@example.com", maxAge: 3600, options: {} },
    sendVerificationRequest: (one: { identifier: string; url: string }) => void sent.push(one),
    ...given,
  };
  return { sent, provider };
}

/** An application with a database, a user whose address was never proven, and a provider that sends links. */
async function withLinks(library: Library, given: object = {}, others: readonly object[] = []) {
  const { adapter } = createMemoryAdapter();
  const { sent, provider } = email(given);
  const one = site(library, { adapter, session: { strategy: "jwt" }, providers: [provider, ...others] });
  const mail = (address: string) => one.post("signin/email", { email: address });
  const plant = () => adapter.createUser({ ...profile, id: "", emailVerified: null, image: null });
  return { ...one, adapter, sent, mail, plant };
}

const PROVIDER_ERROR = { error: expect.any(String) };
const queryOf = (location: string) => Object.fromEntries(new URL(location, ORIGIN).searchParams);

export const SIGN_IN: Observations = {
  linking: async (library) => {
    const { adapter } = createMemoryAdapter();
    await adapter.createUser({ ...profile, id: "", emailVerified: null, image: null });
    const { provider, handler } = oauth(library, profile, { allowDangerousEmailAccountLinking: true });
    const one = site(library, { adapter, session: { strategy: "jwt" }, providers: [provider] });
    await one.signInWith(handler);
    expect(await adapter.getUserByAccount({ provider: "op", providerAccountId: "1" })).toBe(null);
  },
  "email-other-browser": async (library) => {
    const one = await withLinks(library);
    await one.mail("ann@example.com");
    const page = await one.handle(new Request(one.sent[0]?.url ?? ""));
    expect([page.status, page.headers.getSetCookie().some((line) => line.includes("session-token"))]).toEqual([
      200,
      false,
    ]);
  },
  "unproven-address": async (library) => {
    const one = await withLinks(library, {}, [oauth(library, profile).provider]);
    await one.plant();
    await one.mail("ann@example.com");
    await one.browser.navigate(one.sent[0]?.url ?? "");
    expect(one.names().filter((name) => name.includes("session-token"))).toEqual([]);
  },
  "unproven-account": async (library) => {
    const { adapter } = createMemoryAdapter();
    await adapter.createUser({ name: "Ann", email: "ann@example.com", id: "", emailVerified: null, image: null });
    const { provider, handler } = oidc(library, {}, { email_verified: true });
    const one = site(library, { adapter, session: { strategy: "jwt" }, providers: [provider] });
    const { location } = await one.signInWith(handler);
    expect(location).toContain("confirm-address");
  },
  "email-verified-oauth": async (library) => {
    const { adapter } = createMemoryAdapter();
    const { provider, handler } = oidc(library, {}, { email_verified: true });
    const one = site(library, { adapter, session: { strategy: "jwt" }, providers: [provider] });
    await one.signInWith(handler);
    expect((await adapter.getUserByEmail("ann@example.com"))?.emailVerified).toEqual(expect.any(Date));
  },
  "email-addresses": async (library) => {
    const one = await withLinks(library);
    for (const address of ["ann@example.com,eve@evil.example", '"a"@example.com', "a\u200bb@example.com", "a@nowhere"])
      await one.mail(address);
    expect(one.sent).toEqual([]);
    await one.mail(" Ann@Example.com ");
    expect(one.sent.map(({ identifier }) => identifier)).toEqual(["ann@example.com"]);
  },
  "normalize-identifier": async (library) => {
    const one = await withLinks(library, { normalizeIdentifier: (text: string) => `${text},eve@evil.example` });
    await one.mail("ann@example.com");
    expect(one.sent).toEqual([]);
  },
  "email-rate": async (library) => {
    const one = await withLinks(library);
    for (let n = 0; n < 7; n += 1) await one.mail("rate@example.com");
    expect(one.sent).toHaveLength(5);
  },
  "allow-attempt": async (library) => {
    const asked: string[] = [];
    const authorize = (fields: Partial<Record<string, unknown>>) => {
      asked.push("authorize");
      return password.authorize(fields);
    };
    const allowAttempt = () => {
      asked.push("allowAttempt");
      return false;
    };
    const one = site(library, { providers: [{ ...password, authorize }], callbacks: { allowAttempt } });
    await one.signIn();
    expect([asked, await one.session()]).toEqual([["allowAttempt"], {}]);
  },
  "credentials-fields": async (library) => {
    const seen: object[] = [];
    const authorize = (fields: object) => {
      seen.push({ ...fields });
      return null;
    };
    const { post } = site(library, { providers: [{ ...password, authorize }] });
    await post("callback/credentials", { username: "ann", role: "admin" });
    expect(seen).toEqual([{ username: "ann" }]);
  },
  "credentials-database": async (library) => {
    const { adapter } = createMemoryAdapter();
    const { ask } = site(library, { adapter, session: { strategy: "database" } });
    expect((await ask("providers")).status).toBe(200);
  },
  "unknown-provider": async (library) => {
    for (const name of ["nothing", "undefined"]) {
      expect((await site(library).post(`signin/${name}`)).href).toBe(`${ORIGIN}/auth/error`);
    }
  },
  "callback-url": async (library) => {
    for (const callbackUrl of ["non-relative", "a", "javascript:alert(1)"]) {
      const one = site(library);
      const headers = { cookie: `${library.cookie("callback-url")}=${callbackUrl}` };
      const answers = [await one.ask(`session?callbackUrl=${callbackUrl}`), await one.ask("session", { headers })];
      expect([answers.map(({ status }) => status), one.logged]).toEqual([[200, 200], []]);
    }
  },
  "error-values": async (library) => {
    const { provider } = oauth(library, profile, { checks: ["state"] });
    const { ask } = site(library, { providers: [provider] });
    const answer = await ask("callback/op?code=x&state=y");
    const { origin, pathname, searchParams } = new URL(answer.headers.get("location") ?? "");
    expect([origin, pathname, searchParams.get("error")]).toEqual([ORIGIN, "/auth/signin", "OAuthCallbackError"]);
  },
  "redirect-canonical": async (library) => {
    const seen: string[] = [];
    const redirect = ({ url, baseUrl }: { url: string; baseUrl: string }) => {
      seen.push(url);
      return url.startsWith("/") ? `${baseUrl}${url}` : baseUrl;
    };
    const one = site(library, { callbacks: { redirect } });
    for (const callbackUrl of ["/a?b", "//evil.example", "/\\evil.example", "/\tc"])
      await one.post("callback/credentials", { username: "ann", callbackUrl });
    const expected = ["/a?b", "https://evil.example/", `${ORIGIN}/c`];
    expect(seen.filter((url, index) => seen.indexOf(url) === index)).toEqual(expected);
  },
  "redirect-schemes": async (library) => {
    const redirect = ({ url }: { url: string }) => url;
    const to = (url: string, given: object = {}) =>
      site(library, { callbacks: { redirect }, ...given }).post("callback/credentials", {
        username: "ann",
        callbackUrl: url,
      });
    expect((await to("myapp://done", { redirectSchemes: ["myapp"] })).href).toBe("myapp://done");
    for (const url of ["javascript:alert(1)", "data:text/html,x", "myapp://done"])
      expect((await to(url)).href).toBe(`${ORIGIN}/`);
    for (const scheme of ["javascript", "data", "file", "blob"])
      expect(() => library.start({ providers: [], redirectSchemes: [scheme] })).toThrow("redirectSchemes");
  },
  "authorization-params": async (library) => {
    const authorization = { url: "https://op.example.com/authorize", params: { scope: "one", hd: "example.com" } };
    const { provider } = oauth(library, profile, { authorization });
    const asked = await site(library, { providers: [provider] }).post("signin/op?hd=evil.example&scope=two");
    expect(queryOf(asked.href)).toMatchObject({ hd: "example.com", scope: "one two" });
  },
  "id-required": async (library) => {
    const { provider, handler } = oauth(library, { name: "Ann", email: "ann@example.com" });
    const one = site(library, { providers: [provider] });
    expect(queryOf((await one.signInWith(handler)).location)).toEqual(PROVIDER_ERROR);
  },
  "id-numbers": async (library) => {
    const { provider, handler } = oauth(library, '{"id":9007199254740993,"name":"Ann","email":"ann@example.com"}');
    const account = (given: { token: object; account?: { providerAccountId: string } | null }) => ({
      ...given.token,
      ...(given.account == null ? {} : { account: given.account.providerAccountId }),
    });
    const one = site(library, { providers: [provider], callbacks: { session, jwt: account } });
    await one.signInWith(handler);
    expect(await one.session()).toMatchObject({ token: { account: "9007199254740993" } });
  },
  "subject-without-database": async (library) => {
    const { provider, handler } = oauth(library, profile);
    const one = site(library, { providers: [provider], callbacks: { session } });
    await one.signInWith(handler);
    expect(await one.session()).toMatchObject({ token: { sub: "op|1" } });
  },
  "email-claim": async (library) => {
    for (const [address, isProven] of [
      ["ann@example.com", true],
      ["another@example.com", false],
    ] as const) {
      const { adapter } = createMemoryAdapter();
      const mapped = { profile: () => ({ id: "1", name: "Ann", email: address }) };
      const { provider, handler } = oidc(library, mapped, { email_verified: true });
      await site(library, { adapter, session: { strategy: "jwt" }, providers: [provider] }).signInWith(handler);
      expect([address, (await adapter.getUserByEmail(address))?.emailVerified !== null]).toEqual([address, isProven]);
    }
  },
  "issuer-exact": async (library) => {
    const { provider, handler } = oidc(library);
    const one = site(library, { providers: [{ ...provider, issuer: `${provider.issuer}/` }] });
    await one.signInWith(handler).catch(() => undefined);
    expect(one.names().filter((name) => name.includes("session-token"))).toEqual([]);
  },
  "provider-addresses": async (library) => {
    for (const inside of ["http://localhost:9000/authorize", "http://10.0.0.7/authorize"]) {
      const { provider } = oidc(library, {}, {}, { authorization_endpoint: inside });
      const { href } = await site(library, { providers: [provider] }).post("signin/op");
      expect(href).not.toContain(inside);
    }
  },
  "state-always": async (library) => {
    for (const checks of [undefined, ["pkce"], []] as const) {
      const { provider } = oauth(library, profile, checks === undefined ? {} : { checks });
      const asked = await site(library, { providers: [provider] }).post("signin/op");
      expect(queryOf(asked.href).state).toEqual(expect.any(String));
    }
  },
  "repeated-parameters": async (library) => {
    const { provider, handler } = oauth(library, profile);
    const one = site(library, { providers: [provider] });
    const twice = async (request: Request) => {
      const answer = await handler(request);
      const location = answer.headers.get("location")?.replace("code=c", "code=other&code=c") ?? "";
      return new Response(null, { status: 302, headers: { location } });
    };
    await one.signInWith(twice);
    expect(one.names().filter((name) => name.includes("session-token"))).toEqual([]);
  },
};
