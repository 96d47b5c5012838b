import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseEmailAddress } from "./email-address.ts";
import { parseUrl } from "./parse-url.ts";

/** Calls after which V8 has optimized what it calls. */
const OPTIMIZED = 6_000;

describe("parseUrl()", () => {
  it.each([
    ["https://m\u00fcller.example/", undefined, "https://xn--mller-kva.example/"],
    ["/caf\u00e9", "https://app.example.com", "https://app.example.com/caf%C3%A9"],
    ["https://\u65e5\u672c.example/", undefined, "https://xn--wgv71a.example/"],
    ["http://\u00f0\u009f\u00a6\u0089", undefined, undefined],
    ["/relative", undefined, undefined],
    ["https://", undefined, undefined],
  ])("parses %j with base %j, the first time and after many", (text, base, href) => {
    const found = new Set(Array.from({ length: OPTIMIZED }, () => parseUrl(text, base)?.href));
    expect([...found]).toEqual([href]);
  });

  it("keeps accepting addresses with an umlaut in a process that has run for a while", () => {
    const found = new Set(Array.from({ length: OPTIMIZED }, () => parseEmailAddress("ann@m\u00fcller.example")));
    expect([...found]).toEqual(["ann@xn--mller-kva.example"]);
  });

  it("is what every released package uses in place of `URL.canParse`", () => {
    const packages = fileURLToPath(new URL("../../..", import.meta.url));
    const sources = readdirSync(packages)
      .filter((name) => name !== "testing" && existsSync(`${packages}${name}/src`))
      .flatMap((name) =>
        readdirSync(`${packages}${name}/src`, { recursive: true, encoding: "utf8" }).map(
          (file) => `${name}/src/${file}`,
        ),
      )
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file));
    expect(sources.length).toBeGreaterThan(200);
    const calling = (file: string) => /URL\.canParse\(/.test(readFileSync(`${packages}${file}`, "utf8"));
    expect(sources.filter(calling)).toEqual([]);
  });
});
