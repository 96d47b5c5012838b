import { customFetch } from "@cardea/core";
import type { OAuthProvider } from "@cardea/core/providers";
import type { JsonObject } from "../scripted-provider/json.ts";
import type { ProviderScript } from "../scripted-provider/script.ts";
import { flowOf, flowPart, ownPart } from "./authorization-request.ts";
import { contrast } from "./contrast.ts";
import { endpointsOf } from "./endpoints.ts";
import { withEnvironment } from "./environment.ts";
import type { ProviderExpectations, ProviderResponses } from "./expectations.ts";
import { createApplication, type SignInResult, signInAt, standIn } from "./sign-in.ts";
import type { TestRunner } from "./test-runner.ts";

const CLIENT = { clientId: "client-id", clientSecret: "client-secret" };

/** Minimum contrast of text on a button (WCAG 2.2 §1.4.3, level AA). */
const TEXT_CONTRAST = 4.5;

/**
 * The tests that every provider package must pass: complete defaults, the exact authorization request, a complete sign-in at a
 * simulated provider, environment variables, options, ids and appearance.
 *
 * ```ts
 * import { providerContract } from "@cardea/testing";
 * import { describe, expect, it } from "vitest";
 *
 * providerContract({ describe, it, expect }, { provider: Example, id: "example", name: "Example", … });
 * ```
 */
export function providerContract({ describe, it, expect }: TestRunner, expected: ProviderExpectations): void {
  const { id, name } = expected;
  const make = (options: object = {}): OAuthProvider =>
    assumeMake(expected.provider)({ ...CLIENT, ...expected.options, ...options });
  const signIn = (profile: JsonObject, options: object = {}) => {
    const op = standIn(expected, merged(make()), profile);
    return signInAt(op, make({ ...options, [customFetch]: op.fetch }), id);
  };

  describe(`${name}()`, () => {
    it("has complete defaults", () => {
      const { id: ownId, name: ownName, type } = make();
      expect([ownId, ownName]).toEqual([id, name]);
      expect(["oauth", "oidc"].includes(type), "type").toBe(true);
    });

    it("is listed by `providers`", async () => {
      const { browser } = createApplication(make());
      const at = (action: string) => `https://app.example.com/auth/${action}/${id}`;
      const listed = { id, name, type: make().type, signinUrl: at("signin"), callbackUrl: at("callback") };
      expect(await (await browser.navigate("/auth/providers")).json()).toEqual([listed]);
    });

    it("redirects to exactly this authorization URL", async () => {
      const { authorizationUrl } = await signIn(expected.profile);
      expect(ownPart(authorizationUrl)).toBe(expected.authorizationUrl);
      expect(flowPart(authorizationUrl)).toEqual(flowOf(expected, make().type, CLIENT.clientId));
    });

    signInContract({ describe, it, expect }, expected, make, signIn);
    cancellationContract({ describe, it, expect }, expected, make);
    for (const [title, responses] of Object.entries(expected.responses ?? {}))
      responsesContract({ describe, it, expect }, expected, make, title, responses);
    environmentContract({ describe, it, expect }, expected, make);
    selfHostedContract({ describe, it, expect }, expected, make);
    looksContract({ describe, it, expect }, make);

    it("merges options over its defaults", async () => {
      const { authorization = {} } = make();
      const params: Record<string, unknown> = {
        ...(typeof authorization === "object" ? authorization.params : {}),
        scope: "openid other",
        prompt: "login",
      };
      const given = Object(Object(expected.options).authorization);
      const changes = { authorization: { ...given, params: { scope: "openid other", prompt: "login" } } };
      const { authorizationUrl } = await signIn(expected.profile, changes);
      const own = ["scope", "prompt"].map((param) => authorizationUrl.searchParams.get(param));
      expect(own).toEqual(["openid other", "login"]);
      const kept = Object.keys(params).filter(
        (param) => params[param] !== undefined && !authorizationUrl.searchParams.has(param),
      );
      expect(kept, "default parameters that got lost").toEqual([]);
    });
  });
}

function signInContract({ it, expect }: TestRunner, expected: ProviderExpectations, make: Make, signIn: SignIn): void {
  it("signs a user in", async () => {
    const result = await signIn(expected.profile);
    expectSignedIn(expect, result, expected);
    const { user, account } = result.identity ?? {};
    const { id } = expected.user;
    expect([user?.id, account?.providerAccountId, account?.provider]).toEqual([id, id, expected.id]);
  });

  it(emailTitle(expected), async () => {
    const result = await signIn(expected.profile);
    expectClaim(expect, result, expected.emailVerified, await claimOf(make(), result, expected.tokens));
  });

  it("signs in a user of whom only the id is known", async () => {
    const { id, sub } = expected.profile;
    const only = { ...(id === undefined ? {} : { id }), ...(sub === undefined ? {} : { sub }) };
    const { errors, stored } = await signIn(expected.profileWithIdOnly ?? only);
    expect(errors).toEqual([]);
    expect(stored.accounts.map(({ providerAccountId }) => providerAccountId)).toEqual([expected.user.id]);
    expect(stored.users.map(({ name }) => name ?? null)).toEqual([null]);
    expect(JSON.stringify(stored.users).includes("undefined"), "made of absent parts").toBe(false);
  });

  it("rejects a user without an id", async () => {
    const { id: _id, sub: _sub, ...rest } = expected.profile;
    const answer = expected.profileWithoutId ?? rest;
    // Core rejects the text of a missing value, such as "undefined", but `profile()` should not create it in the first place.
    const mapped = new Promise((resolve) => resolve(make().profile?.({ ...answer }, expected.tokens ?? {})));
    expect(Object(await mapped.catch(() => null)).id || null).toBe(null);
    const { session, landedOn } = await signIn(answer);
    expect([landedOn, session]).toEqual(["https://app.example.com/auth/signin?error=OAuthCallbackError", null]);
  });
}

function cancellationContract({ it, expect }: TestRunner, expected: ProviderExpectations, make: Make): void {
  const { id, cancelled = [], profile } = expected;
  for (const error of ["access_denied", ...cancelled])
    it(`shows AccessDenied to a user who cancelled: ${error}`, async () => {
      const op = standIn(expected, merged(make()), profile);
      const { landedOn, errors } = await signInAt(op, make({ [customFetch]: op.fetch }), id, { error: { error } });
      expect([landedOn, errors]).toEqual(["https://app.example.com/auth/error?error=AccessDenied", []]);
    });
}

function responsesContract(
  { it, expect }: TestRunner,
  expected: ProviderExpectations,
  make: Make,
  title: string,
  responses: ProviderResponses,
): void {
  const {
    profile = expected.profile,
    tokens,
    resources,
    script,
    options = {},
    user,
    emailVerified,
    logged,
  } = responses;
  const given = {
    ...expected,
    tokens: { ...expected.tokens, ...tokens },
    resources: { ...expected.resources, ...resources },
  };
  const signIn = () => {
    const op = standIn(given, merged(make()), profile, script);
    return signInAt(op, make({ ...options, [customFetch]: op.fetch }), expected.id, script?.authorize);
  };
  if (logged !== undefined) {
    it(`logs why it rejects ${title}`, async () => {
      const { session, landedOn, log } = await signIn();
      expect([landedOn, session]).toEqual(["https://app.example.com/auth/signin?error=OAuthCallbackError", null]);
      expect(logged.filter((text) => !log.includes(text))).toEqual([]);
    });
    return;
  }
  it(`signs a user in: ${title}`, async () => {
    const result = await signIn();
    expectSignedIn(expect, result, { ...expected, user: { ...expected.user, ...user } });
    const claim = "emailVerified" in responses ? emailVerified : expected.emailVerified;
    expectClaim(expect, result, claim, await claimOf(make(options), result, given.tokens));
  });
}

/** The session has the user, and the stored account has only what its columns accept. */
function expectSignedIn(
  expect: TestRunner["expect"],
  { session, stored, errors }: SignInResult,
  { user: { id, ...shown } }: ProviderExpectations,
): void {
  expect(errors).toEqual([]);
  expect(session?.user).toEqual(shown);
  const [{ providerAccountId, expires_at = 0, ...texts } = { providerAccountId: undefined }] = stored.accounts;
  expect(providerAccountId).toBe(id);
  expect(Number.isSafeInteger(expires_at), "`expires_at` is an integer").toBe(true);
  const wrong = Object.entries(texts).filter(([, value]) => typeof value !== "string" && value !== undefined);
  expect(wrong, "members that are not text").toEqual([]);
}

/** Core stores the address as verified exactly if the provider reports it. */
function expectClaim(
  expect: TestRunner["expect"],
  { stored }: SignInResult,
  expected: boolean | undefined,
  mapped: unknown,
): void {
  expect(String(mapped)).toBe(String(expected));
  expect(stored.users.map(({ emailVerified }) => emailVerified instanceof Date)).toEqual([expected === true]);
}

/** What the profile of a sign-in states about the address, after `profile()`. */
async function claimOf(provider: OAuthProvider, { identity }: SignInResult, tokens: JsonObject = {}): Promise<unknown> {
  const { profile = {} } = identity ?? {};
  const user = assumeUser(await provider.profile?.(profile, tokens));
  return user.emailVerified ?? profile.email_verified;
}

function environmentContract({ it, expect }: TestRunner, expected: ProviderExpectations, make: Make): void {
  const { id } = expected;
  const variable = `AUTH_${id.replace(/[^A-Za-z0-9]/g, "_").toUpperCase()}`;
  const isDiscovered = () => endpointIsDiscovered(merged(make()));
  it(`takes ${variable}_ID, _SECRET and, where endpoints are discovered, _ISSUER from the environment`, async () => {
    const home = "https://self-hosted.example.com";
    const issuer = isDiscovered() ? { issuer: undefined } : {};
    const op = standIn(
      { ...expected, ...(isDiscovered() ? { endpoints: {}, script: elsewhere(expected) } : {}) },
      { ...merged(make()), ...(isDiscovered() ? { issuer: home } : {}) },
      expected.profile,
    );
    const variables = {
      [`${variable}_ID`]: CLIENT.clientId,
      [`${variable}_SECRET`]: CLIENT.clientSecret,
      ...(isDiscovered() ? { [`${variable}_ISSUER`]: home } : {}),
    };
    const result = await withEnvironment(variables, () => {
      const provider = make({ clientId: undefined, clientSecret: undefined, ...issuer, [customFetch]: op.fetch });
      return signInAt(op, provider, id);
    });
    expect(result.errors).toEqual([]);
    expect(result.identity?.account?.providerAccountId).toBe(expected.user.id);
  });
}

/** With another issuer, only the signing method stays the same. */
function elsewhere({ script }: ProviderExpectations): ProviderScript {
  return script?.idToken?.sign === undefined ? {} : { idToken: { sign: script.idToken.sign } };
}

/** A base URL is often copied from the browser, with a slash at its end. */
function selfHostedContract({ it, expect }: TestRunner, { selfHosted }: ProviderExpectations, make: Make): void {
  if (selfHosted === undefined) return;
  it("has its endpoints below a base URL, with or without a slash at its end", () => {
    for (const baseUrl of ["https://git.example.com", "https://example.com/git"])
      for (const end of ["", "/"]) {
        const paths = Object.values(endpointsOf(make(selfHosted(baseUrl + end)))).map((url) => url.split(baseUrl)[1]);
        expect(paths.filter((path) => !/^\/[^/]/.test(path ?? ""))).toEqual([]);
      }
  });
}

function looksContract({ it, expect }: TestRunner, make: Make): void {
  it("has a readable button", () => {
    const { style = {} } = make();
    expect(contrast(style.bg ?? "", style.text ?? "")).toBeGreaterThanOrEqual(TEXT_CONTRAST);
    const isInline = style.logo === undefined || style.logo.startsWith("data:image/svg+xml,");
    expect(isInline, "an image from elsewhere would not be shown").toBe(true);
  });
}

type Make = (options?: object) => OAuthProvider;
type SignIn = (profile: JsonObject, options?: object) => Promise<SignInResult>;

/** The provider for the simulation: its defaults, overridden by the options. */
function merged(provider: OAuthProvider): OAuthProvider {
  return { ...provider, ...Object(provider.options) };
}

function endpointIsDiscovered({ authorization, issuer, type }: OAuthProvider): boolean {
  return (
    type === "oidc" && issuer !== undefined && (authorization === undefined || Object(authorization).url === undefined)
  );
}

function emailTitle({ emailVerified }: ProviderExpectations): string {
  if (emailVerified === undefined) return "does not report whether the address is verified";
  return emailVerified ? "vouches for a verified address" : "does not vouch for the address";
}

function assumeMake(make: ProviderExpectations["provider"]): (options: object) => OAuthProvider {
  return make as (options: object) => OAuthProvider;
}

function assumeUser(user: unknown): { readonly emailVerified?: unknown } {
  return (user ?? {}) as { readonly emailVerified?: unknown };
}
