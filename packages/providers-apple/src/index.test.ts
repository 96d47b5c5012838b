import { createAuth, customFetch, type SignInCallbackParams } from "@cardea/core";
import { createBrowser, createScriptedProvider } from "@cardea/testing";
import { exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { ENDPOINTS, ISSUER } from "../test/contract.ts";
import { createClientSecret } from "./client-secret.ts";
import { Apple } from "./index.ts";

const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
const key = { teamId: "TEAM123456", keyId: "KEY1234567", privateKey: await exportPKCS8(privateKey) };

describe("createClientSecret()", () => {
  const start = Date.UTC(2026, 0, 1);
  const verify = (secret: string, at = start) =>
    jwtVerify(secret, publicKey, { audience: ISSUER, issuer: key.teamId, currentDate: new Date(at) });

  it("signs what Apple asks for", async () => {
    const { payload, protectedHeader } = await verify(await createClientSecret(key, () => start)({ clientId: "sid" }));
    expect(protectedHeader).toEqual({ alg: "ES256", kid: key.keyId });
    const iat = start / 1000;
    expect(payload).toEqual({ iss: key.teamId, sub: "sid", aud: ISSUER, iat, exp: iat + 3600 });
  });

  it("renews a minute before the old one expires", async () => {
    let now = start;
    const secret = createClientSecret(key, () => now);
    const first = await secret({ clientId: "sid" });
    now = start + (3600 - 60 - 1) * 1000;
    expect(await secret({ clientId: "sid" })).toBe(first);
    now += 1000;
    const second = await secret({ clientId: "sid" });
    expect((await verify(second, now)).payload.exp).toBe(now / 1000 + 3600);
  });

  it("is for one client", async () => {
    const secret = createClientSecret(key);
    expect(await secret({ clientId: "a" })).not.toBe(await secret({ clientId: "b" }));
  });

  it("takes a key whose line breaks are escaped, as in environment variables", async () => {
    const escaped = { ...key, privateKey: key.privateKey.replaceAll("\n", "\\n") };
    await verify(await createClientSecret(escaped, () => start)({ clientId: "sid" }));
  });

  it.each(["", "text", "-----BEGIN PRIVATE KEY----- ! -----END PRIVATE KEY-----"])(
    "refuses the key %j",
    async (text) => {
      await expect(createClientSecret({ ...key, privateKey: text })({ clientId: "sid" })).rejects.toThrow(".p8");
    },
  );
});

describe("a first sign-in", () => {
  it("proves the client by a signed secret, and learns the name", async () => {
    const op = createScriptedProvider({
      issuer: ISSUER,
      endpoints: ENDPOINTS,
      user: { sub: "1815", email: "ada@example.com", email_verified: "true" },
    });
    op.script = { token: { skip: ["client"] } };
    const users: SignInCallbackParams["user"][] = [];
    const { handlers } = createAuth({
      secret: "a secret of more than thirty-two bytes",
      trustHost: true,
      providers: [Apple({ clientId: "cid", key, [customFetch]: op.fetch })],
      callbacks: { signIn: ({ user }) => users.push(user) > 0 },
    });
    const browser = createBrowser(handlers.GET);
    const begun = await browser.submit(await browser.navigate("/auth/signin"), { action: "/auth/signin/apple" });
    const url = new URL(begun.redirectsTo ?? "");
    url.searchParams.set("scope", "openid name email");
    const { url: back, form } = await op.authorize(url);
    form?.set("user", JSON.stringify({ name: { firstName: "Ada", lastName: "Lovelace" }, email: "eve@example.com" }));
    await browser.navigate(back, { form, initiator: ISSUER });
    expect(users).toMatchObject([{ id: "1815", name: "Ada Lovelace", email: "ada@example.com" }]);
    const { payload } = await jwtVerify(op.calls.token[0]?.params.get("client_secret") ?? "", publicKey);
    expect(payload.sub).toBe("cid");
  });
});
