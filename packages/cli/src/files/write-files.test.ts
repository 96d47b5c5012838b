import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFiles } from "./write-files.ts";

let root = "";
const at = (...path: string[]) => join(root, "app", ...path);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cardea-write-"));
  mkdirSync(at("src"), { recursive: true });
  mkdirSync(join(root, "outside"));
  writeFileSync(at("src/a.ts"), "a");
  writeFileSync(join(root, "outside/a.ts"), "outside");
});

afterEach(() => rmSync(root, { recursive: true }));

const KNOWN = new Map([["/src/a.ts", "a"]]);

async function write(changes: Readonly<Record<string, string | null>>, known: ReadonlyMap<string, string> = KNOWN) {
  return writeFiles(at(), new Map(Object.entries(changes)), known);
}

const tree = () => readdirSync(root, { recursive: true }).map(String).sort();

describe("writeFiles()", () => {
  it("replaces, removes and creates files, and can undo it", async () => {
    chmodSync(at("src/a.ts"), 0o640);
    const before = tree();
    const written = await write({ "/src/a.ts": "A", "/new/deep/b.ts": "b", "/new/c.ts": "c" });
    if ("refused" in written) throw new Error(written.refused);
    expect(readFileSync(at("src/a.ts"), "utf8")).toBe("A");
    expect(lstatSync(at("src/a.ts")).mode & 0o777).toBe(0o640);
    expect(readFileSync(at("new/deep/b.ts"), "utf8")).toBe("b");
    await written.undo();
    expect([tree(), readFileSync(at("src/a.ts"), "utf8")]).toEqual([before, "a"]);
    expect(lstatSync(at("src/a.ts")).mode & 0o777).toBe(0o640);
    const removed = await write({ "/src/a.ts": null });
    if ("refused" in removed) throw new Error(removed.refused);
    expect(existsSync(at("src/a.ts"))).toBe(false);
    await removed.undo();
    expect(readFileSync(at("src/a.ts"), "utf8")).toBe("a");
  });

  it.each<[string, () => void, string, ReadonlyMap<string, string>]>([
    ["a file that was not read", () => writeFileSync(at("b.ts"), "b"), "/b.ts", KNOWN],
    ["a link to a file", () => symlinkSync("../outside/a.ts", at("b.ts")), "/b.ts", new Map([["/b.ts", "outside"]])],
    ["a link to nothing", () => symlinkSync("../outside/new.ts", at("b.ts")), "/b.ts", KNOWN],
    ["a link to a folder", () => symlinkSync("../outside", at("b")), "/b/a.ts", new Map([["/b/a.ts", "outside"]])],
    ["a new file behind a link", () => symlinkSync("../../outside", at("src/b")), "/src/b/c/d.ts", KNOWN],
    ["a folder", () => mkdirSync(at("b.ts")), "/b.ts", KNOWN],
    ["a file below a file", () => undefined, "/src/a.ts/b.ts", KNOWN],
    ["a file that was changed in the meantime", () => undefined, "/src/a.ts", new Map([["/src/a.ts", "former"]])],
    ["a file that was removed in the meantime", () => undefined, "/b.ts", new Map([["/b.ts", "former"]])],
    ["a path out of the folder", () => undefined, "/../outside/a.ts", new Map([["/../outside/a.ts", "outside"]])],
  ])("writes nothing if one path is %s", async (_, prepare, path, known) => {
    prepare();
    const before = tree();
    const written = await write({ "/src/a.ts": "A", "/c.ts": "c", [path]: "new" }, new Map([...KNOWN, ...known]));
    expect(written).toEqual({ refused: expect.stringMatching(/^\/\S+ /) });
    expect(tree()).toEqual(before);
    expect(readFileSync(at("src/a.ts"), "utf8")).toBe("a");
    expect(readFileSync(join(root, "outside/a.ts"), "utf8")).toBe("outside");
  });

  it("does not change the other names of a file", async () => {
    linkSync(at("src/a.ts"), join(root, "outside/same.ts"));
    await write({ "/src/a.ts": "A" });
    expect(readFileSync(join(root, "outside/same.ts"), "utf8")).toBe("a");
  });

  it("restores everything if a file cannot be written", async () => {
    const before = tree();
    const written = await write({ "/src/a.ts": "A", "/new/b.ts": "b", "/new/b.ts/c.ts": "c" });
    expect(written).toEqual({ refused: expect.stringMatching(/^E[A-Z]+: /) });
    expect([tree(), readFileSync(at("src/a.ts"), "utf8")]).toEqual([before, "a"]);
  });
});
