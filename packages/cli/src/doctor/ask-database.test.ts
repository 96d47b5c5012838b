import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openPostgres } from "../../../adapter-kysely/src/databases/postgres.ts";
import { whereReachable } from "../../../testing/src/served-databases.ts";

import { askDatabase } from "./ask-database.ts";

const folder = fileURLToPath(new URL("../../../adapter-kysely/", import.meta.url));
const database = await whereReachable("PostgreSQL", () => openPostgres());

describe.skipIf(database === undefined)("askDatabase()", () => {
  it("reads addresses with capitals, and those that differ from them in case alone", async () => {
    for (const [index, email] of ["ann@example.com", "Ann@example.com", "bo@example.com", "CY@example.com"].entries())
      await database?.db
        .insertInto("User")
        .values({ id: `user-${index}`, email, emailVerified: null })
        .execute();
    const { addresses, refusal } = await askDatabase(new URL(database?.url ?? ""), folder);
    expect([addresses.map(({ id }) => id).sort(), refusal]).toEqual([["user-0", "user-1", "user-3"], undefined]);
    await database?.close();
  });

  it("says why it could not read, without the password", async () => {
    const { refusal } = await askDatabase(new URL("postgresql://ann:canary@127.0.0.1:1/app"), folder);
    expect(refusal).toContain("ECONNREFUSED");
    expect(JSON.stringify(await askDatabase(new URL("mysql://ann:canary@127.0.0.1:1/app"), folder))).not.toContain(
      "canary",
    );
  });
});
