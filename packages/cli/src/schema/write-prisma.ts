import type { TableName } from "./needed-tables.ts";

/**
 * Writes the models missing from an application's schema, copied from the adapter's package.
 *
 * @param models Models of the package.
 * @param existing Schemas of the application.
 */
export function writePrisma(models: string, names: readonly TableName[], existing: string): readonly string[] {
  const there = new Set(modelsIn(existing).map(({ name }) => name));
  const added = modelsIn(models).filter(({ name }) => names.some((one) => one === name) && !there.has(name));
  const all = new Set<string>([...there, ...added.map(({ name }) => name)]);
  const parts = added.map(({ lead, name, body }) => {
    const lines = body.split("\n").filter((line) => isKnown(line, all));
    return `${lead}model ${name} {\n${tidy(lines)}\n}`;
  });
  const relations = there.has("User")
    ? relationsOf(
        models,
        added.map(({ name }) => name),
        existing,
      )
    : [];
  const additions = modelsIn(existing).map(({ name, body }) => {
    const model = modelsIn(models).find((one) => one.name === name && names.some((wanted) => wanted === name));
    const lines = [
      ...(name === "User" ? relations : []),
      ...(model === undefined ? [] : missingColumns(model.body, body)),
    ];
    return { name, lines };
  });
  const texts = additions
    .filter(({ lines }) => lines.length > 0)
    .map(({ name, lines }) => `// Add to your model ${name}:\n${lines.map((line) => `//   ${line}`).join("\n")}`);
  return [...parts, ...texts];
}

/** Columns that an existing model lacks, of those that may be null: existing rows have no value for them. */
function missingColumns(body: string, existing: string): readonly string[] {
  const columns = body.split("\n").map((line) => line.trim().replace(/\s+/g, " "));
  return columns.filter((line) => {
    const name = /^(\w+) \w+\?/.exec(line)?.[1];
    return name !== undefined && !new RegExp(`^\\s*${name}\\s`, "m").test(existing);
  });
}

interface PrismaModel {
  /** Comments before it. */
  readonly lead: string;
  readonly name: string;
  readonly body: string;
}

function modelsIn(text: string): readonly PrismaModel[] {
  const found = [...text.matchAll(/((?:^\/\/(?! Tables of).*\n)*)^model (\w+) \{\n([\s\S]*?)^\}/gm)];
  return found.map(([, lead = "", name = "", body = ""]) => ({ lead, name, body }));
}

/** Whether a line does not refer to a missing model. */
function isKnown(line: string, models: ReadonlySet<string>): boolean {
  const related = /^\s*\w+\s+(\w+)\[\]/.exec(line)?.[1];
  return related === undefined || models.has(related);
}

/** Removes trailing and consecutive empty lines. */
function tidy(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/\s+$/, "");
}

/** The relation fields of model `User` for added models. */
function relationsOf(models: string, added: readonly string[], existing: string): readonly string[] {
  const bodyOf = (text: string) => modelsIn(text).find(({ name }) => name === "User")?.body ?? "";
  const lists = bodyOf(models)
    .split("\n")
    .map((line) => line.trim().replace(/\s+/g, " "))
    .filter((line) => added.includes(/ (\w+)\[\]$/.exec(line)?.[1] ?? ""));
  return lists.filter((line) => !new RegExp(`\\b${/ (\w+)\[\]/.exec(line)?.[1]}\\[\\]`).test(bodyOf(existing)));
}
