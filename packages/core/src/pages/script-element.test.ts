import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Auth } from "../index.ts";
import { PAGE_SCRIPT } from "./page-script.ts";

const fields = (type: string) => ({
  id: "staff",
  name: "Staff",
  type: "credentials" as const,
  credentials: { username: {}, word: { type } },
  authorize: () => null,
});

async function signInPage(type: string) {
  const response = await Auth(new Request("https://app.example.com/auth/signin"), {
    ...{ providers: [fields(type)], secret: "a secret of more than thirty-two bytes for tests", trustHost: true },
    texts: { showPassword: 'Show <it> "now"' },
  });
  return { policy: response.headers.get("content-security-policy"), html: await response.text() };
}

describe("renderPageScript()", () => {
  it("H296 is in pages with a password field, allowed by the hash of what the page contains", async () => {
    const { policy, html } = await signInPage("password");
    const [, script = ""] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    expect(script).toBe(PAGE_SCRIPT);
    const hash = createHash("sha256").update(script).digest("base64");
    expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}'; style-src`);
    expect(html).toContain('title="Show &#60;it&#62; &#34;now&#34;"');
  });

  it("H296 is in no other page", async () => {
    const { policy, html } = await signInPage("text");
    expect(html).not.toMatch(/<script|<template/);
    expect(policy).not.toContain("script-src");
  });

  it("is small, the same in every encoding, and fits in a script element", () => {
    expect(PAGE_SCRIPT).toMatch(/^[!-;=-~ ]{1,1024}$/);
  });
});
