import { describe, expect, it } from "vitest";
import { isPlainTarget, splitTarget } from "./split-target.ts";

describe("splitTarget()", () => {
  it.each([
    ["/a/b?c=/d?e#f", "/a/b", "?c=/d?e"],
    ["/a#b?c", "/a", ""],
    ["//a@b/c", "//a@b/c", ""],
    ["/a;b?c", "/a;b", "?c"],
    ["http://localhost/a?b", "/a", "?b"],
    ["HTTPS://[::1]:80", "/", ""],
    ["http://localhost?b", "/", "?b"],
  ])("splits %j by characters", (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });

  it.each(["", "*", "a/b", "http:/a", "http://a@b/c", "http://a\\b/c", "ftp://a/b", "http://a:123456/"])(
    "refuses %j",
    (target) => expect(splitTarget(target)).toBeNull(),
  );

  it("lets a semicolon begin the query where the router does", () => {
    expect(splitTarget("/a;b?c", true)).toEqual({ path: "/a", query: "" });
    expect(splitTarget("/a?b;c", true)).toEqual({ path: "/a", query: "?b;c" });
  });
});

describe("isPlainTarget()", () => {
  it.each([
    ["/a/b?c=/d?e", true],
    ["http://localhost/", true],
    ["https://[::1]:80/a?b", true],
    ["http://localhost", false],
    ["http://localhost?a/b", false],
    ["HTTP://localhost/a", false],
    ["/a#b", false],
    ["/a?b#c", false],
    ["*", false],
    ["", false],
  ])("of %j is %j", (target, isPlain) => expect(isPlainTarget(target)).toBe(isPlain));
});
