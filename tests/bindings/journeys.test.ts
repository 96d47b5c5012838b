/** The journeys of `bindingContract`, on every framework. */
import { readFile } from "node:fs/promises";
import { bindingContract } from "@cardea/testing/binding-contract";
import { afterAll, describe, expect, it } from "vitest";
import { APPLICATIONS } from "./applications.ts";

// Not defined, and therefore not counted as skipped: `npm run test:all` runs them all.
describe.each(APPLICATIONS.filter(({ skipped }) => skipped === undefined))("$name", (application) => {
  bindingContract({ describe, it, expect, afterAll }, application);
});

describe("prerendered pages of SvelteKit", () => {
  it("are rendered without a session", async () => {
    const page = await readFile(`${import.meta.dirname}/sveltekit/dist/prerendered/about.html`, "utf8");
    expect(page).toContain("<b>visitor</b>");
  });
});
