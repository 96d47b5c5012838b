// What a token endpoint can answer to a refresh. Whatever it is: a token that it granted is used, and a refresh token that it replaced is never
// sent again.
import { createAuth } from "@cardea/core";
import { customFetch } from "@cardea/core/providers";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { ReauthRequired, tokenOf, vault } from "./index.ts";

const URL_OF = { authorization: "https://op.example.com/authorize", token: "https://op.example.com/token" };
const METADATA = {
  issuer: "https://op.example.com",
  authorization_endpoint: URL_OF.authorization,
  token_endpoint: URL_OF.token,
  jwks_uri: "https://op.example.com/jwks",
};
const GRANTED = { access_token: "new", refresh_token: "second", token_type: "Bearer", expires_in: 3600 };
const YEAR_2038 = 2 ** 31 - 1;

type Answer = () => Response;

/** An account whose token has ended. The provider answers as listed, then as it should. */
async function setUp(type: "oidc" | "oauth", answers: readonly Answer[]) {
  const sent: (string | null)[] = [];
  const send: typeof fetch = async (input, init) => {
    if (!String(input).endsWith("/token")) return Response.json(METADATA);
    sent.push(new URLSearchParams(String(init?.body)).get("refresh_token"));
    return answers[sent.length - 1]?.() ?? Response.json({ ...GRANTED, access_token: "later", refresh_token: "third" });
  };
  const { adapter } = createMemoryAdapter();
  const urls = { authorization: URL_OF.authorization, token: URL_OF.token, userinfo: "https://op.example.com/me" };
  const at = type === "oidc" ? { issuer: METADATA.issuer } : urls;
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes",
    trustHost: true,
    adapter,
    logger: { error: () => {}, warn: () => {} },
    providers: [{ id: "op", name: "P", type, ...at, clientId: "cid", clientSecret: "secret", [customFetch]: send }],
    extensions: [vault()],
  });
  const user = await adapter.createUser?.({ id: "", email: "ann@example.com", emailVerified: null });
  const userId = user?.id ?? "";
  const former = { access_token: "old", refresh_token: "first", expires_at: 1_000 };
  await adapter.linkAccount?.({ userId, type, provider: "op", providerAccountId: "1", ...former });
  const ask = () => tokenOf(auth, "op", { userId });
  return { ask, sent };
}

const json = (patch: object, status = 200): Answer => {
  return () => Response.json({ ...GRANTED, ...patch }, { status });
};

/** Lifetimes, and the seconds that they mean; undefined: the provider did not say. */
const LIFETIMES: readonly (readonly [unknown, number | undefined])[] = [
  ...([undefined, null, "", "abc", -1, "-1", 0, "0", true, [], {}] as const).map(
    (value) => [value, undefined] as const,
  ),
  [3600, 3600],
  ["3600", 3600],
  [3599.9, 3599],
  [1e12, YEAR_2038],
  [1e300, YEAR_2038],
  ["1e300", YEAR_2038],
];

describe.each(["oidc", "oauth"] as const)("a refresh (%s)", (type) => {
  it.each(LIFETIMES)("takes the lifetime %j for %j seconds", async (expires_in, seconds) => {
    const { ask, sent } = await setUp(type, [json({ expires_in })]);
    const now = Math.floor(Date.now() / 1000);
    const { accessToken, expiresAt } = await ask();
    const expected = seconds === undefined || seconds === YEAR_2038 ? seconds : expect.closeTo(now + seconds, -1);
    expect([accessToken, expiresAt]).toEqual(["new", expected]);
    expect([(await ask()).accessToken, sent]).toEqual(["new", ["first"]]);
  });

  it.each(["refresh_token", "scope", "id_token"])("takes an empty `%s` for none", async (name) => {
    for (const value of [null, ""]) {
      const { ask, sent } = await setUp(type, [json({ [name]: value, expires_in: 30 })]);
      expect([(await ask()).accessToken, (await ask()).accessToken]).toEqual(["new", "later"]);
      expect(sent).toEqual(["first", name === "refresh_token" ? "first" : "second"]);
    }
  });

  const BROKEN: Readonly<Record<string, Answer>> = {
    "a page": () => new Response("<html>", { headers: { "content-type": "text/html" } }),
    "a page, 500": () => new Response("<html>", { status: 500, headers: { "content-type": "text/html" } }),
    "invalid_grant, 500": json({ error: "invalid_grant" }, 500),
    "invalid_grant, 429": json({ error: "invalid_grant" }, 429),
    nothing: () => new Response(null, { status: 204 }),
    "a list": () => Response.json([]),
    "a redirect": () => new Response(null, { status: 302, headers: { location: "https://evil.example.com" } }),
    "no token": json({ access_token: "" }),
    "a number as token": json({ access_token: 5 }),
    invalid_client: json({ error: "invalid_client" }, 401),
  };

  it.each(Object.keys(BROKEN))("fails by %s, and tries again with the next call", async (name) => {
    const { ask, sent } = await setUp(type, [BROKEN[name] as Answer]);
    await expect(ask()).rejects.toThrow(expect.objectContaining({ name: "RefreshFailed" }));
    expect([(await ask()).accessToken, sent]).toEqual(["later", ["first", "first"]]);
  });

  it.each([200, 400, 401, 403])("asks for consent after `invalid_grant` with status %d", async (status) => {
    const { ask, sent } = await setUp(type, [json({ error: "invalid_grant" }, status)]);
    for (let n = 0; n < 2; n++) await expect(ask()).rejects.toBeInstanceOf(ReauthRequired);
    expect(sent).toEqual(["first"]);
  });
});
