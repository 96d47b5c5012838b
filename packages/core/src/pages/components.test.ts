import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import * as components from "./components.ts";
import { type Html, html } from "./html.ts";

const PAYLOADS = [
  '"><script>x</script>',
  "' onfocus='x",
  "<!--",
  "javascript:x",
  "`",
  "</ul>",
  "\u202e",
  "x".repeat(5000),
];
const hostile = fc
  .oneof(fc.constantFrom(...PAYLOADS), fc.string(), fc.string({ unit: codePoint }))
  .map((text) => `x${text}`);

/** Every component with these texts in all of its places. */
function renderAll(a: string, b: string, c: string): string {
  const { button, buttonLinks, links, form, field, checkbox, accountName, lead, notice, card, list, steps } =
    components;
  const all: readonly (Html | null)[] = [
    button({ label: a, kind: "danger", name: b, value: c }),
    buttonLinks({ href: a, label: b, kind: "main" }, { href: `/${c}`, label: a }),
    links({ href: b, label: c }),
    form({ action: a, hidden: { [b]: c, none: null, missing: undefined }, content: a }),
    field({
      name: a,
      label: b,
      id: c,
      type: a,
      value: b,
      hint: c,
      error: a,
      describedBy: [b],
      attributes: { list: c },
    }),
    field({ name: a, label: b, type: "password", isOptional: true, isInvalid: true }),
    checkbox({ name: a, value: b, label: c }),
    accountName(a),
    lead(b),
    notice({ kind: "error", text: a, id: c }),
    card({ title: a, text: b, content: c, isApart: true }),
    list([{ title: a, badge: b, details: [c, a], actions: b }]),
    steps([a, b]),
    components.person({ image: `/\\${a}`, name: b, host: c, detail: a }),
    components.copyButton({ text: a, label: b, done: c }),
    components.printButton(a),
    components.confirmation({ label: a, text: b, form: c }),
  ];
  return html`${all}`.toString();
}

/** Tags, and the names of their attributes. */
function elements(text: string): string[] {
  return [...text.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));
}

describe("components", () => {
  it("H293 H294 let no value break out of its place", () => {
    const expected = renderAll("x", "x", "x");
    fc.assert(
      fc.property(hostile, hostile, hostile, (a, b, c) => {
        const text = renderAll(a, b, c);
        expect(elements(text)).toEqual(elements(expected));
        expect(text.replace(/[^<>"'`]/g, "")).toBe(expected.replace(/[^<>"'`]/g, ""));
        for (const [, url = ""] of text.matchAll(/ href="([^"]*)"/g)) expect(url).toMatch(/^(?:\/(?![/\\])|https?:)/);
      }),
    );
  });

  it("H296 need no script and no style attribute", () => {
    expect(renderAll("x", "x", "x")).not.toMatch(/<script|\sstyle=|\son\w+=/);
  });
});

describe("field()", () => {
  const field = (change: Partial<components.Field>) =>
    components.field({ name: "email", label: "E-mail", ...change }).toString();

  it("has a label, and is required unless it says otherwise", () => {
    expect(field({})).toContain(
      '<label for="field-email">E-mail</label>\n<input id="field-email" name="email" type="text" required="">',
    );
    expect(field({ isOptional: true })).not.toContain("required");
  });

  it("ties error and hint to the input, and puts the cursor there", () => {
    const text = field({ error: "Wrong", hint: "Like a@b", describedBy: ["note"] });
    expect(text).toContain(
      'aria-describedby="note field-email-error field-email-hint" aria-invalid="true" autofocus=""',
    );
    expect(text).toContain('<p class="wrong" id="field-email-error" role="alert">Wrong</p>');
    expect(text).toContain('<p class="hint" id="field-email-hint">Like a@b</p>');
  });

  it.each([
    "onfocus",
    "style",
    "src",
    "srcdoc",
    "formaction",
    "form",
    "x y",
    "a=b",
    "type",
    "id",
    "name",
    "value",
    "A",
    "",
  ])("H296 drops the attribute %j", (name) => {
    expect(field({ attributes: { [name]: "x" } })).toBe(field({}));
  });
});

describe("form()", () => {
  it("sends hidden fields first, without those that have no value", () => {
    const text = components.form({ action: "/a", hidden: { csrfToken: null, b: "", c: "d" }, content: html`<i></i>` });
    expect(text.toString()).toBe(`<form method="post" action="/a">
<input type="hidden" name="b" value=""><input type="hidden" name="c" value="d">
<i></i>
</form>
`);
  });
});

describe("notice()", () => {
  it("is read out at once, when there is time, or as part of the page", () => {
    expect(String(components.notice({ kind: "error", text: "x" }))).toContain('role="alert"');
    expect(String(components.notice({ kind: "status", text: "x" }))).toContain('role="status"');
    expect(String(components.notice({ text: "x" }))).not.toContain("role");
    expect(components.notice({ text: null })).toBeNull();
  });
});

describe("confirmation()", () => {
  it("asks without a script: the form is inside what its button opens", () => {
    const content = html`<form></form>`;
    const text = components.confirmation({ label: "Remove", text: "It is gone.", form: content }).toString();
    expect(text).toMatch(
      /^<details class="confirm"><summary class="button danger">Remove<\/summary>[\s\S]*<form>[\s\S]*<\/details>/,
    );
  });
});

describe("time()", () => {
  const at = new Date("2026-11-26T15:00:00Z");
  const ago = (seconds: number, lang = "en") =>
    components
      .time(at, { lang, now: at.getTime() / 1000 + seconds })
      .toString()
      .replace(/<[^>]*>/g, "");

  it.each([
    [0, "now"],
    [59, "now"],
    [60, "1 minute ago"],
    [3599, "59 minutes ago"],
    [7300, "2 hours ago"],
    [86_400, "yesterday"],
    [8 * 86_400, "last week"],
    [400 * 86_400, "last year"],
    [-7200, "in 2 hours"],
  ])("writes a time %i seconds ago as %j", (seconds, text) => {
    expect(ago(seconds)).toBe(text);
  });

  it("writes the day without the present, and the exact time for programs", () => {
    expect(components.time(at, { lang: "en-GB" }).toString()).toMatch(
      /^<time datetime="2026-11-26T15:00:00\.000Z" title="26 November 2026[^"]*15:00 UTC">26 November 2026<\/time>$/,
    );
  });

  it("speaks the language of the page, and English where that is no language", () => {
    expect(ago(7200, "de")).toBe("vor 2 Stunden");
    expect(ago(7200, "not a language")).toBe("2 hours ago");
  });
});
