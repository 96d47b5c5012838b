import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeContract } from "@cardea/testing";
import { Cluster, Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, describe, expect, it } from "vitest";
import { redisStore } from "./redis-store.ts";
import { advance, checkpoint } from "./servers/change-data.ts";
import { installedServers, type RedisServer, startRedis } from "./servers/start-redis.ts";

const servers: RedisServer[] = [];
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
  for (const server of servers) await server.close();
});

async function start(program?: string, settings: readonly string[] = []): Promise<RedisServer> {
  const server = await startRedis(program, settings);
  servers.push(server);
  return server;
}

/** A busy machine is not an outage. */
const PATIENT = { timeout: 20_000 };

/** A client with the settings that docs/stores.md#redis names, and longer time limits. */
function connectIoRedis({ url }: RedisServer): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    connectTimeout: PATIENT.timeout,
    commandTimeout: PATIENT.timeout,
    retryStrategy: () => 10,
  });
  redis.on("error", () => {});
  closing.push(() => redis.disconnect());
  return redis;
}

async function connectNodeRedis({ url }: RedisServer) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: PATIENT.timeout, reconnectStrategy: 10 },
  });
  client.on("error", () => {});
  closing.push(() => client.destroy());
  await client.connect();
  return client;
}

const programs = installedServers();
// Begun first: a server of a Cluster takes two seconds before it answers.
const clustered = programs.includes("redis-server") ? startClustered() : Promise.resolve(undefined);

/** A Cluster of one server, which has all slots. */
async function startClustered(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "cardea-redis-"));
  closing.push(() => rm(folder, { recursive: true }));
  const server = await start("redis-server", [
    "--cluster-enabled",
    "yes",
    "--cluster-announce-ip",
    "127.0.0.1",
    "--dir",
    folder,
  ]);
  await connectIoRedis(server).call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
  return server;
}

describe.each(programs)("redisStore() on %s", async (program) => {
  const server = await start(program);
  const [one, two] = [connectIoRedis(server), await connectNodeRedis(server)];
  const [ours, theirs] = [redisStore(one, PATIENT), redisStore(two, PATIENT)];
  const changes = {
    advance: (seconds: number) => advance(one, seconds),
    lose: async () => void (await one.flushall()),
    checkpoint: () => checkpoint(one),
  };

  describe("through ioredis", () => {
    storeContract({ describe, it, expect }, () => ({ store: ours, other: theirs, ...changes }), { lacks: ["hold"] });
  });

  describe("through redis", () => {
    storeContract({ describe, it, expect }, () => ({ store: theirs, other: ours, ...changes }), { lacks: ["hold"] });
  });

  it("shares nothing with another prefix, and names no key as another", async () => {
    const names = ["a:b:c", "a:b", "{a:b}:c", "a:b/c", "cardea:a", "a"];
    const stores = [ours, redisStore(one, { ...PATIENT, prefix: "shop:" })];
    for (const [n, store] of stores.entries())
      for (const name of names) {
        await store.set(name, `${n} ${name}`, { ttl: 60 });
        await store.log?.append(name, `${n} log ${name}`, { ttl: 60 });
      }
    for (const [n, store] of stores.entries())
      for (const name of names) {
        expect(await store.get(name)).toBe(`${n} ${name}`);
        expect((await store.log?.since(name, null))?.entries).toEqual([`${n} log ${name}`]);
      }
  });

  it("reads a log of several thousand entries", async () => {
    const store = ours;
    const entries = Array.from({ length: 2500 }, (_, n) => `entry ${n}`);
    const positions = await Promise.all(
      entries.map((entry) => store.log?.append("cardea:long:log", entry, { ttl: 60 })),
    );
    const all = await store.log?.since("cardea:long:log", null);
    expect(all?.entries).toEqual(entries);
    const rest = await store.log?.since("cardea:long:log", positions[499] ?? null);
    expect([rest?.entries.length, rest?.complete, rest?.at === all?.at]).toEqual([2000, true, true]);
  });

  it.each(["", "x", "1.2.3", "g.0-0.m", "g.(0-1.m", ".."])(
    "says that the position %j is not its own",
    async (after) => {
      const store = ours;
      const name = `cardea:positions:${after}`;
      await store.log?.append(name, "one", { ttl: 60 });
      expect(await store.log?.since(name, after)).toMatchObject({ entries: ["one"], complete: after === "" });
    },
  );

  it("leaves no key without an end but logs and what was to stay", async () => {
    await one.flushall();
    const store = ours;
    await store.add("cardea:x:count", 1, { ttl: 60 });
    await store.add("cardea:x:count", 1, { ttl: 60 });
    await store.set("cardea:x:text", "a", { ttl: 60 });
    await store.swap("cardea:x:text", "a", "b", { ttl: 60 });
    await store.log?.append("cardea:x:log", "one", { ttl: 60, keys: { "cardea:x:key": "a" } });
    const ends = await Promise.all((await one.keys("*")).sort().map(async (key) => [key, (await one.pttl(key)) > 0]));
    expect(ends).toEqual([
      ["{cardea:x}/log", false],
      ["{cardea:x}:count", true],
      ["{cardea:x}:key", true],
      ["{cardea:x}:text", true],
    ]);
  });
});

describe.skipIf(!programs.includes("redis-server"))("redisStore()", () => {
  it("rejects while the server is away, and goes on when it is back", async () => {
    const server = await start();
    const clients = [connectIoRedis(server), await connectNodeRedis(server)];
    const stores = clients.map((client) => redisStore(client, PATIENT));
    for (const store of stores) await store.set("cardea:x:key", "a", { ttl: 60 });
    await server.kill();
    for (const store of stores) await expect(store.get("cardea:x:key")).rejects.toThrow();
    await server.restart();
    for (const store of stores) await expect.poll(() => store.get("cardea:x:key").catch(() => "away")).toBeNull();
  });

  it("rejects when a server hangs, through every client, and takes it for no answer", async () => {
    const server = await start();
    const clients = [connectIoRedis(server), await connectNodeRedis(server)];
    const stores = clients.map((client) => redisStore(client, PATIENT));
    for (const store of stores) await store.set("cardea:x:key", "a", { ttl: 60 });
    await server.pause();
    const impatient = clients.map((client) => redisStore(client, { timeout: 50 }));
    const calls = impatient.flatMap((store) => [
      store.get("cardea:x:key"),
      store.add("cardea:x:count", 1, { ttl: null }),
      store.log?.since("cardea:x:log", null),
    ]);
    const settled = await Promise.allSettled(calls);
    server.resume();
    expect(settled.map(({ status }) => status)).toEqual(Array.from(calls, () => "rejected"));
    for (const store of stores) await expect.poll(() => store.get("cardea:x:key").catch(() => "away")).toBe("a");
  });

  it("keeps the keys of an extension on one server of a Cluster", async () => {
    const server = await clustered;
    if (server === undefined) throw new Error("there is no server");
    const admin = connectIoRedis(server);
    await expect.poll(async () => String(await admin.call("CLUSTER", "INFO"))).toContain("cluster_state:ok");
    const redisOptions = { commandTimeout: PATIENT.timeout };
    const cluster = new Cluster([{ host: "127.0.0.1", port: server.port }], { redisOptions });
    cluster.on("error", () => {});
    closing.push(() => cluster.disconnect());
    const store = redisStore(cluster, PATIENT);
    const keys = { "cardea:sessions:end:1": "a", "cardea:sessions:end:2": "b" };
    await store.log?.append("cardea:sessions:log", "one", { ttl: 60, keys });
    expect(await store.get("cardea:sessions:end:2")).toBe("b");
    const strange = store.log?.append("cardea:sessions:log", "two", { ttl: 60, keys: { "cardea:attempts:x": "c" } });
    await expect(strange).rejects.toThrow(/same slot|CROSSSLOT/);
    expect((await store.log?.since("cardea:sessions:log", null))?.entries).toEqual(["one"]);
  });

  it("refuses a prefix that would change which server a key is on", () => {
    expect(() => redisStore({ sendCommand: async () => null }, { prefix: "{shop}" })).toThrow(
      "must not contain { or }",
    );
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    "refuses a timeout that no timer can have: %d",
    (timeout) => {
      expect(() => redisStore({ sendCommand: async () => null }, { timeout })).toThrow(
        "`timeout` of redisStore() must be",
      );
    },
  );
});
