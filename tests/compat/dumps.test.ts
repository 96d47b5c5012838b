// The upgrade contract, of databases: a version reads the rows of every table as earlier ones wrote them, through our adapters.
// `CARDEA_WRITE_SAMPLES=1.2.0` adds the dumps of a version before its release.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from "@cardea/core/adapters";
import { createClock } from "@cardea/testing";
import { afterAll, describe, expect, it } from "vitest";
import { ADAPTERS, type DumpedDatabase, dump, TABLES } from "./formats/dump.ts";
import { FOLDER } from "./formats/formats.ts";
import { readWorld, startApplication, type World, writeWorld } from "./formats/world.ts";
import { RECORDED, recordWorld } from "./formats/world-formats.ts";

const folder = join(FOLDER, "dumps");
const USER = "ann@example.com";
const OTHER: AdapterUser = {
  id: "a second user",
  name: "Bea O'Neil",
  email: "bea@example.com",
  emailVerified: new Date("2026-01-01T00:00:00.000Z"),
  image: "https://example.com/bea.png",
};

const account = (userId: string): AdapterAccount => ({
  userId,
  type: "oidc",
  provider: "op",
  providerAccountId: "1815",
  refresh_token: "refresh",
  access_token: "access",
  expires_at: 1_800_000_000,
  token_type: "bearer",
  scope: "openid email",
  id_token: "an ID token",
  session_state: "state",
});
const authenticator = (userId: string): AdapterAuthenticator => ({
  userId,
  credentialID: "AQIDBA",
  providerAccountId: "passkeys",
  credentialPublicKey: "pQECAyYgASFYIA",
  counter: 41,
  credentialDeviceType: "multiDevice",
  credentialBackedUp: true,
  transports: "internal,hybrid",
});
const FOREVER = { ttl: 30 * 24 * 60 * 60 };

const written = process.env.CARDEA_WRITE_SAMPLES;
if (written !== undefined) {
  mkdirSync(folder, { recursive: true });
  for (const [name, { tables, open }] of Object.entries(ADAPTERS)) {
    const database = await open(tables());
    const world = await recordWorld(startApplication(undefined, database));
    // Of a second user: a new passkey ends the remembered browsers of the first.
    const { id = "" } = (await database.adapter.createUser?.(OTHER)) ?? {};
    await database.adapter.linkAccount?.(account(id));
    await database.adapter.createAuthenticator?.(authenticator(id));
    await database.store.set("sample:text", "it's ✓", FOREVER);
    await database.store.add("sample:count", 7, FOREVER);
    await database.store.log?.append("sample", "an entry", { ...FOREVER, keys: { "sample:beside": "beside" } });
    writeFileSync(join(folder, `${written}.${name}.sql`), await dump(tables(), database));
    writeFileSync(join(folder, `${written}.${name}.json`), `${writeWorld(world)}\n`);
    await database.close();
  }
}

const dumps = readdirSync(folder).filter((name) => name.endsWith(".sql"));
const opened: DumpedDatabase[] = [];
afterAll(() => Promise.all(opened.map((database) => database.close())));

describe.each(dumps)("the database of %s", (file) => {
  const sql = readFileSync(join(folder, file), "utf8");
  const world: World = readWorld(readFileSync(join(folder, file.replace(/sql$/, "json")), "utf8"));
  const { open } = ADAPTERS[/\.(\w+)\.sql$/.exec(file)?.[1] ?? ""] ?? {};

  /** Does something with the database as it was left, at the time when it was written. */
  async function replay<T>(work: (database: DumpedDatabase) => Promise<T>, from = sql): Promise<T> {
    const database = await open?.(from);
    if (database === undefined) throw new Error(`${file} is of no adapter`);
    opened.push(database);
    const clock = createClock(world.at).install();
    try {
      return await work(database);
    } finally {
      clock.restore();
    }
  }

  it("has a row of every table", () => {
    for (const table of TABLES) expect(sql).toContain(`INSERT INTO "${table}" (`);
  });

  const names = RECORDED.map(({ name }) => name).filter((name) => name in world.given);
  it.each(names)("is read: %s", async (name) => {
    const { read, expected } = RECORDED.find((one) => one.name === name) ?? {};
    const found = await replay(async (database) => read?.(startApplication(world, database), world.given[name] ?? ""));
    if (typeof expected === "object") expect(found).toMatchObject(Object(expected));
    else expect(found).toBe(expected);
  });

  it("is read: row: Account", async () => {
    const user = await replay(async ({ adapter }) =>
      adapter.getUserByAccount?.({ provider: "op", providerAccountId: "1815" }),
    );
    expect(user).toEqual({ ...OTHER, id: user?.id });
    const [kept] = await replay(async ({ adapter }) => (await adapter.listAccountsByUserId?.(user?.id ?? "")) ?? []);
    expect(kept).toEqual(account(user?.id ?? ""));
  });

  it("is read: row: Authenticator", async () => {
    const kept = await replay(async ({ adapter }) => adapter.getAuthenticator?.("AQIDBA"));
    expect(kept).toEqual(authenticator(kept?.userId ?? ""));
  });

  it("is read: row: SessionInfo", async () => {
    const infos = await replay(async ({ adapter }) => {
      const user = await adapter.getUserByEmail?.(USER);
      return adapter.listSessionInfosByUserId?.(user?.id ?? "");
    });
    expect(infos).toHaveLength(1);
    expect(infos?.[0]).toMatchObject({ provider: "mail", epoch: 0, factors: [{ m: "email", t: expect.any(Number) }] });
    expect(infos?.[0]?.createdAt).toBeInstanceOf(Date);
  });

  it("is read: row: State, and row: StateLog", async () => {
    const found = await replay(async ({ store }) => ({
      text: await store.get("sample:text"),
      count: await store.add("sample:count", 1, FOREVER),
      beside: await store.get("sample:beside"),
      log: (await store.log?.since("sample", null))?.entries,
    }));
    expect(found).toMatchObject({ text: "it's ✓", count: { value: 8 }, beside: "beside", log: ["an entry"] });
  });

  it("signs no one in by a session whose row has another hash", async () => {
    const spoilt = sql.replace(/'h1:(.)/, (_whole, first) => `'h1:${first === "A" ? "B" : "A"}`);
    expect(spoilt).not.toBe(sql);
    const read = RECORDED.find(({ name }) => name === "row: Session, hashed, and its user")?.read;
    expect(await replay(async (database) => read?.(startApplication(world, database), ""), spoilt)).toBeUndefined();
  });
});
