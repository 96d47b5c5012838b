// Schemas that applications have besides ours: the adapter takes them as they are.
import { adapterContract } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { PrismaAdapter } from "../prisma-adapter.ts";
import { readModels } from "./schemas.ts";
import { openSqlite } from "./sqlite.ts";

function change(...changes: [from: string | RegExp, to: string][]): string {
  return changes.reduce((models, [from, to]) => {
    const changed = models.replace(from, to);
    if (changed === models) throw new Error(`The models have no ${from}`);
    return changed;
  }, readModels("sqlite"));
}

const user = { id: "", name: "Ann", emailVerified: null, image: null };

const wide = change(["counter              Int", "counter BigInt"], ["expires_at        Int?", "expires_at BigInt?"]);
const strict = { previewFeature: "strictUndefinedChecks" };

const variants = [
  { name: "a client that is strict about undefined", choice: strict, isWide: false },
  { name: "64-bit columns", choice: { models: wide }, isWide: true },
];

describe.each(variants)("PrismaAdapter() with $name", async ({ choice, isWide }) => {
  const database = await openSqlite(choice);
  afterAll(() => database.close());
  adapterContract({ describe, it, expect }, () => ({ adapter: PrismaAdapter(database.client) }), { racers: 8 });

  if (isWide)
    it("keeps numbers of more than 32 bits", async () => {
      const adapter = PrismaAdapter(database.client);
      const owner = await adapter.createUser?.({ ...user, email: "wide@example.com" });
      const account = {
        userId: owner?.id ?? "",
        type: "oauth",
        provider: "example",
        providerAccountId: "wide",
      } as const;
      await adapter.linkAccount?.({ ...account, expires_at: 4_294_967_296 });
      expect(await adapter.getAccount?.("wide", "example")).toEqual({ ...account, expires_at: 4_294_967_296 });
    });
});

describe("PrismaAdapter() with a schema of an application's own", async () => {
  const models = change(
    ["image         String?", 'image String?\n  role String @default("guest")\n  createdAt DateTime @default(now())'],
    ["session_state     String?", "refresh_token_expires_in Int?"],
    [/\/\/ Pending[\s\S]*$/, ""],
    [/ {2}(?:authenticators|sessionInfos|credentials).*\n/g, ""],
  );
  const database = await openSqlite({ models });
  afterAll(() => database.close());
  const adapter = PrismaAdapter(database.client);

  it("has no methods of models that the schema lacks", () => {
    expect(adapter.createSession).toBeTypeOf("function");
    const absent = [
      "createVerificationToken",
      "useVerificationToken",
      "createAuthenticator",
      "getAuthenticator",
    ] as const;
    for (const method of absent) expect(method in adapter).toBe(false);
  });

  it("writes and reads columns of the application's own", async () => {
    const email = "own@example.com";
    const created = await adapter.createUser?.(Object.assign({ role: "admin" }, user, { email }));
    expect(created).toMatchObject({ email, role: "admin", createdAt: expect.any(Date) });
    expect(await adapter.getUserByEmail?.(email)).toEqual(created);
  });

  it("names a member of a user that has no column", async () => {
    const stranger = Object.assign({ plan: "free" }, user, { email: "stranger@example.com" });
    await expect(adapter.createUser?.(stranger)).rejects.toThrow("plan");
  });

  it("writes the members of an account that have a column", async () => {
    const owner = await adapter.createUser?.({ ...user, email: "tokens@example.com" });
    const key = { userId: owner?.id ?? "", type: "oauth", provider: "example", providerAccountId: "own" } as const;
    const kept = { ...key, access_token: "a", refresh_token_expires_in: 60 };
    await adapter.linkAccount?.({ ...kept, session_state: "s", expires_in: 60 });
    expect(await adapter.getAccount?.("own", "example")).toEqual(kept);
    await adapter.updateAccount?.({ ...key, access_token: "b", session_state: "s" });
    expect(await adapter.getAccount?.("own", "example")).toEqual({ ...kept, access_token: "b" });
  });
});
