import { PrismaLibSql } from "@prisma/adapter-libsql";
import { expect, it, vi } from "vitest";

it("writes SQL again after another test file has called vi.resetModules()", async () => {
  for (let time = 0; time < 2; time++) {
    vi.resetModules();
    const { writeDdl } = await import("./write-ddl.ts");
    expect(await writeDdl("sqlite", new PrismaLibSql({ url: ":memory:" }))).toContain("CREATE TABLE");
  }
});
