import { describe, expect, it } from "vitest";
import type { PageFrame } from "../model/result.ts";
import { completeTexts, englishTexts } from "../pages/texts.ts";
import { type CodeForm, renderVerifyRequest } from "./verify-request-page.ts";

const FRAME: PageFrame = { theme: {}, host: "app.example.com", nonce: "n0nce" };

describe("renderVerifyRequest()", () => {
  it("tells the person to look for the e-mail, without saying whether the address is known", () => {
    const html = renderVerifyRequest({}, FRAME, englishTexts).toString();
    expect(html).toContain("<h1>Check your e-mail</h1>");
    expect(html).toContain("If that address can be used");
  });

  it("takes its words from the application's own texts, the rest stays English", () => {
    const texts = completeTexts({ lang: "de", verifyRequest: { title: "Sieh in deine E-Mails" } });
    const html = renderVerifyRequest({}, FRAME, texts).toString();
    expect(html).toContain('<html lang="de"');
    expect(html).toContain("<h1>Sieh in deine E-Mails</h1>");
    expect(html).toContain("Back to <bdi>app.example.com</bdi>");
  });

  const code: CodeForm = {
    action: "https://app.example.com/auth/callback/email",
    csrfToken: "t0ken",
    callbackUrl: "https://app.example.com/",
    flow: 'f"<low>',
    failed: false,
  };

  it("has a labelled field for a code, which browsers fill in, and no script", () => {
    const html = renderVerifyRequest({ code }, FRAME, englishTexts).toString();
    expect(html).toContain('<label for="code">Code from the e-mail</label>');
    const [field = ""] = /<input id="code"[^>]*>/.exec(html) ?? [];
    for (const part of ['autocomplete="one-time-code"', 'inputmode="numeric"', 'name="code"', "required"]) {
      expect(field).toContain(part);
    }
    expect(field).toContain('aria-describedby="code-hint"');
    expect(html).toContain('id="code-hint"');
    expect(html).not.toMatch(/<script|f"<low>|aria-invalid=|role="alert"/);
  });

  it("ties the error to the field after a wrong code", () => {
    const html = renderVerifyRequest({ code: { ...code, failed: true } }, FRAME, englishTexts).toString();
    expect(html).toMatch(/id="code-error" role="alert">That code is incorrect/);
    expect(html).toContain('aria-describedby="code-error code-hint" aria-invalid="true"');
  });

  it("takes single words of the code's form from the application's texts", () => {
    const texts = completeTexts({ verifyRequest: { code: { label: "Code aus der E-Mail" } } });
    const html = renderVerifyRequest({ code }, FRAME, texts).toString();
    expect(html).toContain("Code aus der E-Mail");
    expect(html).toContain(englishTexts.verifyRequest.code.submit);
  });
});
