import { describe, expect, it } from "vitest";
import { checkOptions } from "./check-options.mjs";
import { plantTree } from "./plant-tree.mjs";

const model = "packages/core/src/model";
const interfaces = (names, body) => names.map((name) => `export interface ${name} { ${body} }`).join("\n");
const rows = (options) =>
  `| option | default |\n|---|---|\n${options.map((option) => `| \`${option}\` | |`).join("\n")}\n`;

const prefixes = ["session", "jwt", "callbacks", "events", "pages", "cookies", "logger", "theme", "texts"];
const configuration = ["one", ...prefixes.map((prefix) => `${prefix}.one`), "experimental.enableWebAuthn"];
const named = "`one(argument)`\n";

function check(files = {}) {
  return checkOptions(
    plantTree({
      [`${model}/config.ts`]: interfaces(
        [
          ...["AuthConfig", "SessionOptions", "JWTOptions", "Callbacks", "EventCallbacks", "PagesOptions"],
          ...["CookiesOptions", "LoggerInstance", "CookieAttributes"],
          ...["SignInCallbackParams", "JWTCallbackParams", "SessionCallbackParams", "AttemptParams"],
        ],
        "one?: string",
      ),
      [`${model}/theme.ts`]: interfaces(["Theme"], "one?: string"),
      [`${model}/texts.ts`]: interfaces(["Texts"], "one: string"),
      [`${model}/provider.ts`]: interfaces(
        ["OAuthProviderConfig", "EmailProvider", "CredentialsProvider"],
        "one(a: string): void",
      ),
      [`${model}/adapter.ts`]: interfaces(["Adapter"], "one(): void"),
      "packages/providers-webauthn/src/index.ts": interfaces(["WebAuthnOptions"], "one?: string"),
      "packages/core/src/config/env.ts": ["const url = env.AUTH_URL; const id = env[`$", "{prefix}_ID`];"].join(""),
      "docs/configuration.md": rows(configuration),
      "docs/oauth.md": `${named}\`type\``,
      "docs/email.md": named,
      "docs/credentials.md": named,
      "docs/passkeys.md": named,
      "docs/writing-an-adapter.md": named,
      "docs/callbacks.md": named,
      "docs/environment.md": "| `AUTH_URL` | |\n| `AUTH_{ID}_ID` | |\n",
      ...files,
    }),
  );
}

describe("checkOptions()", () => {
  it("accepts pages that name everything", () => {
    expect(check()).toEqual([]);
  });

  it("asks for each option, also within another", () => {
    expect(
      check({ "docs/configuration.md": rows(configuration.filter((option) => option !== "session.one")) }),
    ).toEqual(["docs/configuration.md:1 does not have `session.one`"]);
  });

  it("refuses an option that is none", () => {
    const found = check({ "docs/configuration.md": rows([...configuration, "session.two"]) });
    expect(found).toEqual(["docs/configuration.md:1 has `session.two`, which is no option"]);
  });

  it.each(["oauth", "email", "credentials", "passkeys", "writing-an-adapter", "callbacks"])(
    "asks for each member on docs/%s.md",
    (page) => {
      const found = check({ [`docs/${page}.md`]: "`type`" });
      expect(new Set(found)).toEqual(new Set([`docs/${page}.md:1 does not have \`one\``]));
    },
  );

  it("asks for each variable", () => {
    expect(check({ "docs/environment.md": "" })).toEqual([
      "docs/environment.md:1 does not have `AUTH_URL`",
      "docs/environment.md:1 does not have `AUTH_{ID}_ID`",
    ]);
  });

  it("says so when an interface is not where it is looked for", () => {
    expect(() => check({ [`${model}/theme.ts`]: "" })).toThrow("has no interface Theme");
  });
});
