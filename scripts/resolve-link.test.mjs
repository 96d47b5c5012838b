import { describe, expect, it } from "vitest";
import { documentOf, resolveLink } from "./resolve-link.mjs";

describe("resolveLink()", () => {
  it.each([
    ["sessions.md", "./cookies.md", "/cookies.md"],
    ["sessions.md", "errors.md#accessdenied", "/errors.md#accessdenied"],
    ["providers/oauth.md", "../sessions.md", "/sessions.md"],
    ["sessions.md", "../packages/core/README.md#options", "/packages/core.md#options"],
    ["packages/core.md", "../../docs/errors.md", "/errors.md"],
    ["packages/core.md", "../express/README.md", "/packages/express.md"],
    ["packages/core.md", "../../SECURITY.md#cookies", "/promises.md#cookies"],
    ["promises.md", "docs/coverage.md", "/coverage.md"],
    ["promises.md", "decisions/001-tokens.md", "/decisions/001-tokens.md"],
    ["coverage.md", "../bench/README.md", "/benchmarks.md"],
    ["packages/express.md", "../../examples/express/README.md", "/examples/express.md"],
  ])("on %s leads from %s to %s", (page, href, target) => {
    expect(resolveLink(page, href)).toEqual({ href: target });
  });

  it.each([
    ["packages/express.md", "../../examples/express", "examples/express"],
    ["packages/adapter-prisma.md", "prisma/schema.sqlite.sql", "packages/adapter-prisma/prisma/schema.sqlite.sql"],
    ["promises.md", "LICENSE", "LICENSE"],
    ["examples/next.md", "app/api/auth/%5B...auth%5D/route.ts", "examples/next/app/api/auth/[...auth]/route.ts"],
  ])("on %s names the file behind %s", (page, href, file) => {
    expect(resolveLink(page, href)).toEqual({ file });
  });

  it.each(["#cookies", "https://example.com/a.md", "mailto:ann@example.com", "/sessions"])(
    "leaves %s alone",
    (href) => {
      expect(resolveLink("sessions.md", href)).toEqual({ href });
    },
  );
});

describe("documentOf()", () => {
  it.each([
    ["sessions.md", "docs/sessions.md"],
    ["packages/core.md", "packages/core/README.md"],
    ["promises.md", "SECURITY.md"],
    ["benchmarks.md", "bench/README.md"],
  ])("is, for %s, %s", (page, document) => {
    expect(documentOf(page)).toBe(document);
  });
});
