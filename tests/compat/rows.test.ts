// Each row of "What changes" has a test of what it says, found by its anchor.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { GUARDS } from "./rows/guards.ts";
import { CARDEA, formerLibrary } from "./rows/library.ts";
import { OPTIONS } from "./rows/options.ts";
import { REQUESTS } from "./rows/requests.ts";
import { SESSIONS } from "./rows/sessions.ts";
import { SIGN_IN } from "./rows/sign-in.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/from-authjs.md"), "utf8");
const changes = page.slice(page.indexOf("## What changes"), page.indexOf("## Sessions that go on"));

/** The tables that compare: what was, what is, and why. */
const tables = [...changes.matchAll(/^\| \| Auth\.js \| Cardea \| why \|\n\|[-|]+\|\n((?:\|.*\n)+)/gm)];
const rows = tables
  .flatMap(([, lines = ""]) => lines.trimEnd().split("\n"))
  .map((line) => ({
    line,
    key: /^\| <a id="([\w-]+)"><\/a>/.exec(line)?.[1] ?? "",
    cells: line.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  }));

const observed = Object.entries({ ...SESSIONS, ...SIGN_IN, ...REQUESTS, ...OPTIONS, ...GUARDS }).map(
  ([key, given]) => ({
    key,
    ...(typeof given === "function" ? { shows: given, control: undefined } : given),
  }),
);

const folders = [
  join(import.meta.dirname),
  ...readdirSync(join(root, "packages")).flatMap((name) =>
    ["src", "test"].map((part) => join(root, "packages", name, part)),
  ),
].filter(existsSync);

/** The anchors that titles of other tests name: rows about frameworks, the browser and types. */
const elsewhere = folders
  .flatMap((folder) =>
    readdirSync(folder, { recursive: !folder.endsWith("compat"), encoding: "utf8" }).map((name) => join(folder, name)),
  )
  .filter((path) => /\.test\.(?:ts|mjs)$/.test(path) && path !== import.meta.filename)
  .flatMap((path) => readFileSync(path, "utf8").split("\n"))
  .filter((line) => !/^\s*(?:\/\/|\*)/.test(line))
  .flatMap((line) => [...line.matchAll(/docs\/from-authjs\.md#([\w-]+)/g)].map(([, key = ""]) => key));

describe("docs/from-authjs.md", () => {
  it.each(rows)("has an anchor, three cells and one test for $line", ({ key, cells }) => {
    expect(key).not.toBe("");
    expect(rows.filter((row) => row.key === key)).toHaveLength(1);
    expect(cells).toHaveLength(6);
    expect(cells.slice(1, 5).filter((cell) => cell === "")).toEqual([]);
    expect([...observed.map((one) => one.key), ...elsewhere]).toContain(key);
  });

  it("has a row for each test", () => {
    const keys = [...observed.map((one) => one.key), ...elsewhere];
    expect(keys.filter((key) => rows.every((row) => row.key !== key))).toEqual([]);
    expect(rows.length).toBeGreaterThan(80);
  });
});

describe("what a row says of Cardea", () => {
  it.each(observed)("docs/from-authjs.md#$key is so", async ({ shows }) => {
    vi.stubEnv("NODE_ENV", "test");
    await shows(CARDEA);
    vi.unstubAllEnvs();
  });

  it.each(observed)("docs/from-authjs.md#$key is not so of Auth.js, or of the control", async ({ shows, control }) => {
    vi.stubEnv("NODE_ENV", "test");
    const run = async () => (control === undefined ? shows(formerLibrary()) : control());
    const failed: unknown = await run().then(
      () => new Error("This is so of the control as well: the test cannot fail, or the row is no difference."),
      (error: unknown) => error,
    );
    vi.unstubAllEnvs();
    if (Object(failed).name !== "AssertionError") throw failed;
  });
});
