import { describe, expect, it } from "vitest";
import type { PageFrame } from "../model/result.ts";
import { renderError } from "./message.ts";
import { englishTexts } from "./texts.ts";

const FRAME: PageFrame = { theme: {}, host: "app.example.com", nonce: "n0nce" };

function render(error: string | null): string {
  return renderError({ kind: "error", error, signInUrl: "/auth/signin" }, FRAME, englishTexts).toString();
}

describe("renderError()", () => {
  it.each(Object.entries(englishTexts.error.kinds))(
    "spec 7 has a headline and a text for %s",
    (error, { title, text }) => {
      expect(render(error)).toContain(`<title>${title} · app.example.com</title>`);
      expect(render(error)).toContain(`<h1>${title}</h1>`);
      expect(render(error)).toContain(text.split("{host}")[0]);
    },
  );

  it.each(["", "<script>", "__proto__", "constructor", "a&b=c", "#f", "undefined", "x".repeat(10_000)])(
    "H040 H293 shows the default text for an unknown error and none of the error itself",
    (error) => {
      expect(render(error)).toBe(render(null));
      expect(render(error)).toContain(`<h1>${englishTexts.error.unknown.title}</h1>`);
    },
  );

  it("says of a form of another site what happened, whatever else is known", () => {
    const html = renderError(
      { kind: "error", error: "AccessDenied", crossSite: true, signInUrl: "/auth/signin" },
      FRAME,
      englishTexts,
    ).toString();
    expect(html).toContain(`<h1>${englishTexts.error.crossSite.title}</h1>`);
    expect(html).not.toContain(englishTexts.error.kinds.AccessDenied.title);
  });

  it("leads on to sign-in and home", () => {
    expect(render(null)).toContain('<a class="button main" href="/auth/signin">Go to sign-in</a>');
    expect(render(null)).toContain('<a href="/">Back to <bdi>app.example.com</bdi></a>');
  });
});
