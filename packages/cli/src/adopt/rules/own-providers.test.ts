import { createAuth } from "@cardea/core";
import type { Provider } from "@cardea/core/providers";
import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const DOCUMENT = "https://id.example/.well-known/openid-configuration";

function move(provider: string, { before = "", version = "4.24.15" } = {}) {
  const manifest = JSON.stringify({ dependencies: { next: "15.3.2", "next-auth": version } });
  const source = `import NextAuth from "next-auth";\n${before}\nexport const options = { providers: [${provider}] };\nconst handler = NextAuth(options);\nexport { handler as GET, handler as POST };\n`;
  const files = new Map([
    ["/package.json", manifest],
    ["/auth.ts", source],
  ]);
  const result = adopt({ files });
  if ("refused" in result) throw new Error(result.refused);
  const about = result.report.filter(({ what }) => /wellKnown|issuer|`client`|OpenID/.test(what));
  return {
    text: result.files.get("/auth.ts") ?? "",
    left: about.filter(({ kind }) => kind === "left").map(({ line, why }) => [line, why] as const),
    looks: about.filter(({ kind }) => kind === "look").length,
  };
}

const own = (members: string) => `{ id: "b", name: "B", type: "oauth", clientId: "a", clientSecret: "b", ${members} }`;

describe("moveOwnProviders()", () => {
  it.each([
    [`wellKnown: "${DOCUMENT}", idToken: true`, '"https://id.example"'],
    [`wellKnown: "${DOCUMENT}"`, '"https://id.example"'],
    [`"wellKnown": '${DOCUMENT}', "idToken": true`, '"https://id.example"'],
    [`wellKnown: \`$\{URL}/.well-known/openid-configuration\`, idToken: true`, `\`$\{URL}\``],
    ['wellKnown: process.env.URL + "/.well-known/openid-configuration", idToken: true', "process.env.URL"],
    ["wellKnown: WELL, idToken: YES", '"https://id.example"'],
    [`wellKnown: ("${DOCUMENT}" as string), userinfo: "https://id.example/me"`, '"https://id.example"'],
  ])("moves a provider whose profile comes from the ID token: %s", (members, issuer) => {
    const before = `const URL = process.env.URL;\nconst WELL = "${DOCUMENT}";\nconst YES = true;`;
    const { text, left, looks } = move(own(members), { before });
    expect(text).toContain(`type: "oidc"`);
    expect(text).toContain(`issuer: ${issuer}`);
    expect(text).not.toMatch(/wellKnown["']?:/);
    expect([left, looks]).toEqual([[], 1]);
  });

  it("moves the object that a function returns, and a shorthand", () => {
    const before = `function Acme(options: object) {\n  return { id: "acme", name: "Acme", type: "oauth" as const, wellKnown: "${DOCUMENT}", idToken: true, options };\n}\nconst wellKnown = "${DOCUMENT}";`;
    const { text, left } = move(`Acme({ clientId: "a" }), ${own("wellKnown, idToken: true")}`, { before });
    expect(text).toContain('type: "oidc" as const, issuer: "https://id.example", idToken: true, options');
    expect(text).toContain('issuer: "https://id.example", idToken: true }');
    expect(left).toEqual([]);
  });

  it("keeps an issuer that is there, and its document", () => {
    const { text } = move(own(`issuer: "https://id.example/", wellKnown: "${DOCUMENT}"`));
    expect(text).toContain(
      `type: "oidc", clientId: "a", clientSecret: "b", issuer: "https://id.example/", wellKnown: "${DOCUMENT}"`,
    );
  });

  it("moves endpoints with ID tokens, and leaves those of OAuth 2", () => {
    const endpoints = (scope: string) =>
      own(
        `issuer: "https://i.example", jwks_endpoint: "https://i.example/k", authorization: { url: "https://i.example/a", params: { scope: "${scope}" } }, token: "https://i.example/t", userinfo: "https://i.example/u"`,
      );
    expect(move(endpoints("openid email")).text).toContain('type: "oidc"');
    expect(move(endpoints("email"))).toMatchObject({
      text: expect.stringContaining('type: "oauth"'),
      left: [],
      looks: 0,
    });
  });

  it.each([
    [`wellKnown: "${DOCUMENT}", idToken: false`, "keep `type"],
    ['wellKnown: "https://id.example/.well-known/oauth-authorization-server"', "keep `type"],
    ["wellKnown: process.env.WELL", "write `type"],
    ["wellKnown: process.env.WELL, idToken: true", "write `type"],
    [`wellKnown: "${DOCUMENT}", idToken: Boolean(process.env.ID)`, "write `type"],
    [`wellKnown: "${DOCUMENT}", ...others`, "write `type"],
    [`wellKnown: "${DOCUMENT}", userinfo: { async request() { return {}; } }`, "`idToken: false`"],
    ["get wellKnown() { return process.env.WELL; }", "write `type"],
    ['idToken: true, authorization: "https://i.example/a", token: "https://i.example/t"', "write `type"],
  ])("names a provider that it cannot move: %s", (members, remedy) => {
    const { text, left } = move(own(members), { before: "const others = {};" });
    expect(text).toContain('type: "oauth"');
    expect(left).toEqual([[4, expect.stringContaining(remedy)]]);
  });

  it.each([
    [`{ ...base, type: "oauth" }`, `const base = { id: "b", wellKnown: "${DOCUMENT}" };`, 3],
    [`make({ clientId: "a", wellKnown: "${DOCUMENT}" })`, "declare const make: any;", 4],
    ["provider", `const provider: any = {}; provider.wellKnown = "${DOCUMENT}";`, 3],
    ["new Acme()", `class Acme { wellKnown = "${DOCUMENT}"; }`, 3],
  ])("names `wellKnown` that may be part of a provider: %s", (provider, before, line) => {
    expect(move(provider, { before }).left).toEqual([[line, expect.stringContaining("write `type")]]);
  });

  it("says nothing of options that a package reads, of other objects, and in Auth.js v5", () => {
    const before = `import Keycloak from "next-auth/providers/keycloak";\nconst options = { clientId: "a", wellKnown: "${DOCUMENT}" };\nexport const links = { wellKnown: "${DOCUMENT}" };`;
    expect(move("Keycloak(options)", { before }).left).toEqual([]);
    expect(move(own(`wellKnown: "${DOCUMENT}"`), { version: "5.0.0-beta.32" })).toMatchObject({ left: [], looks: 0 });
  });

  it("names them again in a second run, until they are edited", () => {
    const again = (members: string) => {
      const source = `import { createAuth } from "@cardea/next";\nimport { bridge } from "@cardea/bridge-authjs";\nexport const { handlers, auth } = createAuth({ providers: [{ id: "b", ${members} }], extensions: [bridge({ accept: ["nextauth-v4"] })] });\n`;
      const manifest = JSON.stringify({ dependencies: { next: "15.3.2", "@cardea/next": "1.0.0" } });
      const files = new Map([
        ["/package.json", manifest],
        ["/auth.ts", source],
      ]);
      const result = adopt({ files });
      return "refused" in result ? [] : result.report;
    };
    expect(again(`type: "oauth", wellKnown: "${DOCUMENT}", idToken: false`)).toHaveLength(1);
    expect(again(`type: "oauth", issuer: "https://id.example", wellKnown: "${DOCUMENT}", idToken: false`)).toEqual([]);
    expect(again(`type: "oidc", issuer: "https://id.example", wellKnown: process.env.WELL`)).toEqual([]);
  });

  it.each([
    ["async request({ client }) { return client.userinfo(); }", 1],
    ["request: async (context) => context.client.userinfo()", 1],
    ["request: async (context) => { const { client } = context; return client.userinfo(); }", 1],
    ["request: (context) => load(context)", 1],
    ["request: async ({ tokens }) => ({ id: tokens.client })", 0],
    ["request: async (context) => { const { tokens } = context; return client(context.tokens, tokens); }", 0],
  ])("names `client` in the parameters of a request: %s", (request, count) => {
    const endpoints = own(
      `authorization: "https://i.example/a", token: "https://i.example/t", userinfo: { ${request} }`,
    );
    const { left } = move(endpoints, { before: "declare const client: any, load: any;" });
    expect(left.map(([, why]) => why)).toEqual(Array(count).fill(expect.stringContaining("`fetch`")));
  });

  it("writes providers with which an application starts", async () => {
    const { text } = move(own(`wellKnown: "${DOCUMENT}", idToken: true`));
    const [written = ""] = /\{ id: "b"[^}]*\}/.exec(text) ?? [];
    const provider: Provider = new Function(`return ${written};`)();
    const { auth } = createAuth({ providers: [provider], secret: "s".repeat(32) });
    await expect(auth(new Request("https://a.example"))).resolves.toBeNull();
  });
});
