import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { PrismaAdapter } from "../prisma-adapter.ts";
import { openPglite } from "./pglite.ts";

const database = await openPglite();
afterAll(() => database.close());

describe("PrismaAdapter() on PGlite", () => {
  adapterContract({ describe, it, expect }, () => ({ adapter: PrismaAdapter(database.client) }));
});
