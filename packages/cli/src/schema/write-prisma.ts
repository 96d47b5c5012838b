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
  if (relations.length === 0) return parts;
  return [...parts, `// Add to your model User:\n${relations.map((line) => `//   ${line}`).join("\n")}`];
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
