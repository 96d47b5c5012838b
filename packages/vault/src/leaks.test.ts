import { inspect } from "node:util";
import { createAuth } from "@cardea/core";
import { customFetch } from "@cardea/core/providers";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { tokenOf, type VaultOptions, vault } from "./index.ts";

const CANARY = "canary-7f3a";

async function setUp(type: "oauth" | "oidc", answer: () => Response, row: object = {}, options: VaultOptions = {}) {
  const { adapter } = createMemoryAdapter();
  const logs: unknown[] = [];
  const issuer = "https://op.example.com";
  const provider = { id: "op", name: "Provider", clientId: "cid", clientSecret: "csecret" } as const;
  const endpoints = { authorization: `${issuer}/authorize`, token: `${issuer}/token`, userinfo: `${issuer}/me` };
  const auth = createAuth({
    ...{ secret: "a secret of more than thirty-two bytes", trustHost: true, adapter },
    logger: { error: (error) => logs.push(error), warn: (code) => logs.push(code) },
    providers: [
      {
        ...{ ...provider, type, issuer, ...(type === "oauth" ? { ...endpoints, profile: () => ({ id: "1" }) } : {}) },
        [customFetch]: async (url) =>
          String(url).includes(".well-known")
            ? Response.json({
                issuer,
                authorization_endpoint: endpoints.authorization,
                token_endpoint: endpoints.token,
                jwks_uri: `${issuer}/jwks`,
              })
            : answer(),
      },
    ],
    extensions: [vault(options)],
  });
  const { id: userId } = await adapter.createUser({ id: "", email: "ann@example.com", emailVerified: null });
  const tokens = { access_token: `${CANARY}-old`, refresh_token: `${CANARY}-r`, expires_at: 1, ...row };
  await adapter.linkAccount({ userId, type, provider: "op", providerAccountId: "1", ...tokens });
  return { auth, userId, logs, adapter };
}

const fresh = { access_token: `${CANARY}-a`, refresh_token: `${CANARY}-r2`, token_type: "bearer", expires_in: 3600 };

describe("tokens in errors", () => {
  const idToken = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(`{"sub":"${CANARY}"}`).toString("base64url")}.x`;
  const answers: Record<string, () => Response> = {
    "no token type": () => Response.json({ ...fresh, token_type: undefined }),
    "a token type that is a number": () => Response.json({ ...fresh, token_type: 1 }),
    "a lifetime that is text": () => Response.json({ ...fresh, expires_in: "soon" }),
    "a status of failure": () => Response.json(fresh, { status: 500 }),
    "an access token that is a list": () => Response.json({ ...fresh, access_token: [`${CANARY}-a`] }),
    "another form": () => new Response(`access_token=${CANARY}-a&token_type=bearer`),
    "cut JSON": () =>
      new Response(JSON.stringify(fresh).slice(0, 60), { headers: { "content-type": "application/json" } }),
    "an unsigned ID token": () => Response.json({ ...fresh, id_token: idToken }),
    "the token as error": () =>
      Response.json({ error: "invalid_request", error_description: `${CANARY}-r` }, { status: 400 }),
  };
  for (const type of ["oauth", "oidc"] as const)
    it.each(Object.keys(answers))(`${type}: %s`, async (name) => {
      const { auth, userId, logs } = await setUp(type, answers[name] as () => Response);
      const error: unknown = await tokenOf(auth, "op", { userId }).catch((thrown: unknown) => thrown);
      const all = `${inspect(error, { depth: 20, showHidden: true })} ${inspect(logs, { depth: 20 })}`;
      if (error instanceof Error) expect(all).not.toContain(CANARY);
    });
});

describe("plain tokens that begin as sealed ones", () => {
  const row = { access_token: "v1.MaccessOfAuth0", refresh_token: "v1.MrefreshOfAuth0", expires_at: 4e9 };
  it.each([true, false])("are read (seal: %s)", async (seal) => {
    const { auth, userId } = await setUp("oauth", () => Response.json(fresh), row, { seal });
    expect(await tokenOf(auth, "op", { userId })).toMatchObject({ accessToken: row.access_token });
    expect(await tokenOf(auth, "op", { userId, refused: row.access_token })).toMatchObject({
      accessToken: `${CANARY}-a`,
    });
  });
});
