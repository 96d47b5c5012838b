import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Page, PageFrame, SignInOption } from "../../../core/src/model/result.ts";
import { renderSignIn } from "../../../core/src/pages/signin.ts";
import { englishTexts } from "../../../core/src/pages/texts.ts";
import { renderPasskey } from "./passkey-form.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { PASSKEY_SCRIPT_HASH } from "./passkey-script-hash.ts";
import { englishPasskeyTexts } from "./passkey-texts.ts";

const FRAME: PageFrame = { theme: {}, host: "app.example.com", nonce: "n0nce" };
const PASSKEY: Extract<SignInOption, { kind: "scripted" }> = {
  kind: "scripted",
  id: "passkey",
  name: "Passkey",
  options: "/auth/webauthn-options/passkey",
  action: "/auth/callback/passkey",
  fields: { email: { required: true, autocomplete: "username webauthn" } },
  autofill: true,
  script: { url: "/auth/webauthn-script", integrity: PASSKEY_SCRIPT_HASH },
  form: renderPasskey,
};
const PASSWORD: SignInOption = {
  kind: "credentials",
  id: "credentials",
  name: "a password",
  action: "/auth/callback/credentials",
  fields: [
    { name: "username", input: {} },
    { name: "password", input: {} },
  ],
};

function render(options: readonly SignInOption[] = [PASSKEY], error: string | null = null): string {
  const page: Page = { kind: "signin", options, csrfToken: "t0ken", callbackUrl: "/next", error };
  return renderSignIn(page, FRAME, englishTexts);
}

/** The part that is about passkeys. */
function partOf(html: string): string {
  return /<div class="passkey"[\s\S]*<\/noscript>/.exec(html)?.[0] ?? "";
}

describe("renderPasskey()", () => {
  it("offers to sign in and to create an account, with the fields of one", () => {
    const part = partOf(render());
    expect(part).toContain(
      '<button class="button main" name="action" value="authenticate">Sign in with a passkey</button>',
    );
    expect(part).toContain(
      '<button class="button" name="action" value="register">Create an account with a passkey</button>',
    );
    expect(part).toContain('<label for="field-0-0">E-mail address</label>');
    expect(part).toMatch(/name="email" type="email" autocomplete="username webauthn"[^>]* required=""/);
    expect(part).toContain('aria-describedby="hint-0"');
    expect(part).toContain('id="hint-0"');
  });

  it("lets the provider word its fields", () => {
    const fields = { email: { label: "Address", type: "text" } };
    expect(partOf(render([{ ...PASSKEY, fields }]))).toContain(
      '>Address</label>\n<input id="field-0-0" name="email" type="text"',
    );
    expect(partOf(render([{ ...PASSKEY, fields: {} }]))).not.toMatch(/<label|class="hint"/);
  });

  it("is hidden until the script is there, and says why where there is none", () => {
    const part = partOf(render());
    expect(part).toMatch(/^<div class="passkey"[^>]* hidden>/);
    expect(part).toContain(`<noscript><p class="note">${englishPasskeyTexts.noScript}</p></noscript>`);
  });

  it("tells the script where to ask, and every text that it may need", () => {
    const part = partOf(render());
    expect(part).toContain('data-options="/auth/webauthn-options/passkey"');
    expect(part).toContain('<form method="post" action="/auth/callback/passkey">');
    expect(part).toContain('name="csrfToken" value="t0ken"');
    const texts: unknown = JSON.parse(
      (/data-texts="([^"]*)"/.exec(part)?.[1] ?? "").replaceAll("&#34;", '"').replaceAll("&#39;", "'"),
    );
    const { submit: _1, create: _2, hint: _3, noScript: _4, emailLabel: _5, ...own } = englishPasskeyTexts;
    expect(texts).toEqual({ ...own, OAuthAccountNotLinked: englishTexts.signIn.errors.OAuthAccountNotLinked });
  });

  it("has a text of its own for each outcome", () => {
    const texts = Object.values(englishPasskeyTexts);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("lets browsers offer passkeys in every field for a user name, where it may", () => {
    expect(render([PASSWORD, PASSKEY])).toMatch(/name="username"[^>]*autocomplete="username webauthn"/);
    expect(render([PASSWORD, PASSKEY])).toContain('data-autofill=""');
    const quiet = render([PASSWORD, { ...PASSKEY, autofill: false }]);
    expect(quiet).toMatch(/name="username"[^>]*autocomplete="username"/);
    expect(quiet).not.toContain("data-autofill");
  });

  it("names its field by the passkey where another form asks for an address, so that no two labels are the same", () => {
    const html = render([PASSKEY, { kind: "email", id: "mail", name: "E-mail", action: "/auth/signin/mail" }]);
    const labels = [...html.matchAll(/<label[^>]*>([^<]*)<\/label>/g)].map(([, label]) => label);
    expect(labels).toEqual(["E-mail address for your passkey", "E-mail address"]);
  });

  it("leaves an error about a password to the password", () => {
    const html = render([PASSWORD, PASSKEY], "CredentialsSignin");
    expect(html.indexOf('role="alert"')).toBeGreaterThan(html.indexOf('action="/auth/callback/credentials"'));
    expect(html).toMatch(/name="username"[^>]*aria-invalid="true"/);
    expect(partOf(html)).not.toContain("aria-invalid");
  });
});

describe("the script element", () => {
  it("H296 loads the script once, by its address, its version and its hash", () => {
    const html = render([PASSKEY, { ...PASSKEY, id: "key", autofill: false }]);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toMatch(
      /<script src="\/auth\/webauthn-script\?v=\w{16}" integrity="sha256-[\w+/]{43}=" defer><\/script>\n?<\/head>/,
    );
    expect(render([PASSWORD])).not.toContain("<script");
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
