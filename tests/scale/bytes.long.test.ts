// What ended sessions, names and tenants take in memory: of a server that they share, and of a process. docs/scale.md has the figures.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { type SessionsOperations, sessions, sessionsOf } from "@cardea/sessions";
import { createBrowser } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { readEntries, writeEntries } from "../../packages/sessions/src/entry.ts";
import { KnownEnds } from "../../packages/sessions/src/known-ends.ts";
import { openSharedRedis } from "../../packages/store-redis/src/servers/open-shared-redis.ts";
import { installedServers } from "../../packages/store-redis/src/servers/start-redis.ts";
import { createApplication } from "./measure-attempts.ts";

const SECRET = "a secret of more than thirty-two bytes for tests";
const quiet = { error: () => {}, warn: () => {}, debug: () => {} };
const password = {
  id: "password",
  name: "Password",
  type: "credentials",
  credentials: { username: {} },
  authorize: () => ({ id: "ann", name: "Ann" }),
} as const;

setFlagsFromString("--expose-gc");
// A cast: the flag adds this function.
const collectGarbage = runInNewContext("gc") as () => void;

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const newId = () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url");

describe.skipIf(!installedServers().includes("redis-server"))("the log of ended sessions in Redis", () => {
  it("takes two keys' worth for each end: its own key, and an entry of the log", async () => {
    const ends = 20_000;
    const redis = await openSharedRedis();
    try {
      const auth = createAuth({
        secret: SECRET,
        trustHost: true,
        logger: quiet,
        session: { strategy: "jwt" },
        extensions: [sessions()],
        store: redis.store,
        providers: [password],
      });
      const { end }: SessionsOperations = sessionsOf(auth);
      await end(newId());
      const [memory, keys] = [await redis.memory(), await redis.keys()];
      for (let n = 0; n < ends; n++) await end(newId());
      const bytes = ((await redis.memory()) - memory) / ends;
      console.log(`bytes in Redis for each ended session: ${bytes}`);
      expect((await redis.keys()) - keys).toBe(ends);
      expect(bytes).toBeLessThan(400);
    } finally {
      await redis.close();
    }
  });
});

describe.skipIf(!installedServers().includes("redis-server"))("createApplication() with Redis", () => {
  it("keeps one key of a quarter of a kilobyte for each wrong name, and none for a right one", async () => {
    const names = 20_000;
    const redis = await openSharedRedis();
    try {
      const application = createApplication(redis.store, { knownDevice: false });
      const browser = application.newBrowser();
      await application.try(browser, "the first", "wrong");
      const [memory, keys] = [await redis.memory(), await redis.keys()];
      for (let n = 0; n < names; n++) await application.try(browser, `name${n}@example.com`, "wrong");
      const bytes = ((await redis.memory()) - memory) / names;
      console.log(`bytes for each wrong name: ${bytes}`);
      expect((await redis.keys()) - keys).toBe(names);
      // A table of keys doubles at times.
      expect(bytes).toBeLessThan(300);
      for (let n = 0; n < 10; n++) await application.try(application.newBrowser(), `name${n}@example.com`, "right");
      expect((await redis.keys()) - keys).toBe(names - 10);
    } finally {
      await redis.close();
    }
  });
});

describe("KnownEnds", () => {
  it("takes about a hundred bytes for each ended session", () => {
    const ends = 1_000_000;
    const known = new KnownEnds();
    const before = heap();
    const until = Math.floor(Date.now() / 1000) + 1_000;
    for (let n = 0; n < ends; n++) {
      // As read from the log.
      const text = writeEntries([{ kind: "end", of: "sid", id: newId(), until, why: "ended" }]);
      for (const entry of readEntries(text)) known.apply(entry);
    }
    const bytes = (heap() - before) / ends;
    console.log(`bytes in a process for each ended session: ${bytes}`);
    expect(known.why("sid", "another")).toBeUndefined();
    expect(bytes).toBeLessThan(200);
  });
});

describe("createAuth() with a configuration for each tenant", () => {
  const TENANTS = 2_000;

  it.each([
    { what: "a tenant", extensions: [] },
    { what: "a tenant with sessions()", extensions: [sessions()] },
  ])("takes some 50 kB at most for $what", async ({ what, extensions }) => {
    const stores = Array.from({ length: TENANTS }, () => memoryStore());
    const { handlers } = createAuth(async (request) => {
      const n = Number(request && new URL(request.url).hostname.split(".")[0]);
      return {
        secret: `${SECRET} of tenant ${n}`,
        trustHost: true,
        logger: quiet,
        session: { strategy: "jwt" },
        maxTenants: TENANTS,
        extensions,
        store: stores[n],
        providers: [password],
      };
    });
    /** A user signs in, and their session is read. */
    const visit = async (n: number) => {
      const handle = (request: Request) => (request.method === "POST" ? handlers.POST(request) : handlers.GET(request));
      const browser = createBrowser(handle, { origin: `https://${n}.example.com` });
      const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
      const body = new URLSearchParams({ csrfToken });
      await browser.fetch("/auth/callback/password", { method: "POST", body });
      expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { name: "Ann" } });
    };
    // What all of them share.
    await visit(0);
    const before = heap();
    for (let n = 1; n < TENANTS; n++) await visit(n);
    const bytes = (heap() - before) / (TENANTS - 1);
    console.log(`bytes in a process for ${what}: ${bytes}`);
    expect(bytes).toBeLessThan(50_000);
  });
});
