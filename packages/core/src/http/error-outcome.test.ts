import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ERROR_OUTCOMES, type ErrorOutcome } from "./error-outcome.ts";

const page = readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8");
const [table = "", ...sections] = page.split(/^## /m);
const rows = [...table.matchAll(/^\| \[(\w+)\]\(#(\w+)\) \| (.+) \| (.*) \| (\w+) \|$/gm)].map((cells) =>
  cells.slice(1),
);

/** The page that a browser sees, with the value of `error`. */
function responseOf({ page, error }: ErrorOutcome["show"]): string {
  const name = page === "signin" ? "sign-in page" : "error page";
  return `${name}, ${error === null ? "without a value" : `\`error=${error}`}`;
}

describe("docs/errors.md", () => {
  it("has a row and a section for each error, in alphabetical order, and no other", () => {
    const types = Object.keys(ERROR_OUTCOMES).toSorted();
    expect(rows.map(([type]) => type)).toEqual(types);
    expect(rows.map(([, anchor]) => anchor)).toEqual(types.map((type) => type.toLowerCase()));
    expect(sections.map((section) => section.split("\n")[0])).toEqual(types);
  });

  it.each(Object.entries<ErrorOutcome>(ERROR_OUTCOMES))("describes %s as it is answered", (type, outcome) => {
    const [, , response = "", status, log] = rows.find(([name]) => name === type) ?? [];
    expect(log).toBe(outcome.log);
    // A response that the row describes in its own words has no status of its own.
    if (status !== "") expect(status).toBe(String(outcome.status));
    if (status !== "" || response.includes("error=")) expect(response).toContain(responseOf(outcome.show));
    const [, text, cause, remedy] = sections.find((section) => section.startsWith(`${type}\n`))?.split("\n\n") ?? [];
    expect([text, cause, remedy]).toEqual([
      expect.any(String),
      expect.stringMatching(/^\*\*Cause:\*\* ./),
      expect.stringMatching(/^\*\*What to do:\*\* ./),
    ]);
  });
});
