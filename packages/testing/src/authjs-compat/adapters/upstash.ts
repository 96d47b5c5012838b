import { UpstashRedisAdapter } from "@auth/upstash-redis-adapter";
import type { Adapter } from "@cardea/core/adapters";

/** What of a client the adapter calls. */
type Redis = Parameters<typeof UpstashRedisAdapter>[0];

/** Other requests run while a command is on its way. */
const travel = () => new Promise((resolve) => setImmediate(resolve));

/** `@auth/upstash-redis-adapter` as it comes from npm, on a map behind the interface of its client, which reads JSON by itself. */
export async function openUpstashAdapter(): Promise<{ readonly adapter: Adapter; close(): void }> {
  const values = new Map<string, string>();
  const client = {
    async set(key: string, value: string) {
      await travel();
      values.set(key, value);
      return "OK";
    },
    async get(key: string) {
      await travel();
      return parseValue(values.get(key));
    },
    async del(...keys: string[]) {
      await travel();
      return keys.filter((key) => values.delete(key)).length;
    },
  };
  return { adapter: UpstashRedisAdapter(assumeClient(client)), close: () => values.clear() };
}

function assumeClient(client: object): Redis {
  return client as Redis;
}

function parseValue(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
