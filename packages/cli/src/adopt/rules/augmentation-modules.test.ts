import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

function move(text: string) {
  const manifest = JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": "4.24.7" } });
  const result = adopt({
    files: new Map([
      ["/package.json", manifest],
      ["/types/next-auth.d.ts", text],
    ]),
  });
  if ("refused" in result) throw new Error(result.refused);
  return { text: result.files.get("/types/next-auth.d.ts") ?? text, report: result.report };
}

const JWT = 'declare module "next-auth/jwt" {\n  interface JWT {\n    role: string;\n  }\n}\n';
const MOVED = JWT.replace("next-auth/jwt", "@cardea/next/jwt");

describe("importAugmented()", () => {
  it("adds an import to a file without one", () => {
    expect(move(`// The token.\n${JWT}`).text).toBe(`// The token.\nimport "@cardea/next/jwt";\n\n${MOVED}`);
  });

  it("adds one where the only import was not used", () => {
    const { text } = move(`import { JWT } from "next-auth/jwt";\n\n${JWT}`);
    expect(text).toMatch(/^import .*"@cardea\/next\/jwt";/);
    expect(text).toContain(MOVED);
  });

  it.each(['import "./other";\n', "export {};\n", "export type Role = string;\n"])(
    "keeps a file that is a module: %j",
    (line) => {
      expect(move(line + JWT).text).toBe(line + MOVED);
    },
  );

  it("names a file with global declarations", () => {
    const { text, report } = move(`${JWT}declare module "*.svg";\n`);
    expect(text).toBe(`${MOVED}declare module "*.svg";\n`);
    expect(report).toContainEqual(
      expect.objectContaining({ kind: "left", line: 1, what: '"@cardea/next/jwt" is replaced by this declaration' }),
    );
  });
});
