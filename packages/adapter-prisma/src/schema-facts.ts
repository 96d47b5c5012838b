import type { PrismaClientLike } from "./prisma-client.ts";

/** A reference of the client to a column. */
interface Field {
  readonly modelName: string;
  readonly typeName: string;
}

/** The reference to a column; undefined without this column. */
export function fieldOf({ fields }: { readonly fields: object }, column: string): Field | undefined {
  return Reflect.get(fields, column);
}

interface DataModel {
  readonly dbName?: string | null;
  readonly fields: readonly DataField[];
}

interface DataField {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly dbName?: string | null;
}

/** What a client knows about one of its models; undefined if it does not tell. */
export function dataModelOf(client: PrismaClientLike, modelName: string | undefined): DataModel | undefined {
  const models: unknown = Reflect.get(Object(Reflect.get(client, "_runtimeDataModel")), "models");
  return modelName === undefined ? undefined : Reflect.get(Object(models), modelName);
}

/** The text of a model in the schema; undefined if the client does not have it. */
function textOf(client: PrismaClientLike, modelName: string | undefined): string | undefined {
  const schema: unknown = Reflect.get(Object(Reflect.get(client, "_engineConfig")), "inlineSchema");
  const [, text] = new RegExp(`^\\s*model\\s+${modelName}\\s*\\{([\\s\\S]*?)^\\s*\\}`, "m").exec(String(schema)) ?? [];
  return text;
}

/**
 * The name by which Prisma finds a row by two columns: applications may name the key, and order its columns as they like. Null if the
 * model has no such key.
 */
export function keyNameOf(client: PrismaClientLike, modelName: string | undefined, columns: readonly [string, string]) {
  const text = textOf(client, modelName);
  const usual = columns.join("_");
  if (text === undefined) return usual;
  for (const [, key = ""] of text.matchAll(/^\s*@@(?:id|unique)\((.*)\)/gm)) {
    const [, list = ""] = /\[([^\]]*)\]/.exec(key) ?? [];
    const names = list.split(",").map((name) => name.trim().replace(/\(.*$/, ""));
    if (names.length !== 2 || !columns.every((name) => names.includes(name))) continue;
    return /\bname:\s*"(\w+)"/.exec(key)?.[1] ?? names.join("_");
  }
  return null;
}

/** Whether a column alone finds one row; true if the client does not tell. */
export function isUnique(client: PrismaClientLike, modelName: string, column: string): boolean {
  const text = textOf(client, modelName);
  const keys = `^\\s*${column}\\s.*@(?:unique|id)\\b|@@(?:unique|id)\\(.*\\[\\s*${column}\\s*\\]`;
  return text === undefined || new RegExp(keys, "m").test(text);
}

/** The name of the relation to the model of users. Null if there is none. */
export function relationOf(client: PrismaClientLike, modelName: string | undefined, users: string | undefined) {
  const model = dataModelOf(client, modelName);
  if (model === undefined || users === undefined) return "user";
  return model.fields.find(({ kind, type }) => kind === "object" && type === users)?.name ?? null;
}
