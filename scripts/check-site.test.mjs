import { describe, expect, it } from "vitest";
import { checkSite } from "./check-site.mjs";
import { plantTree } from "./plant-tree.mjs";

/** A site of index.html with `body`, a page in a folder, and errors.html with a place for each error. */
function check(body, more = {}) {
  return checkSite(
    plantTree({
      "docs/errors.md": "# Errors\n\n## AccessDenied\n\ntext\n",
      "docs/dist/errors.html": '<h2 id="accessdenied">AccessDenied</h2>',
      "docs/dist/deep/page.html": '<h2 id="über-uns">a</h2><a href="../index.html#top">up</a>',
      "docs/dist/index.html": `<main id="top">${body}</main>`,
      "docs/dist/a.png": "",
      ...more,
    }),
  );
}

describe("checkSite()", () => {
  it.each([
    '<a href="/errors.html#accessdenied">a</a>',
    '<a class="x" href="./deep/page.html">a</a>',
    '<a href="/deep/page.html#%C3%BCber-uns">a</a>',
    '<a href="/">a</a><a href="#top">b</a><a href="#">c</a>',
    '<a href="/a.png">a</a>',
    '<a href="https://elsewhere.example.com/nothing#there">a</a><a href="mailto:ann@example.com">b</a>',
    '<img src="/a.png"><script src="/assets/app.js"></script>',
  ])("accepts %s", (body) => {
    expect(check(body)).toEqual([]);
  });

  it.each(['<a href="/nothing.html">a</a>', '<a href="deep/nothing.html#x">a</a>', '<a href="/deep/">a</a>'])(
    "refuses a dead link: %s",
    (body) => {
      expect(check(body)).toEqual([expect.stringMatching(/^docs\/dist\/index\.html links to .*, which is not there$/)]);
    },
  );

  it.each(['<a href="/errors.html#nothing">a</a>', '<a href="#nothing">a</a>'])("refuses a dead anchor: %s", (body) => {
    expect(check(body)).toEqual([expect.stringContaining("#nothing, which has no such place")]);
  });

  it.each([
    '<script src="https://cdn.example.com/a.js"></script>',
    '<link rel="stylesheet" href="//fonts.example.com/a.css">',
    '<img src="http://example.com/badge.svg">',
  ])("refuses what is loaded from elsewhere: %s", (body) => {
    expect(check(body)).toEqual([expect.stringContaining("from elsewhere")]);
  });

  it.each(["@import 'https://fonts.example.com/a.css';", "@font-face{src:url(https://fonts.example.com/a.woff2)}"])(
    "refuses a style that loads from elsewhere: %s",
    (css) => {
      expect(check("", { "docs/dist/a.css": css })).toEqual([expect.stringContaining("from elsewhere")]);
    },
  );

  it("refuses a site without the place that an error names", () => {
    const found = check("", { "docs/errors.md": "## AccessDenied\n\n## InvalidCheck\n" });
    expect(found).toEqual(["docs/dist/errors.html has no place #invalidcheck, which errors name"]);
  });

  it("says so when there is no site", () => {
    expect(checkSite(plantTree({ "docs/errors.md": "" }))).toEqual([expect.stringContaining("pnpm docs:build")]);
  });
});
