import { DummyDriver, type GeneratedAlways, Kysely, PostgresAdapter, PostgresQueryCompiler } from "kysely";
import { describe, expect, it } from "vitest";
import { type Codegen, type Database, KyselyAdapter, KyselyAuth } from "./index.ts";

const dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: () => Promise.reject(new Error("not used")) as never,
};

/** As applications write them, by hand or with a generator. */
interface Own {
  User: {
    id: GeneratedAlways<string>;
    name: string | null;
    email: string;
    emailVerified: Date | null;
    image: string | null;
  };
  Account: { id: GeneratedAlways<string>; userId: string; type: string; provider: string; providerAccountId: string };
  Session: { id: GeneratedAlways<string>; userId: string; sessionToken: string; expires: Date };
  VerificationToken: { identifier: string; token: string; expires: Date };
  Order: { id: string };
}

describe("KyselyAdapter() takes, without a cast,", () => {
  it("an instance of the four tables", () => {
    expect(KyselyAdapter(new KyselyAuth<Database>({ dialect })).createUser).toBeTypeOf("function");
  });

  it("an instance of the application's own interface, with further tables and generated columns", () => {
    const own = new KyselyAuth<Own>({ dialect });
    const generated = new KyselyAuth<Own, Codegen>({ dialect });
    const plain = new Kysely<Own>({ dialect });
    const adapters = [KyselyAdapter(own), KyselyAdapter(generated), KyselyAdapter(plain)];
    expect(adapters.map(({ getUser }) => typeof getUser)).toEqual(["function", "function", "function"]);
  });

  it("no instance whose interface lacks a table or a column", () => {
    // @ts-expect-error a session has no token
    const bare = new KyselyAuth<Omit<Own, "Session"> & { Session: { userId: string; expires: Date } }>({ dialect });
    expect(bare).toBeInstanceOf(KyselyAuth);
  });
});
