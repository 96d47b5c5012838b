import { describe, expect, it } from "vitest";
import { checkRules } from "./check-rules.mjs";
import { plantPackage, plantTree } from "./plant-tree.mjs";

const rules = (files) => checkRules(plantPackage("core", files));
const lines = (count, line = "//") => Array(count).fill(line).join("\n");
const functionOf = (count) => `export function f() {\n${lines(count - 2)}\n}\n`;

describe("checkRules()", () => {
  it.each([
    ["any", "export const a: any = 1;"],
    ["any in a generic", "export const a: Array<any> = [];"],
    ["a non-null assertion", "export const a = (b?: { c: 1 }) => b!.c;"],
    ["a definite assignment", "export class A { b!: string }"],
    ["an enum", "export enum A { B }"],
    ["a const enum", "export const enum A { B }"],
    ["a namespace", "export namespace A { export const b = 1; }"],
    ["an empty catch", "try { f(); } catch { /* never mind */ }"],
    ["an ignored error", "// @ts-" + "ignore\nexport const a = 1;"],
    ["an expected error", "// @ts-" + "expect-error\nexport const a = 1;"],
    ["an unchecked file", "// @ts-" + "nocheck\nexport const a = 1;"],
  ])("refuses %s", (_, text) => {
    expect(rules({ "a.ts": text }).problems).toHaveLength(1);
    expect(rules({ "a.test.ts": text }).problems).toEqual([]);
  });

  it("names the file and the line", () => {
    expect(rules({ "flows/a.ts": "\n\nexport const a: any = 1;" }).problems[0]).toMatch(
      "packages/core/src/flows/a.ts:3 ",
    );
  });

  it("accepts module augmentation, as const, satisfies and a catch that does something", () => {
    const text = [
      'declare module "@cardea/core" { interface User { a: 1 } }',
      "export const a = { b: 1 } as const satisfies object;",
      "try { a; } catch (error) { throw new Error(String(error)); }",
      'export const many = "any"; // any more, as string!',
    ];
    expect(rules({ "a.ts": text.join("\n") })).toEqual({ problems: [], notes: [] });
  });

  it("notes three casts in a file and refuses four", () => {
    const cast = "f(a as string);";
    expect(rules({ "a.ts": lines(3, cast) })).toMatchObject({ problems: [], notes: { length: 3 } });
    expect(rules({ "a.ts": lines(4, cast) })).toMatchObject({ problems: { length: 4 }, notes: [] });
    expect(rules({ "a.ts": lines(4, "f(<string>a);") }).problems).toHaveLength(4);
  });

  it("accepts any number of casts in a parser", () => {
    const nothing = { problems: [], notes: [] };
    expect(rules({ "parse-request.ts": lines(9, "f(a as string);") })).toEqual(nothing);
    expect(rules({ "a.ts": `function parseA() {\n${lines(9, "f(a as string);")}\n}` })).toEqual(nothing);
    expect(rules({ "a.ts": `const parseA = () => {\n${lines(9, "f(() => a as string);")}\n}` })).toEqual(nothing);
  });

  it("accepts a file of 250 lines and refuses one of 251", () => {
    expect(rules({ "a.ts": `${lines(250)}\n` }).problems).toEqual([]);
    expect(rules({ "a.ts": `${lines(251)}\n` }).problems).toHaveLength(1);
  });

  it("accepts a function of 40 lines, notes one of 41, refuses one of 61", () => {
    expect(rules({ "a.ts": functionOf(40) })).toEqual({ problems: [], notes: [] });
    expect(rules({ "a.ts": functionOf(41) })).toMatchObject({ problems: [], notes: { length: 1 } });
    expect(rules({ "a.ts": functionOf(60) })).toMatchObject({ problems: [], notes: { length: 1 } });
    expect(rules({ "a.ts": functionOf(61) })).toMatchObject({ problems: { length: 1 }, notes: [] });
  });

  it("does not count a doc comment as part of its function", () => {
    expect(rules({ "a.ts": `/**\n${lines(20, " *")}\n */\n${functionOf(40)}` }).notes).toEqual([]);
  });

  it.each(["utils.ts", "flows/helpers.ts", "common/a.ts", "util.test.ts"])("refuses a file called %s", (path) => {
    expect(rules({ [path]: "" }).problems).toHaveLength(1);
  });

  it("holds for the scripts too", () => {
    expect(checkRules(plantTree({ "scripts/a.mjs": functionOf(61) })).problems).toHaveLength(1);
  });
});
