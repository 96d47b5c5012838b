import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findExcerptProblems, withoutExcerpts } from "./excerpts.mjs";

const root = mkdtempSync(join(tmpdir(), "excerpts-"));
writeFileSync(join(root, "a.ts"), "function a() {\n  if (b) {\n    c();\n  }\n  d();\n\n  e();\n}\n");
afterAll(() => rmSync(root, { recursive: true }));

const documentOf = (code) => `# A\n\nFrom [\`a.ts\`](./a.ts):\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
const problemsOf = (code) => findExcerptProblems(root, { path: "a.md", text: documentOf(code) });

describe("findExcerptProblems()", () => {
  it.each([
    ["lines of the file, without their common indentation", "if (b) {\n  c();\n}"],
    ["lines with an empty one between them", "  d();\n\n  e();"],
    ["lines in their order, where code was left out", "function a() {\n  // …\n  d();\n  // …\n}"],
  ])("accepts %s", (_, code) => {
    expect(problemsOf(code)).toEqual([]);
  });

  it.each([
    ["a changed line", "if (b) {\n  x();\n}", "x();"],
    ["a line that is only a part of one", "(b) {\n  c();\n}", "(b) {"],
    ["another order", "d();\n// …\nif (b) {", "if (b) {"],
    ["an omission that is not marked", "d();\ne();", "e();"],
    ["lines that are indented differently", "if (b) {\nc();\n}", "c();"],
  ])("rejects %s, and names the line and the remedy", (_, code, line) => {
    expect(problemsOf(code)).toEqual([
      `a.md:6 a.ts no longer contains this excerpt, from "${line}": copy the code again, and read whether the text beside it still holds`,
    ]);
  });
});

describe("withoutExcerpts()", () => {
  it("keeps every line, and every other block", () => {
    const other = "```ts\nconst x = 1;\n```\n";
    const text = withoutExcerpts(`${documentOf("d();")}${other}`);
    expect(text).toBe(`# A\n\n\n\n\n\n\n${other}`);
  });
});
