import { describe, expect, it } from "vitest";
import { renderCodeForm } from "./form.ts";

describe("renderCodeForm()", () => {
  it("has a labelled field for a code, which browsers fill in, and no script", () => {
    const html = String(renderCodeForm({}, false).content);
    expect(html).toContain('<label for="code">Code from the e-mail</label>');
    const [field = ""] = /<input id="code"[^>]*>/.exec(html) ?? [];
    for (const part of ['autocomplete="one-time-code"', 'inputmode="numeric"', 'name="code"', "required"]) {
      expect(field).toContain(part);
    }
    expect(field).toContain('aria-describedby="code-hint"');
    expect(html).toContain('id="code-hint"');
    expect(html).not.toMatch(/<script|aria-invalid=|role="alert"/);
  });

  it("ties the error to the field after a wrong code", () => {
    const html = String(renderCodeForm({}, true).content);
    expect(html).toMatch(/id="code-error" role="alert">That code is incorrect/);
    expect(html).toContain('aria-describedby="code-error code-hint" aria-invalid="true"');
  });

  it("takes single words from the application's texts, escaped", () => {
    const html = String(renderCodeForm({ label: "Code <aus> der E-Mail" }, false).content);
    expect(html).toContain("Code &#60;aus&#62; der E-Mail");
    expect(html).toContain("Sign in");
  });
});
