import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { explainError, similarErrors } from "./explain-error.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const warnings = read("docs/warnings.md");
const document = `${read("docs/errors.md")}\n${warnings}`;

/** `code: explanation` in any source: each warning of the library has this form. */
function codesInSources(): Set<string> {
  const packages = readdirSync(join(root, "packages")).filter((name) => name !== "testing" && name !== "cli");
  const codes = packages.flatMap((name) => {
    const folder = join(root, "packages", name, "src");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
    return sources.flatMap((file) =>
      [...readFileSync(join(folder, file), "utf8").matchAll(/["'`]([a-z]+(?:-[a-z]+)+): /g)].map(
        ([, code]) => code ?? "",
      ),
    );
  });
  return new Set(codes);
}

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

  it("finds a warning by its code, or by the line of the log", () => {
    const [found] = explainError(document, "missing-secret");
    expect(found?.text).toContain("What to do: Run `npx @cardea/cli secret`");
    expect(explainError(document, "[cardea][warn] missing-secret: AUTH_SECRET is not set.")).toEqual([found]);
    expect(explainError(document, "[cardea][error] AccessDenied: no")).toEqual(explainError(document, "AccessDenied"));
    expect(similarErrors(document, "missing-secrets")).toContain("missing-secret");
  });

  it("finds nothing for another word, and names similar ones", () => {
    expect(explainError(document, "Missing")).toEqual([]);
    expect(similarErrors(document, "MissingSecret")).toContain("MissingSecretError");
  });
});

describe("docs/warnings.md", () => {
  it("has a section for each warning in the sources, in alphabetical order, and no other", () => {
    const titles = [...warnings.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual([...codesInSources()].toSorted());
  });

  it("says for each what to do", () => {
    for (const section of warnings.split(/^## /m).slice(1)) expect(section).toContain("\n**What to do:** ");
  });
});
