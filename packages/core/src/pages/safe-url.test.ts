import { describe, expect, it } from "vitest";
import { parseImage, safeHref } from "./safe-url.ts";

const HOST = "app.example.com";

describe("parseImage()", () => {
  it.each([
    ["/logo.svg", "/logo.svg"],
    ["/a b.png?x=1", "/a b.png?x=1"],
    ["data:image/png;base64,AA==", "data:image/png;base64,AA=="],
    ["data:image/svg+xml,<svg>", "data:image/svg+xml,<svg>"],
    ["https://app.example.com/logo.png?v=2#x", "/logo.png?v=2"],
    ["http://APP.example.com/logo.png", "/logo.png"],
  ])("takes %s", (value, expected) => {
    expect(parseImage(value, HOST)).toBe(expected);
  });

  it.each([
    "javascript:x",
    "JaVaScRiPt:alert(1)",
    " javascript:x",
    "data:text/html,<script>x</script>",
    "data:image/svg+xmlx,<svg>",
    "data:image/bmp,x",
    "vbscript:x",
    "blob:https://app.example.com/x",
    "//evil.example/x.png",
    "/\\evil.example/x.png",
    "/\t/evil.example/x.png",
    "https://evil.example/x.png",
    "https://app.example.com.evil.example/x.png",
    "https://app.example.com:8443/x.png",
    "https://app.example.com//evil.example/x.png",
    "https://",
    "logo.png",
    "",
    undefined,
    7,
  ])("H294 refuses %j", (value) => {
    expect(parseImage(value, HOST)).toBeNull();
  });
});

describe("safeHref()", () => {
  it.each(["/", "/auth/signin?x=1", "https://app.example.com/", "http://localhost:3000/a"])("keeps %s", (url) => {
    expect(safeHref(url)).toBe(url);
  });

  it.each([
    ...["javascript:alert(1)", " javascript:x", "java\tscript:x", "data:text/html,x", ""],
    ...["//evil.example", "/\\evil.example", "/\t/evil.example", "/\n/evil.example", "/\r\\evil.example"],
  ])("H294 goes to the root instead of %j", (url) => {
    expect(safeHref(url)).toBe("/");
  });
});
