// Loaded before an application's own code: Prisma's client without an engine, over rows in memory. It knows what sessions take:
// equality, compound keys, and relations by `<name>Id`. `CARDEA_ROWS` has the rows, by model.
const Module = require("node:module");

const rows = Object.entries(JSON.parse(process.env.CARDEA_ROWS ?? "{}"));
const tables = new Map(rows.map(([model, list]) => [model, list.map(withDates)]));
const load = Module._load;

Module._load = function loadInMemory(request, ...rest) {
  const loaded = load.call(this, request, ...rest);
  if (!/@prisma\/client\/runtime\//.test(request) || typeof loaded.getPrismaClient !== "function") return loaded;
  return new Proxy(loaded, {
    get: (target, name) => (name === "getPrismaClient" ? memoryClient : target[name]),
  });
};

/** The class of a generated client, whose models have the columns of its schema. */
function memoryClient(config) {
  const models = Object.entries(config?.runtimeDataModel?.models ?? {});
  const columns = new Map(models.map(([name, { fields }]) => [name[0].toLowerCase() + name.slice(1), fields]));
  return class {
    constructor() {
      const client = new Proxy(this, {
        get: (target, name) => {
          if (typeof name !== "string" || name === "then") return undefined;
          if (name === "$extends") return () => client;
          if (name === "$transaction") return (work) => (typeof work === "function" ? work(client) : Promise.all(work));
          if (name.startsWith("$")) return async () => undefined;
          target[name] ??= modelOf(name, columns.get(name) ?? []);
          return target[name];
        },
        has: () => true,
      });
      // biome-ignore lint/correctness/noConstructorReturn: Prisma's own class has its models as members, too.
      return client;
    }
  };
}

function modelOf(name, columns) {
  if (!tables.has(name)) tables.set(name, []);
  const table = tables.get(name);
  const find = ({ where } = {}) => table.filter((row) => matches(row, where));
  const one = async (query = {}) => withRelations(find(query)[0] ?? null, query.include ?? query.select);
  const change = (row, data) => row && Object.assign(row, data);
  return {
    fields: Object.fromEntries(columns.map((column) => [column.name, column])),
    findUnique: one,
    findFirst: one,
    findUniqueOrThrow: one,
    findFirstOrThrow: one,
    findMany: async (query = {}) => find(query),
    count: async (query = {}) => find(query).length,
    aggregate: async () => ({}),
    groupBy: async () => [],
    create: async ({ data }) => table[table.push({ id: `${name}-${table.length + 1}`, ...data }) - 1],
    update: async ({ where, data }) => change(find({ where })[0], data),
    updateMany: async ({ where, data }) => ({ count: find({ where }).map((row) => change(row, data)).length }),
    upsert: async ({ where, update }) => change(find({ where })[0], update),
    delete: async ({ where }) => table.splice(table.indexOf(find({ where })[0]), 1)[0],
    deleteMany: async () => ({ count: 0 }),
  };
}

function matches(row, where = {}) {
  return Object.entries(where).every(([name, wanted]) => {
    if (wanted === undefined) return true;
    if (name in row || wanted === null || typeof wanted !== "object") return row[name] === wanted;
    return "equals" in wanted ? row[name] === wanted.equals : matches(row, wanted);
  });
}

function withRelations(row, include) {
  if (row === null || typeof include !== "object") return row;
  const joined = Object.keys(include).flatMap((name) => {
    const table = tables.get(name);
    const found = table?.find(({ id }) => id === row[`${name}Id`]);
    return found === undefined ? [] : [[name, found]];
  });
  return { ...row, ...Object.fromEntries(joined) };
}

function withDates(row) {
  const isDate = (value) => /^\d{4}-\d\d-\d\dT/.test(value);
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isDate(value) ? new Date(value) : value]),
  );
}
