import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { explainError, similarErrors } from "./explain-error.ts";

const document = readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8");

describe("explainError()", () => {
  it("finds an error by its type, in any case, as plain text", () => {
    const [found] = explainError(document, "accessdenied");
    expect(found?.title).toBe("AccessDenied");
    expect(found?.text).toContain("What to do:");
    expect(found?.text).not.toMatch(/\*\*|\]\(/);
  });

  it("finds every error that a page is given a value for", () => {
    expect(explainError(document, "OAuthSignin").map(({ title }) => title)).toContain("OAuthSignInError");
    expect(explainError(document, "OAuthCallbackError").length).toBeGreaterThan(0);
  });

  it("finds nothing for another word, and names similar ones", () => {
    expect(explainError(document, "Missing")).toEqual([]);
    expect(similarErrors(document, "MissingSecret")).toContain("MissingSecretError");
  });
});
