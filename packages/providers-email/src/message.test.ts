import { describe, expect, it } from "vitest";
import { writeMail } from "./message.ts";

const content = {
  url: "https://app.example.com/auth/callback/x?a=1&b=2",
  host: "app.example.com",
  validFor: "24 hours",
};

describe("writeMail()", () => {
  it("H186 escapes whatever reaches the HTML part", () => {
    const { html } = writeMail({
      ...content,
      host: 'x"><img src=x>',
      url: 'https://app.example.com/?"><script>x</script>',
      brandColor: "red;background:url(//evil.example)",
    });
    expect(html).not.toMatch(/<img|<script|evil/);
    expect(html).toContain("&lt;script&gt;");
  });

  it.each([
    ["#ffffff", "#000000"],
    ["#ff0", "#000000"],
    ["#000", "#ffffff"],
    ["#2f5bd8", "#ffffff"],
  ])("keeps the button's text readable on %s", (brandColor, ink) => {
    expect(writeMail({ ...content, brandColor }).html).toContain(`background:${brandColor};color:${ink}`);
  });

  it("keeps mail clients from making a link of the host name", () => {
    expect(writeMail({ ...content, brandColor: undefined }).html).toContain("app​.example​.com");
  });
});
