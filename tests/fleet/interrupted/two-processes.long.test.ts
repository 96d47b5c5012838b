/** Two processes on one database: one is interrupted at each of its calls while the other goes on, or killed there. */
import type { Adapter } from "@cardea/core/adapters";
import { afterAll, describe, expect, it } from "vitest";
import { openPostgres } from "../../../packages/adapter-drizzle/src/databases/postgres.ts";
import { adapterOf } from "../../../packages/adapter-drizzle/src/databases/test-database.ts";
import { postgresTables } from "../../../packages/adapter-drizzle/src/tables/postgres-tables.ts";
import { openMariadb } from "../../../packages/adapter-kysely/src/databases/mariadb.ts";

import { KyselyAdapter } from "../../../packages/adapter-kysely/src/kysely-adapter.ts";
import { pairs, share } from "../../../packages/testing/src/long-form.ts";
import { whereReachable } from "../../../packages/testing/src/served-databases.ts";
import type { WholeAdapter } from "./interrupted-process.ts";
import { RACES } from "./races.ts";
import { startSite } from "./visitor.ts";

const postgres = await whereReachable("PostgreSQL", openPostgres);
const mariadb = await whereReachable("MariaDB", openMariadb);
afterAll(async () => {
  await postgres?.close();
  await mariadb?.close();
});

/** Of two processes. */
type Connections = readonly [Adapter, Adapter];

const databases: readonly { readonly name: string; readonly connections: Connections | undefined }[] = [
  {
    name: "PostgreSQL with Drizzle",
    connections: postgres && [postgres.adapter, adapterOf(postgres.other, postgresTables())],
  },
  {
    name: "MariaDB with Kysely",
    connections: mariadb && [KyselyAdapter(mariadb.db), KyselyAdapter(mariadb.another())],
  },
];

const strategies = ["database", "jwt"] as const;

type Strategy = (typeof strategies)[number];
type Side = "one" | "other";
type Prepare = (typeof RACES)[string];

/** Where a process is interrupted. */
interface Place {
  readonly side: Side;
  readonly call: number;
  readonly isKilled: boolean;
}

let addresses = 0;

/** What is wrong after a race, and how many calls each process made. */
async function run(prepare: Prepare, strategy: Strategy, [first, second]: Connections, place?: Place) {
  // A cast: the adapters of this repository have every method.
  const start = (adapter: Adapter) => startSite(adapter as WholeAdapter, strategy);
  const sites = { one: start(first), other: start(second) };
  const calm = start(second);
  const race = await prepare({ ...sites, calm, database: calm.adapter, address: `${++addresses}@races.example` });
  const side = place?.side ?? "one";
  const rest: Side = side === "one" ? "other" : "one";
  let meeting: Promise<unknown> | undefined;
  const meanwhile = () => {
    meeting ??= race[rest]();
    return meeting;
  };
  sites[rest].begin();
  sites[side].begin(place && { ...place, meanwhile });
  await race[side]().catch((error: unknown) => {
    if (place?.isKilled !== true) throw error;
  });
  await meanwhile();
  const done = { one: true, other: true, ...(place?.isKilled && { [side]: false }) };
  const wrong = Object.entries(await race.wrong(done)).flatMap(([what, isSo]) => (isSo ? [what] : []));
  return { wrong, calls: { one: sites.one.calls(), other: sites.other.calls() } };
}

const settings = pairs(databases, strategies).map(([database, strategy], n) => ({ ...database, strategy, n }));

describe.each(settings)("two processes on $name, $strategy sessions", ({ connections, strategy, n }) => {
  if (connections === undefined) return void it.skip("is not reachable");

  it.each(share(Object.entries(RACES), 2, n))("leave nothing wrong: %s", async (_name, prepare) => {
    const { wrong, calls } = await run(prepare, strategy, connections);
    expect(wrong).toEqual([]);
    const places = (["one", "other"] as const).flatMap((side) =>
      calls[side].flatMap((_, call) => [false, true].map((isKilled) => ({ side, call, isKilled }))),
    );
    const failed: unknown[] = [];
    for (const place of share(places, 24, 10)) {
      const { wrong } = await run(prepare, strategy, connections, place);
      if (wrong.length > 0) failed.push({ ...place, before: calls[place.side][place.call], wrong });
    }
    expect(failed).toEqual([]);
  });
});
