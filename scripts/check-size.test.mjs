import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkSize } from "./check-size.mjs";
import { plantTree } from "./plant-tree.mjs";

const core = (text) => plantTree({ "packages/core/dist/index.js": text });
const random = (bytes) => randomBytes(bytes).toString("base64url");

describe("checkSize()", () => {
  it("prints the figure of a small core", async () => {
    const { problems, notes } = await checkSize(core("export const Auth = () => 1;"));
    expect(problems).toEqual([]);
    expect(notes[0]).toMatch(/^core with one provider: \d+ bytes/);
  });

  it("refuses a core over the limit, and says what it consists of", async () => {
    const { problems } = await checkSize(core(`export const Auth = () => "${random(40_000)}";`));
    expect(problems[2]).toMatch(/core 5\d{4}/);
  });

  it("refuses a core of exactly the limit", async () => {
    const root = core("export const Auth = () => 1;");
    const [, bytes] = /: (\d+) bytes/.exec((await checkSize(root)).notes[0]);
    expect((await checkSize(root, { max: Number(bytes) })).problems).toHaveLength(3);
    expect((await checkSize(root, { max: Number(bytes) + 1 })).problems).toEqual([]);
  });

  it("does not count what an application would not bundle", async () => {
    const text = `export const Auth = () => 1;\nexport const unused = "${random(40_000)}";`;
    expect((await checkSize(core(text))).problems).toEqual([]);
  });

  it("counts what is imported statically, through however many files, and tells what is imported later", async () => {
    const much = `export const text = "${random(40_000)}";`;
    const plant = (index) =>
      plantTree({
        "packages/core/dist/index.js": index,
        "packages/core/dist/between.js": 'export * from "./much.js";',
        "packages/core/dist/much.js": much,
      });
    const lazy = 'export const Auth = async () => (await import("./between.js")).text;';
    const { problems, notes } = await checkSize(plant(lazy));
    expect(problems).toEqual([]);
    expect(notes[1]).toMatch(/^later, when asked for: 4\d{4}; in one file: 4\d{4}$/);
    const both = `import { text } from "./between.js";\n${lazy.replace("Auth", "later")}\nexport const Auth = () => [text, later];`;
    expect((await checkSize(plant(both))).problems).toHaveLength(3);
  });

  it("fails when there is no built core", async () => {
    await expect(checkSize(plantTree({}))).rejects.toThrow("packages/core/dist/index.js");
  });
});
