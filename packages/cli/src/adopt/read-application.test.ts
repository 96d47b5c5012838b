import { describe, expect, it } from "vitest";
import { readApplication } from "./read-application.ts";

function refusal(next: string, installed?: string): string | undefined {
  const manifest = JSON.stringify({ dependencies: { next, "next-auth": "4.24.11" } });
  const versions = installed === undefined ? new Map<string, string>() : new Map([["next", installed]]);
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
});
