/** The table of frameworks and journeys: what it says is what the tests in journeys.test.ts and tests/e2e/ define. */
import { readFile, writeFile } from "node:fs/promises";
import { type BindingGaps, bindingJourneys } from "@cardea/testing/binding-contract";
import { describe, expect, it } from "vitest";
import { APPLICATIONS } from "./applications.ts";

interface Column {
  readonly name: string;
  readonly lacks?: BindingGaps | undefined;
}

/** The journeys of Next.js are in tests/e2e/, whose application is built anyway. */
const NEXT: Column = {
  name: "@cardea/next on Next.js 16",
  lacks: {
    methods: "Next.js makes a Request before it calls the application",
    hosts: "Next.js passes on the first Host line",
  },
};
const COLUMNS: readonly Column[] = [...APPLICATIONS, NEXT].map(({ name, lacks }: Column) => ({
  name: name.replace(/^.* on /, ""),
  lacks,
}));

const runs = ({ needs }: { readonly needs?: keyof BindingGaps | undefined }, { lacks = {} }: Column): boolean =>
  needs === undefined || lacks[needs] === undefined;

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
const head = (): readonly string[] => [
  row("journeys", ...COLUMNS.map(({ name }) => name)),
  row("---", ...COLUMNS.map(() => "---")),
];

const complete = (): string =>
  [
    ...head(),
    ...Object.entries(bindingJourneys).flatMap(([area, list]) =>
      list.map((journey) =>
        row(`${area}: ${journey.name}`, ...COLUMNS.map((column) => (runs(journey, column) ? "yes" : "–"))),
      ),
    ),
  ].join("\n");

const TABLE = /(?<=<!-- journeys -->\n\n)[\s\S]*?(?=\n\n<!-- \/journeys -->)/;

describe("the table of journeys", () => {
  // `CARDEA_WRITE=1 npx vitest run --project bindings tests/bindings/table.test.ts` writes it.
  it("in docs/frameworks.md names every framework and every journey", async () => {
    const file = `${import.meta.dirname}/../../docs/frameworks.md`;
    const text = await readFile(file, "utf8");
    if (process.env.CARDEA_WRITE) await writeFile(file, text.replace(TABLE, complete));
    expect(TABLE.exec(await readFile(file, "utf8"))?.[0]).toBe(complete());
  });
});
