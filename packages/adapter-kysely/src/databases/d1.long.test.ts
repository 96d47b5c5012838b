import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { sparse } from "../../../testing/src/long-form.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";
import { openD1 } from "./d1.ts";

/** In a database that answers through an emulator, fifty at once take half a minute: that is part of the long form. */
const racers = 50;

const database = await openD1();
afterAll(() => database.close());

describe("KyselyAdapter() on D1, which has no transactions", () => {
  const adapter = KyselyAdapter(database.db, { passkeyNames: true, transactions: false, warn: () => {} });
  adapterContract(sparse({ describe, it, expect }, 4, 1), () => ({ adapter }), {
    lacks: ["createUserWithAccount", "removeSignInMethod"],
    racers,
  });

  it("rejects a sign-up that needs a transaction, and says which option there is", async () => {
    const user = { id: "", email: "ann@example.com", emailVerified: null };
    const account = { type: "oauth", provider: "example", providerAccountId: "1" } as const;
    const withTransactions = KyselyAdapter(database.db, { passkeyNames: true });
    await expect(withTransactions.createUserWithAccount?.(user, account)).rejects.toThrow("transactions: false");
    expect(await adapter.getUserByEmail?.(user.email)).toBeNull();
  });
});
