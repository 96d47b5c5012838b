import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { Html, html } from "./html.ts";

describe("html``", () => {
  it("H293 escapes every character that ends text or an attribute value", () => {
    expect(html`<p title="${`&<>"'\``}">`.toString()).toBe('<p title="&#38;&#60;&#62;&#34;&#39;&#96;">');
  });

  it("keeps nested templates and lists of them, and escapes strings in lists", () => {
    expect(html`<ul>${["a", "<b>"].map((item) => html`<li>${item}</li>`)}</ul>${["<"]}`.toString()).toBe(
      "<ul><li>a</li><li>&#60;b&#62;</li></ul>&#60;",
    );
  });

  it("shows nothing for null and undefined", () => {
    expect(html`${null}|${undefined}`.toString()).toBe("|");
  });

  it("takes nothing for HTML that only looks like it", () => {
    const forged = JSON.parse('["<b>"]');
    expect(html`${forged}`.toString()).toBe("&#60;b&#62;");
  });

  it("leaves no unsafe character of any text", () => {
    fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => !/[<>"'`]/.test(html`${text}`.toString())));
  });
});

describe("Html.fromRawText()", () => {
  it("keeps a style sheet as it is", () => {
    expect(Html.fromRawText('a>b{content:""}').toString()).toBe('a>b{content:""}');
  });

  it("H294 refuses the beginning of a tag", () => {
    expect(() => Html.fromRawText("red}</style><script>")).toThrow("must not contain");
  });
});
