/** The zone of a server changes no time: otherwise links of ten minutes have expired when they are sent, in the hour that is repeated. */

import { afterAll, describe, expect, it } from "vitest";
import { buildSetUp, SET_UPS, type SetUp } from "./documented-set-ups.ts";
import { openOwn } from "./own-server.ts";
import { runProgram } from "./run-program.ts";

const BERLIN = "Europe/Berlin";
const servers = { postgres: await openOwn("postgres", BERLIN), mysql: await openOwn("mysql", BERLIN) };
afterAll(async () => {
  await servers.postgres?.close();
  await servers.mysql?.close();
});

/** The hours around both changes of 2026, every ten minutes. */
const TIMES = ["2026-10-24T23:00:00.123Z", "2026-03-28T23:00:00.123Z"].flatMap((first) =>
  Array.from({ length: 25 }, (_, index) => Date.parse(first) + index * 600_000),
);

/** What another server, in another zone, reads of what a server in Berlin has written; of each time that differs, by how many minutes. */
async function readElsewhere(setUp: SetUp, alter: readonly string[] = [], change = (text: string) => text) {
  const database = await servers[setUp.database as keyof typeof servers]?.open(setUp);
  for (const sql of alter) await database?.run(sql);
  const built = await buildSetUp(setUp, change);
  const [writes, reads] = await Promise.all(
    [BERLIN, "America/New_York"].map((TZ) => runProgram(built.path, { DATABASE_URL: database?.url, TZ })),
  );
  try {
    expect(await writes?.ask({ kind: "write", times: TIMES })).toEqual({ value: "written" });
    const { value, error } = (await reads?.ask({ kind: "read", times: TIMES })) ?? {};
    if (!Array.isArray(value)) throw new Error(error);
    return TIMES.map((time, index) => (value[index] - time) / 60_000).filter((minutes) => minutes !== 0);
  } finally {
    await writes?.close();
    await reads?.close();
    built.remove();
  }
}

describe.each(SET_UPS)("$name, as $page shows it", (setUp) => {
  const server = servers[setUp.database as keyof typeof servers];

  it.skipIf(server === undefined)("reads each time as it was written, in every zone", async () => {
    expect(await readElsewhere(setUp)).toEqual([]);
  });

  it.skipIf(server === undefined || setUp.database !== "mysql")("also from columns of type timestamp", async () => {
    const table = setUp.package.endsWith("drizzle") ? "verificationToken" : "VerificationToken";
    expect(await readElsewhere(setUp, [`ALTER TABLE ${table} MODIFY expires TIMESTAMP(3) NOT NULL`])).toEqual([]);
  });
});

// Without this, the tests would show nothing if drivers had no zone.
it.skipIf(servers.mysql === undefined)("a pool of mysql2 without `timezone` changes times", async () => {
  const [setUp] = SET_UPS.filter(({ name }) => name === "Kysely with mysql2");
  if (setUp === undefined) throw new Error("There is no such set-up.");
  expect(await readElsewhere(setUp, [], (text) => text.replace(', timezone: "Z"', ""))).not.toEqual([]);
});
