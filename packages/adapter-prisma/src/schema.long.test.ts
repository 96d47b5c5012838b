import { PrismaPGlite } from "pglite-prisma-adapter";
import { describe, expect, it } from "vitest";
import { scratchPglite } from "../../testing/src/scratch-pglite.ts";
import { headerOf, pathOf } from "./databases/schemas.ts";
import { writeDdl } from "./databases/write-ddl.ts";

describe("schema.postgres.sql", () => {
  it("is what Prisma makes of schema.postgres.prisma", async () => {
    const sql = await writeDdl("postgresql", new PrismaPGlite(await scratchPglite()));
    const text = headerOf("PostgreSQL", "schema.postgres.prisma") + sql;
    await expect(text).toMatchFileSnapshot(pathOf("postgresql", "sql"));
  });
});
