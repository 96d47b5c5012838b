import type { Redis } from "ioredis";

/** Makes everything on a server older: what ends, ends so much earlier. */
export async function advance(redis: Redis, seconds: number): Promise<void> {
  for (const key of await redis.keys("*")) {
    if ((await redis.type(key)) === "stream") await advanceStream(redis, key, seconds);
    const end = Number(await redis.call("PEXPIRETIME", key));
    if (end > 0) await redis.pexpireat(key, end - seconds * 1000);
  }
}

/** The entries of a log say their ends themselves. */
async function advanceStream(redis: Redis, key: string, seconds: number): Promise<void> {
  const rows = await redis.xrange(key, "-", "+");
  await redis.del(key);
  for (const [id, fields] of rows) {
    const at = fields.indexOf("x") + 1;
    const older = fields.map((field, n) => (n === at ? String(Number(field) - seconds * 1000) : field));
    await redis.xadd(key, id, ...older);
  }
}

/** A copy of everything on a server; the function that it resolves to puts it back. */
export async function checkpoint(redis: Redis): Promise<() => Promise<void>> {
  const keys = await redis.keys("*");
  const dumps = await Promise.all(keys.map(async (key) => [key, await redis.dumpBuffer(key)] as const));
  return async () => {
    await redis.flushall();
    for (const [key, dump] of dumps) await redis.restore(key, 0, dump ?? "");
  };
}
