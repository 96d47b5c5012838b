// Each row of the pages about moving has a test of what it says, found by its anchor.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { GUARDS } from "./rows/guards.ts";
import { CARDEA, formerLibrary } from "./rows/library.ts";
import { NEXTAUTH } from "./rows/nextauth.ts";
import { OPTIONS } from "./rows/options.ts";
import { REQUESTS } from "./rows/requests.ts";
import { SESSIONS } from "./rows/sessions.ts";
import { SIGN_IN } from "./rows/sign-in.ts";

const root = join(import.meta.dirname, "../..");
/** The pages, the part of each that compares, and the header of its tables. */
const PAGES = [
  {
    page: "from-authjs",
    from: "## What changes",
    to: "## Sessions that go on",
    header: "| | Auth.js | Cardea | why |",
  },
  { page: "from-nextauth", from: "## Step by step", to: "## Are users signed out?", header: "| v4 | here |" },
  {
    page: "from-nextauth",
    from: "## Step by step",
    to: "## Are users signed out?",
    header: "| | `withAuth`, in both | `auth` of an instance, which may replace it |",
  },
] as const;

const rows = PAGES.flatMap(({ page, from, to, header }) => {
  const text = readFileSync(join(root, `docs/${page}.md`), "utf8");
  const tables = text.slice(text.indexOf(from), text.indexOf(to)).split(`\n${header}\n`).slice(1);
  const lines = tables.flatMap((table) => table.split("\n\n", 1)[0]?.trimEnd().split("\n").slice(1) ?? []);
  return lines.map((line) => ({
    line,
    key: `${page}.md#${/^\| <a id="([\w-]+)"><\/a>/.exec(line)?.[1] ?? ""}`,
    cells: line.split(/(?<!\\)\|/).map((cell) => cell.trim()),
    columns: header.split("|").length,
  }));
});

const AUTHJS = { ...SESSIONS, ...SIGN_IN, ...REQUESTS, ...OPTIONS, ...GUARDS };
const observed = [
  ...Object.entries(AUTHJS).map(([key, given]) => ({ key: `from-authjs.md#${key}`, given })),
  ...Object.entries(NEXTAUTH).map(([key, given]) => ({ key: `from-nextauth.md#${key}`, given })),
].map(({ key, given }) => ({ key, ...(typeof given === "function" ? { shows: given, control: undefined } : given) }));

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
  .flatMap((line) => [...line.matchAll(/docs\/(from-(?:authjs|nextauth)\.md#[\w-]+)/g)].map(([, key = ""]) => key));

const keys = [...observed.map((one) => one.key), ...elsewhere];

describe("the pages about moving", () => {
  it.each(rows)("have an anchor, all cells and a test for $line", ({ key, cells, columns }) => {
    expect(key).not.toMatch(/#$/);
    expect(rows.filter((row) => row.key === key)).toHaveLength(1);
    expect(cells).toHaveLength(columns);
    expect(cells.slice(1, -1).filter((cell) => cell === "")).toEqual([]);
    expect(keys).toContain(key);
  });

  it("have a row for each test", () => {
    expect(keys.filter((key) => rows.every((row) => row.key !== key))).toEqual([]);
    expect(rows.length).toBeGreaterThan(120);
  });
});

describe("what a row says of Cardea", () => {
  it.each(observed)("docs/$key is so", async ({ shows }) => {
    vi.stubEnv("NODE_ENV", "test");
    await shows(CARDEA);
    vi.unstubAllEnvs();
  });

  it.each(observed)("docs/$key is not so of Auth.js, or of the control", async ({ shows, control }) => {
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
