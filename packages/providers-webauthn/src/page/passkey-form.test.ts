import { createHash } from "node:crypto";
import { createAuth } from "@cardea/core";
import type { Provider } from "@cardea/core/providers";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { Passkey, WebAuthn } from "../index.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { PASSKEY_SCRIPT_HASH } from "./passkey-script-hash.ts";
import { englishPasskeyTexts } from "./passkey-texts.ts";

const PASSKEY = Passkey();
const PASSWORD: Provider = {
  id: "credentials",
  name: "a password",
  type: "credentials",
  credentials: { username: {}, password: {} },
  authorize: () => null,
};
const MAIL: Provider = { id: "mail", name: "E-mail", type: "email", sendVerificationRequest: () => undefined };

/** The sign-in page of an application with these providers. */
async function render(providers: readonly Provider[] = [PASSKEY], error?: string): Promise<string> {
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    adapter: createMemoryAdapter().adapter,
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    providers: [...providers],
    logger: { warn: () => undefined },
  });
  const url = new URL("https://app.example.com/auth/signin");
  if (error !== undefined) url.searchParams.set("error", error);
  return (await handlers.GET(new Request(url))).text();
}

/** The part that is about passkeys. */
function partOf(html: string): string {
  return /<div class="passkey"[\s\S]*<\/noscript>/.exec(html)?.[0] ?? "";
}

describe("renderPasskey()", () => {
  it("offers to sign in and to create an account, with the fields of one", async () => {
    const part = partOf(await render());
    expect(part).toMatch(
      /<button class="button main provider" name="action" value="authenticate"><svg .*<\/svg><span>Sign in with a passkey<\/span>/,
    );
    expect(part).toContain(
      '<button class="button" name="action" value="register">Create an account with a passkey</button>',
    );
    expect(part).toContain('<label for="field-0-0">E-mail address</label>');
    expect(part).toMatch(/name="email" type="email" autocomplete="username webauthn"[^>]* required=""/);
    expect(part).toContain('aria-describedby="hint-0"');
    expect(part).toContain('id="hint-0"');
  });

  it("lets the provider word its fields", async () => {
    const renderFields = async (formFields: Record<string, { label?: string; type?: string }>) =>
      partOf(await render([Passkey({ formFields, enableConditionalUI: false })]));
    expect(await renderFields({ email: { label: "Address", type: "text" } })).toContain(
      '>Address</label>\n<input id="field-0-0" name="email" type="text"',
    );
    expect(await renderFields({})).not.toMatch(/<label|class="hint"/);
  });

  it("is hidden until the script is there, and says why where there is none", async () => {
    const part = partOf(await render());
    expect(part).toMatch(/^<div class="passkey"[^>]* hidden>/);
    expect(part).toContain(`<noscript><p class="note">${englishPasskeyTexts.noScript}</p></noscript>`);
  });

  it("tells the script where to ask, and every text that it may need", async () => {
    const part = partOf(await render());
    expect(part).toContain('data-options="https://app.example.com/auth/webauthn-options/passkey"');
    expect(part).toContain('<form method="post" action="https://app.example.com/auth/callback/passkey">');
    expect(part).toMatch(/name="csrfToken" value="[0-9a-f]{64}"/);
    const texts: unknown = JSON.parse(
      (/data-texts="([^"]*)"/.exec(part)?.[1] ?? "").replaceAll("&#34;", '"').replaceAll("&#39;", "'"),
    );
    const { submit: _1, create: _2, hint: _3, noScript: _4, ...own } = englishPasskeyTexts;
    const OAuthAccountNotLinked =
      "An account with this e-mail address already exists. Sign in the way you originally signed up.";
    expect(texts).toEqual({ ...own, OAuthAccountNotLinked });
  });

  it("has a text of its own for each outcome", () => {
    const texts = Object.values(englishPasskeyTexts);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("lets browsers offer passkeys in the field for the address or user name, where it may", async () => {
    const offered = await render([PASSWORD, PASSKEY]);
    expect(offered).toMatch(/name="identifier"[^>]*autocomplete="username webauthn"/);
    expect(offered).toContain('data-autofill=""');
    const quiet = await render([PASSWORD, Passkey({ enableConditionalUI: false })]);
    expect(quiet).toMatch(/name="identifier"[^>]*autocomplete="username"/);
    expect(quiet).not.toContain("data-autofill");
  });

  it("beside other methods only signs in until an address was typed, and is not the main button", async () => {
    const part = partOf(await render([PASSKEY, MAIL]));
    expect(part).toContain('<button class="button provider" name="action" value="authenticate">');
    expect(part).not.toMatch(/<label|class="hint"|value="register"/);
  });
});

describe("the script element", () => {
  it("H296 loads the script once, by its address, its version and its hash", async () => {
    const html = await render([PASSKEY, WebAuthn({ enableConditionalUI: false })]);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toMatch(
      /<script src="[^"]*\/auth\/webauthn-script\?v=\w{16}" integrity="sha256-[\w+/]{43}=" defer><\/script>\n?<\/head>/,
    );
    expect(await render([PASSWORD])).not.toContain("<script src");
  });
});

describe("PASSKEY_SCRIPT", () => {
  it("H296 is what its hash says", () => {
    const digest = createHash("sha256").update(PASSKEY_SCRIPT).digest("base64");
    expect(PASSKEY_SCRIPT_HASH).toBe(`sha256-${digest}`);
  });

  it("is plain ASCII, names no other site and writes no HTML", () => {
    expect(PASSKEY_SCRIPT).toMatch(/^[ -~\n]*$/);
    expect(PASSKEY_SCRIPT).not.toMatch(/https?:|innerHTML|insertAdjacent|document\.write|eval|Function\(/);
  });
});
