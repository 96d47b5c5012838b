import type { Redis } from "ioredis";

/** Advances the age of all data on a server, by shortening every expiry. */
export async function advance(redis: Redis, seconds: number): Promise<void> {
  for (const key of await redis.keys("*")) {
    if ((await redis.type(key)) === "stream") await advanceStream(redis, key, seconds);
    const end = Number(await redis.call("PEXPIRETIME", key));
    if (end > 0) await redis.pexpireat(key, end - seconds * 1000);
  }
}

/** Log entries contain their expiry. */
async function advanceStream(redis: Redis, key: string, seconds: number): Promise<void> {
  const rows = await redis.xrange(key, "-", "+");
  await redis.del(key);
  for (const [id, fields] of rows) {
    const at = fields.indexOf("x") + 1;
    const older = fields.map((field, n) => (n === at ? String(Number(field) - seconds * 1000) : field));
    await redis.xadd(key, id, ...older);
  }
}

/** Copies all data of a server; resolves to a function that restores it. */
export async function checkpoint(redis: Redis): Promise<() => Promise<void>> {
  const keys = await redis.keys("*");
  const dumps = await Promise.all(keys.map(async (key) => [key, await redis.dumpBuffer(key)] as const));
  return async () => {
    await redis.flushall();
    for (const [key, dump] of dumps) await redis.restore(key, 0, dump ?? "");
  };
}
