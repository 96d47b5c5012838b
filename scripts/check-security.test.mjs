import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkSecurity, writeSecurity } from "./check-security.mjs";
import { plantTree } from "./plant-tree.mjs";

const table = "<!-- checklist: scripts/check-security.mjs -->\n<!-- /checklist -->\n";
const tests = 'it("H001 refuses a form");\nit.each([["H002 a", 1]])("%s is refused");\nit("masks a field");\n';

function plant({ answers = [], text = table } = {}) {
  const root = plantTree({
    "SECURITY.md": text,
    "docs/coverage/asvs.json": JSON.stringify(answers),
    "packages/core/src/pages/a.test.ts": tests,
    "packages/core/src/flows/b.ts": "",
  });
  return { root, read: () => readFileSync(join(root, "SECURITY.md"), "utf8") };
}

const answer = (more) => ({ id: "1.1", question: "Is it so", answer: "yes", ...more });

describe("writeSecurity()", () => {
  it("writes each answer with the names of its tests", () => {
    const answers = [
      answer({ tests: ["H001", "H002"] }),
      answer({ id: "1.2", tests: ["pages/a.test.ts › masks a field"], note: "always" }),
      answer({ id: "1.3", answer: "no", note: "not yet" }),
    ];
    const { root, read } = plant({ answers });
    expect(writeSecurity(root)).toEqual([]);
    expect(read()).toContain("| 1.1 | Is it so | yes | H001 refuses a form<br>H002 a is refused |  |\n");
    expect(read()).toContain(
      "| 1.2 | Is it so | yes | masks a field | always |\n| 1.3 | Is it so | no |  | not yet |\n",
    );
    expect(checkSecurity(root)).toEqual([]);
  });
});

describe("checkSecurity()", () => {
  it.each([
    ["a number that no test carries", { tests: ["H003"] }, "1.1 names the test “H003”, which is not there"],
    ["a renamed test", { tests: ["pages/a.test.ts › masks"] }, "1.1 names the test “pages/a.test.ts › masks”"],
    ["a test of another file", { tests: ["pages/b.test.ts › masks a field"] }, "which is not there"],
    ["a yes without a test", {}, "1.1 says yes, and names no test"],
    ["a no without a reason", { answer: "no", tests: ["H001"] }, "1.1 gives no reason"],
    ["another answer", { answer: "perhaps", note: "x" }, "1.1 needs a question, and yes, partly or no"],
  ])("refuses %s", (_what, more, problem) => {
    const { root } = plant({ answers: [answer(more)] });
    expect(writeSecurity(root)).toEqual([expect.stringContaining(problem)]);
  });

  it("takes a link to a part of the page for a question about documentation", () => {
    const { root } = plant({ answers: [answer({ note: "[here](#here)" })] });
    expect(writeSecurity(root)).toEqual([]);
  });

  it("refuses files that are not there, and takes those below core or the root", () => {
    const { root } = plant({
      text: `\`flows/b.ts\` \`packages/core/src/flows/b.ts\` \`flows/\`\n\n\`flows/c.ts\`\n${table}`,
    });
    expect(writeSecurity(root)).toEqual(["SECURITY.md:3 names flows/c.ts, which is not there"]);
  });

  it("refuses a promise that lacks its rule, file or test", () => {
    const head = "| promise | rule | file | tests |\n|---|---|---|---|\n";
    const { root } = plant({ text: `${head}| a | b | c | H001 |\n| a | | c | H001 |\n\n${table}` });
    expect(writeSecurity(root)).toEqual(["SECURITY.md:4 promises without rule, file or test"]);
  });

  it("notices a table that is out of date, and a page without a place for one", () => {
    const { root } = plant({ answers: [answer({ tests: ["H001"] })] });
    expect(checkSecurity(root)).toEqual([expect.stringContaining("is out of date")]);
    expect(checkSecurity(plant({ text: "# X\n" }).root)).toEqual([expect.stringContaining("no place")]);
  });
});
