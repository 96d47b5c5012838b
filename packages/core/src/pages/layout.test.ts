import { describe, expect, it } from "vitest";
import type { Theme } from "../model/theme.ts";
import { html } from "./html.ts";
import { renderForm, renderLayout, renderLead } from "./layout.ts";
import { englishTexts } from "./texts.ts";

function render(theme: Theme = {}, texts = englishTexts): string {
  const frame = { theme, host: "app.example.com", nonce: 'n"' };
  return renderLayout({ title: "T<", main: html`<p>m</p>` }, frame, texts).toString();
}

describe("renderLayout()", () => {
  it("says language, direction, encoding and width, and stays out of search engines", () => {
    expect(render()).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">/);
    expect(render()).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(render()).toContain('<meta name="robots" content="noindex">');
    expect(render({}, { ...englishTexts, lang: "ar", dir: "rtl" })).toContain('<html lang="ar" dir="rtl">');
  });

  it("has one main landmark, one headline and one style element with the nonce", () => {
    for (const tag of ["<main>", "<h1>", "<style "]) expect(render().split(tag)).toHaveLength(2);
    expect(render()).toContain('<style nonce="n&#34;">');
    expect(render()).toContain("<h1>T&#60;</h1>");
  });

  it("omits the sentence that names the site where no host is trusted", () => {
    const lead = (host: string) =>
      renderLead("Try again. Or else, contact {host}. Bye!", { theme: {}, host, nonce: "n" }).toString();
    expect(lead("")).toBe('<p class="lead">Try again. Bye!</p>');
    expect(lead("a.example")).toBe('<p class="lead">Try again. Or else, contact <bdi>a.example</bdi>. Bye!</p>');
  });

  it("H296 needs no script, no style attribute, no handler and nothing remote", () => {
    expect(render()).not.toMatch(/<script|<link(?! rel="icon" href="data:,">)|<base|\sstyle=|\son\w+=|url\(|https?:/i);
  });

  it("H294 shows the application's logo where it is safe, else its initial", () => {
    expect(render({ logo: "/logo.svg" })).toContain('<img class="logo" src="/logo.svg" alt="">');
    expect(render({ logo: "/logo.svg" })).not.toContain('class="mark"');
    expect(render({ logo: "javascript:x" })).toBe(render());
    const initial = (brandName: string) => /class="mark" aria-hidden="true">([^<]*)</.exec(render({ brandName }))?.[1];
    const names = ["", "acme", " <Notes>", "42 Is", "é́lan", "Ω", "🙂"];
    expect(names.map(initial)).toEqual(["A", "A", "N", "4", "É́", "Ω", "🙂"]);
  });

  it("H294 leads back to the application from every page, and only to paths and http(s) URLs", () => {
    const back = (homeUrl?: string) => /<footer><a href="([^"]*)">(.*)<\/a>/.exec(render({ homeUrl }))?.slice(1);
    expect(back()).toEqual(["/", "Back to <bdi>app.example.com</bdi>"]);
    expect(back("/app?a=b&c")?.[0]).toBe("/app?a=b&#38;c");
    expect(back("https://www.example.com/")?.[0]).toBe("https://www.example.com/");
    for (const url of ["javascript:x", "//evil.example", "/\\evil.example", "", "a"]) expect(back(url)?.[0]).toBe("/");
    const unknown = renderLayout(
      { title: "T", main: html`` },
      { theme: {}, host: "", nonce: "n" },
      englishTexts,
    ).toString();
    expect(unknown).toContain('<footer><a href="/">Go to the home page</a></footer>');
    expect(unknown).not.toContain('class="mark"');
  });
});

describe("renderForm()", () => {
  it("posts the csrf token and the callback URL before everything else", () => {
    const form = renderForm({ action: "/a?b&c", csrfToken: "t", callbackUrl: "/x" }, html`<b></b>`).toString();
    expect(form).toBe(`<form method="post" action="/a?b&#38;c">
<input type="hidden" name="csrfToken" value="t"><input type="hidden" name="callbackUrl" value="/x">
<b></b>
</form>
`);
  });

  it("leaves the csrf token out where protection is off", () => {
    expect(renderForm({ action: "/", csrfToken: null, callbackUrl: "/" }, html``).toString()).not.toContain(
      "csrfToken",
    );
  });
});
