import { describe, expect, it } from "vitest";
import { isLong } from "../../testing/src/long-form.ts";
import { readModels } from "./databases/schemas.ts";
import { openSqlite } from "./databases/sqlite.ts";
import { PrismaAdapter } from "./prisma-adapter.ts";

/** Spellings of a schema with which everything works. `db pull` writes the first; the others are those of applications. */
const WORKING: readonly (readonly [from: RegExp, to: string])[] = [
  [/\buser( +User +@relation)/g, "User$1"],
  [/@@id\(\[provider, providerAccountId\]\)/, '@@id(name: "accountKey", fields: [provider, providerAccountId])'],
  [/@@id\(\[identifier, token\]\)/, "@@unique([token, identifier])"],
];
const INT_IDS: readonly (readonly [from: RegExp, to: string])[] = [
  [/(model User \{[^}]*?id +)String( +@id) @default\(\w+\(\)\)/, "$1Int$2 @default(autoincrement())"],
  [/(userId +)String/g, "$1Int"],
];

function change(changes: readonly (readonly [from: RegExp, to: string])[]): string {
  return changes.reduce((models, [from, to]) => {
    const changed = models.replace(from, to);
    if (changed === models) throw new Error(`The models have no ${from}`);
    return changed;
  }, readModels("sqlite"));
}

// Its client takes seconds to generate. Not defined otherwise: what is skipped counts as failed.
if (isLong)
  describe("PrismaAdapter() with a schema that spells it otherwise", () => {
    it("signs users in, whose ids are numbers", async () => {
      const database = await openSqlite({ models: change([...WORKING, ...INT_IDS]) });
      const adapter = PrismaAdapter(database.client);
      const expires = new Date("2100-01-01T00:00:00.000Z");
      const account = { type: "oauth", provider: "example", providerAccountId: "1" } as const;
      const draft = { id: "proposed", name: "Ann", email: "ann@example.com", emailVerified: null };
      const made = await adapter.createUserWithAccount?.(draft, account);
      const id = String(made?.id);
      expect(id).toMatch(/^\d+$/);
      expect(await adapter.getUserByAccount?.(account)).toEqual(made);
      // As sessions and extensions have it, and as core does once it knows the type.
      for (const one of [id, Number(id)] as string[]) expect(await adapter.getUser?.(one)).toEqual(made);
      await adapter.createSession?.({ userId: id, sessionToken: "token", expires });
      expect(await adapter.getSessionAndUser?.("token")).toEqual({
        session: { sessionToken: "token", userId: Number(id), expires },
        user: made,
      });
      expect(await adapter.listSessionsByUserId?.(id)).toHaveLength(1);
      expect(await adapter.listAccountsByUserId?.(id)).toHaveLength(1);
      expect(await adapter.updateAccount?.({ ...account, access_token: "new" })).toMatchObject({ access_token: "new" });
      await adapter.createVerificationToken?.({ identifier: "ann@example.com", token: "hash", expires });
      expect(await adapter.useVerificationToken?.({ identifier: "ann@example.com", token: "hash" })).not.toBeNull();
      for (const other of ["007", "x", `${id}0`, "9".repeat(30), "-1", ""]) {
        expect(await adapter.getUser?.(other)).toBeNull();
        expect(await adapter.listSessionsByUserId?.(other)).toEqual([]);
      }
      await adapter.deleteUser?.(id);
      expect(await adapter.getUser?.(id)).toBeNull();
      await database.close();
    });
  });

/** The part of a client that is read at startup, from the schema. */
function clientOf(models: string): never {
  const found = [...models.matchAll(/^model (\w+) \{([\s\S]*?)^\}/gm)].map(([, name = "", text = ""]) => {
    const fields = [...text.matchAll(/^ +(\w+) +(\w+)(\[\])?/gm)].map(([, field = "", type = "", list]) => ({
      name: field,
      type,
      kind: /^[A-Z]\w*$/.test(type) && models.includes(`model ${type} `) ? "object" : "scalar",
      list,
    }));
    return [name, fields] as const;
  });
  const delegates = found.map(([name, fields]) => {
    const columns = fields.filter(({ kind }) => kind === "scalar");
    const references = columns.map((one) => [one.name, { modelName: name, typeName: one.type }] as const);
    return [name.replace(/^./, (letter) => letter.toLowerCase()), { fields: Object.fromEntries(references) }] as const;
  });
  return {
    ...Object.fromEntries(delegates),
    $connect: () => undefined,
    _engineConfig: { inlineSchema: models },
    _runtimeDataModel: { models: Object.fromEntries(found.map(([name, fields]) => [name, { fields }])) },
  } as never;
}

describe("PrismaAdapter() with a schema that lacks something", () => {
  it.each([
    ["a renamed model", /model User /, "model Member ", /no model `User`/],
    ["a time of the user", / +emailVerified.*\n/, "", /model User: emailVerified DateTime\?/],
    ["a boolean instead of a time", /emailVerified +DateTime\?/, "emailVerified Boolean?", /model User: emailVerified/],
    ["the end of sessions", /(model Session \{[^}]*?) +expires.*\n/, "$1", /model Session: expires DateTime/],
    ["an address that is not unique", /(email +String\?) +@unique/, "$1", /model User: email … @unique/],
    ["a token that is not unique", /(sessionToken +String) +@unique/, "$1", /model Session: sessionToken … @unique/],
    ["the user of sessions", /(model Session \{[^}]*?) +user +User.*\n/, "$1", /model Session: user User @relation/],
    ["the user of accounts", /(model Account \{[^}]*?) +user +User.*\n/, "$1", /model Account: user User @relation/],
    ["the key of accounts", / +@@id\(\[provider, providerAccountId\]\)\n/, "", /model Account: @@id\(\[provider,/],
    ["the key of links", / +@@id\(\[identifier, token\]\)\n/, "", /model VerificationToken: @@id\(\[identifier, token/],
    ["the token of links", /(model VerificationToken \{[^}]*?) +token.*\n/, "$1", /model VerificationToken: token/],
    ["a column of passkeys", / +credentialBackedUp.*\n/, "", /model Authenticator: credentialBackedUp Boolean/],
  ])("names %s", (_name, from, to, said) => {
    const models = change([[from, to]]);
    expect(() => PrismaAdapter(clientOf(models))).toThrow(said);
    expect(() => PrismaAdapter(clientOf(models))).toThrow(TypeError);
  });

  it("leaves other models of these names alone", () => {
    const models = change([
      [/model VerificationToken \{[^}]*\}/, "model VerificationToken {\n  id String @id\n  token String\n}"],
    ]);
    expect(PrismaAdapter(clientOf(models)).useVerificationToken).toBeUndefined();
    expect(PrismaAdapter(clientOf(readModels("sqlite"))).useVerificationToken).toBeDefined();
  });
});
