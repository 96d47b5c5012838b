import { describe, expect, it } from "vitest";
import type { PageFrame } from "../model/result.ts";
import { completeTexts, englishTexts } from "../pages/texts.ts";
import { renderVerifyRequest } from "./verify-request-page.ts";

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
});
