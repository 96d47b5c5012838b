import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { openPostgres } from "../../../adapter-kysely/src/databases/postgres.ts";
import { type RedisServer, startRedis } from "../../../store-redis/src/servers/start-redis.ts";
import { closedPort, type Processes } from "./start-processes.ts";

/** What runs around an application: how `doctor` is called, and what its environment names. */
export interface World {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

type Make = (processes: Processes) => Promise<World>;

const MINUTES = 60_000;
const asUrl = (origin: string): World => ({ args: ["--url", `${origin}/api/auth`] });

/** An application that knows its origin only by what a proxy says. */
const FORWARDED = { "x-forwarded-host": "{host}", "x-forwarded-proto": "http" };

/** The application behind one proxy. */
async function behind(
  processes: Processes,
  proxy: Omit<Parameters<Processes["start"]>[0], "role" | "targets">,
): Promise<string> {
  const target = await processes.start({ role: "application", trustHost: true });
  return processes.start({ role: "proxy", targets: [target], forward: FORWARDED, ...proxy });
}

const withIssuer = async (processes: Processes, issuer: string): Promise<World> => ({
  ...asUrl(await behind(processes, {})),
  env: { AUTH_LOCAL_ISSUER: issuer },
});

/** With the id of the client, which a provider must be told. */
const withClient = (world: World): World => ({ ...world, env: { ...world.env, AUTH_LOCAL_ID: "a" } });

/** A server of Redis with its files in a folder of its own. */
async function redisWith(
  processes: Processes,
  settings: readonly string[],
  change: (server: RedisServer, folder: string) => Promise<void> = async () => undefined,
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "cardea-doctor-redis-"));
  const data = join(folder, "data");
  mkdirSync(data);
  const server = await startRedis("redis-server", ["--dir", data, "--appendonly", "yes", ...settings]);
  processes.add(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await change(server, data);
  return { args: ["--redis", server.url] };
}

/** A database with users of these addresses. */
async function usersWith(processes: Processes, emails: readonly string[]): Promise<World> {
  const { db, url = "", close } = await openPostgres();
  processes.add(close);
  for (const email of emails) await db.insertInto("User").values({ id: email, email, emailVerified: null }).execute();
  return { args: ["--database", url] };
}

/** Sends a command, and asks until the server says what is expected. */
async function until({ port }: RedisServer, command: string, expected: RegExp): Promise<void> {
  const ask = (line: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1" }, () => socket.end(`${line}\r\n`));
      let text = "";
      socket.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      socket.once("error", reject);
      socket.once("end", () => resolve(text));
    });
  await ask(command);
  await vi.waitUntil(async () => expected.test(await ask("INFO everything")), { timeout: 30_000 });
}

/** What runs for each fault that only shows in something that runs. */
export const FAULTY: Readonly<Record<string, Make>> = {
  unreachable: async () => asUrl(`http://127.0.0.1:${await closedPort()}`),
  "actions-not-found": async (processes) => ({ args: ["--url", `${await behind(processes, {})}/somewhere/else`] }),
  // A proxy whose application is away.
  "server-error": async (processes) =>
    asUrl(await processes.start({ role: "proxy", targets: [`http://127.0.0.1:${await closedPort()}`] })),
  "cache-control": async (processes) =>
    asUrl(await behind(processes, { answer: { "cache-control": "public, max-age=60" } })),
  "served-from-cache": async (processes) => {
    const origin = await behind(processes, { caches: true });
    await fetch(`${origin}/api/auth/session`);
    return asUrl(origin);
  },
  "visitor-cookie": async (processes) => asUrl(await behind(processes, { answer: { "set-cookie": "lb=1; Path=/" } })),
  // Two proxies, of which the outer does not say which host browsers use.
  "origin-host": async (processes) => {
    const inner = await behind(processes, {});
    return asUrl(await processes.start({ role: "proxy", targets: [inner] }));
  },
  "origin-scheme": async (processes) =>
    asUrl(await behind(processes, { forward: { ...FORWARDED, "x-forwarded-proto": "https" } })),
  "page-origin": async (processes) => ({
    args: ["--url", `${await behind(processes, {})}/api/auth`, "--page", "http://localhost:5173"],
  }),
  // The application has the page of no other domain.
  "passkey-related-origins": async (processes) => asUrl(await behind(processes, {})),
  "clock-server": async (processes) =>
    asUrl(await processes.start({ role: "application", trustHost: true, skew: -2 * MINUTES })),
  discovery: async (processes) => withIssuer(processes, `http://127.0.0.1:${await closedPort()}`),
  "discovery-issuer": async (processes) =>
    withIssuer(processes, await processes.start({ role: "issuer", issuer: "https://id.example.com" })),
  "clock-provider": async (processes) =>
    withIssuer(processes, await processes.start({ role: "issuer", skew: 2 * MINUTES })),
  "post-logout-uri": async (processes) =>
    withClient(await withIssuer(processes, await processes.start({ role: "issuer", wayBack: 400 }))),
  "mixed-actions": async (processes) => {
    const ours = await processes.start({ role: "application", trustHost: true });
    const theirs = await processes.start({ role: "former" });
    const forward = FORWARDED;
    // The session and the list of providers are asked first, one of each side.
    const origin = await processes.start({ role: "proxy", targets: [ours, ours, ours, theirs], forward });
    return { args: ["--url", `${origin}/api/auth`, "--mixed"] };
  },
  "mixed-not-shared": async (processes) => ({ args: ["--url", `${await behind(processes, {})}/api/auth`, "--mixed"] }),
  "database-unreachable": async () => ({ args: ["--database", `postgresql://127.0.0.1:${await closedPort()}/app`] }),
  "address-twins": (processes) => usersWith(processes, ["ann@example.com", "Ann@example.com"]),
  "address-capitals": (processes) => usersWith(processes, ["Ann@example.com", "BO@example.com"]),
  "redis-unreachable": async () => ({ args: ["--redis", `redis://127.0.0.1:${await closedPort()}`] }),
  "redis-eviction": (processes) => redisWith(processes, ["--maxmemory-policy", "allkeys-lru"]),
  "redis-not-persistent": (processes) => redisWith(processes, ["--appendonly", "no"]),
  "redis-replica": async (processes) => redisWith(processes, ["--replicaof", `127.0.0.1 ${await closedPort()}`]),
  "redis-write-failed": (processes) =>
    redisWith(processes, [], async (server, folder) => {
      rmSync(folder, { recursive: true });
      await until(server, "BGSAVE", /rdb_last_bgsave_status:err/);
    }),
};

/** What runs for set-ups without a fault. */
export const HEALTHY: Readonly<Record<string, Make>> = {
  "the running application and its issuer": async (processes) =>
    withIssuer(processes, await processes.start({ role: "issuer" })),
  "a provider that takes the way back after a logout": async (processes) =>
    withClient(await withIssuer(processes, await processes.start({ role: "issuer", wayBack: 303 }))),
  "clocks that are 60 seconds apart": async (processes) =>
    asUrl(await processes.start({ role: "application", trustHost: true, skew: -MINUTES / 2 })),
  "a mixed fleet that shares sessions, with its actions on one side": async (processes) => ({
    args: ["--url", `${await behind(processes, {})}/api/auth`, "--mixed"],
  }),
  "a Redis that keeps what it is given": (processes) => redisWith(processes, []),
  "a Redis with a password": async (processes) => {
    const { args } = await redisWith(processes, [], (server) =>
      until(server, 'CONFIG SET requirepass "open sesame"', /NOAUTH/),
    );
    return { args: args.map((text) => text.replace("redis://", "redis://:open%20sesame@")) };
  },
};
