import { describe, expect, it } from "vitest";
import { readApplication } from "./read-application.ts";

const NEXT = { npm: "next", library: "next-auth" };
const KIT = { npm: "@sveltejs/kit", library: "@auth/sveltekit" };

function refusal(range: string, installed?: string, { npm, library } = NEXT): string | undefined {
  const manifest = JSON.stringify({ dependencies: { [npm]: range, [library]: "4.24.11" } });
  const versions = installed === undefined ? new Map<string, string>() : new Map([[npm, installed]]);
  const read = readApplication({ files: new Map([["/package.json", manifest]]), installed: versions });
  return read !== null && "refused" in read ? read.refused : undefined;
}

describe("readApplication()", () => {
  it.each(["14.1.4", "~14.0.3", "=14.1.0", "13.5.6", "^13.4.0"])("refuses Next.js %s", (range) => {
    expect(refusal(range)).toContain(`Next.js ${range} is not supported`);
  });

  it.each(["^14.0.0", "^14.1.4", "14.2.0", "~14.2.1", "14", "15.0.0"])("accepts Next.js %s", (range) => {
    expect(refusal(range)).toBeUndefined();
  });

  it("decides by the installed version, where there is one", () => {
    expect(refusal("^14.0.0", "14.1.4")).toContain("Next.js 14.1.4");
    expect(refusal("14.1.x", "14.2.35")).toBeUndefined();
  });

  it.each(["^1.20.4", "2.8.3", "~2.25.0"])("refuses SvelteKit %s", (range) => {
    expect(refusal(range, undefined, KIT)).toBe(
      `SvelteKit ${range} is not supported: update it to 2.26 or later, then run the command again.`,
    );
  });

  it.each(["^2.0.0", "2.26.0", "^3.0.0", "latest"])("accepts SvelteKit %s", (range) => {
    expect(refusal(range, undefined, KIT)).toBeUndefined();
    expect(refusal(range, "2.8.3", KIT)).toContain("SvelteKit 2.8.3");
  });
});
