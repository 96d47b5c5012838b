// Adapters written for Auth.js, as they come from npm, under the whole engine.
import { describe } from "vitest";
import { openD1Adapter } from "./adapters/d1.ts";
import { openDrizzleAdapter } from "./adapters/drizzle.ts";
import { openKyselyAdapter } from "./adapters/kysely.ts";
import { openPgAdapter } from "./adapters/pg.ts";
import { openUnstorageAdapter } from "./adapters/unstorage.ts";
import { openUpstashAdapter } from "./adapters/upstash.ts";
import { engineOnAdapter } from "./engine-on-adapter.ts";

const adapters = {
  "@auth/d1-adapter": openD1Adapter,
  "@auth/drizzle-adapter": openDrizzleAdapter,
  "@auth/kysely-adapter": openKyselyAdapter,
  "@auth/pg-adapter": openPgAdapter,
  "@auth/unstorage-adapter": openUnstorageAdapter,
  "@auth/upstash-redis-adapter": openUpstashAdapter,
} as const;

// A PostgreSQL in WebAssembly takes seconds to start on a busy machine.
describe.each(Object.entries(adapters))("the engine on %s", (_name, open) => engineOnAdapter(open));
