import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkDocsErrors, writeDocsErrors } from "./docs-errors.mjs";
import { plantTree } from "./plant-tree.mjs";

const base =
  '/** The base (spec 7). */\nexport class AuthError extends Error {\n  static type: ErrorType = "AuthError";\n}\n';
const errors = `
/** Says no,
 * twice. */
export class Refused extends AuthError {
  static override type = "AccessRefused" as const;
  status = "403" as const;
}
export class NoError {
  type = "NoError";
}
`;
const landings = `
export const LANDINGS = {
  AuthError: errorPage("Configuration", 500, "error"),
  AccessRefused: signin("Signin", 403, "warn"),
} as const satisfies Record<ErrorType, Landing>;
`;
const remedies = {
  AuthError: { cause: "None.", remedy: "None." },
  AccessRefused: { cause: "A callback said no.", remedy: "Ask it." },
};

function plant({ classes = errors, table = landings, words = remedies } = {}) {
  return plantTree({
    "packages/core/src/model/auth-error.ts": base,
    "packages/core/src/model/errors.ts": classes,
    "packages/core/src/response/landing.ts": table,
    "docs/errors/remedies.json": JSON.stringify(words),
  });
}

function write(root) {
  return { problems: writeDocsErrors(root), page: readFileSync(join(root, "docs/errors.md"), "utf8") };
}

describe("writeDocsErrors()", () => {
  it("writes comment, class, cause, remedy and landing under the type", () => {
    const { problems, page } = write(plant());
    expect(problems).toEqual([]);
    const part = page.slice(page.indexOf("## AccessRefused"), page.indexOf("## AuthError"));
    expect(part).toContain("Says no, twice. Its class is `Refused`.");
    expect(part).toContain("**Cause:** A callback said no.");
    expect(part).toContain("**What to do:** Ask it.");
    expect(page).toContain("| [AccessRefused](#accessrefused) | sign-in page, `error=Signin` | 403 | warn |");
    expect(page).toContain("The base.\n");
  });

  it("prefers what was written by hand where a row does not tell the whole story", () => {
    const words = { ...remedies, AccessRefused: { ...remedies.AccessRefused, answer: "a cup of tea", log: "error" } };
    expect(write(plant({ words })).page).toContain("| a cup of tea |  | error |");
  });

  it.each([
    ["a remedy", { words: { AuthError: remedies.AuthError } }, "remedies.json:1 has nothing for AccessRefused"],
    [
      "a landing",
      { table: landings.replace(/ {2}AccessRefused.*\n/, "") },
      "landing.ts:1 has nothing for AccessRefused",
    ],
    ["a class", { words: { ...remedies, Gone: remedies.AuthError } }, "names Gone, which is no error class"],
    ["a comment", { classes: errors.replace(/\/\*\*[^/]*\*\//, "") }, "AccessRefused has no doc comment"],
  ])("names the lack of %s", (_, tree, problem) => {
    expect(write(plant(tree)).problems).toEqual([expect.stringContaining(problem)]);
  });
});

describe("checkDocsErrors()", () => {
  it("accepts a page that is up to date, and refuses one that is not", () => {
    const root = plant();
    expect(checkDocsErrors(root)).toEqual([expect.stringContaining("out of date")]);
    write(root);
    expect(checkDocsErrors(root)).toEqual([]);
  });
});

describe("docs/errors.md", () => {
  it("has the place that the message of each error names", async () => {
    const page = readFileSync(join(import.meta.dirname, "../docs/errors.md"), "utf8");
    const headings = [...page.matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading.toLowerCase());
    const exported = Object.values(await import("../packages/core/src/model/errors.ts"));
    const classes = exported.filter((value) => typeof value === "function" && typeof value.type === "string");
    expect(classes.length).toBeGreaterThan(30);
    for (const ErrorClass of classes) {
      const anchor = /docs\/errors\.md#(\w+)\)$/.exec(new ErrorClass("x", {}).message)?.[1];
      expect(headings).toContain(anchor);
    }
  });
});
