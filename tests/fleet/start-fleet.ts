import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { startOidcProvider } from "@cardea/testing/oidc-provider";
import { type RedisServer, startRedis } from "../../packages/store-redis/src/servers/start-redis.ts";
import { type PostgresServer, startPostgres } from "../databases/start-postgres.ts";
import { clock, type Outage } from "./history.ts";
import { type LoadBalancer, startProxy } from "./start-proxy.ts";

/** Several processes of the Express example behind a load balancer, with a Redis and a PostgreSQL of their own. */
export interface Fleet {
  readonly origin: string;
  readonly issuer: string;
  readonly proxy: LoadBalancer;
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  /** Whether users can end their sessions: the application has extensions. */
  readonly endsSessions: boolean;
  /** When a process said in its log that the store is away; while one lasts, `to` is Infinity. */
  readonly outages: readonly Outage[];
  /** Ends a process at once (`kill -9`) and starts another in its place. */
  replace(index: number): Promise<void>;
  close(): Promise<void>;
}

/** How a fleet is made. */
export interface FleetOptions {
  readonly program: string;
  readonly processes: number;
  /** Without it the application has no extensions: for comparison. */
  readonly shared: boolean;
}

const SECRET = "a secret of this fleet, of more than thirty-two bytes";

/** Starts everything; undefined where PostgreSQL is not installed. */
export async function startFleet({ program, processes, shared }: FleetOptions): Promise<Fleet | undefined> {
  const postgres = await startPostgres();
  if (postgres === undefined) return undefined;
  const [redis, proxy] = await Promise.all([startRedis(), startProxy()]);
  const client = {
    clientId: "green-room",
    clientSecret: "a secret that only the provider and the application know",
    redirectUris: [`${proxy.origin}/auth/callback/local`],
  };
  const provider = await startOidcProvider({ clients: [client] });
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    PORT: "0",
    DATABASE_URL: postgres.url,
    ...(shared ? { REDIS_URL: redis.url } : {}),
    SESSION_STRATEGY: "jwt",
    AUTH_SECRET: SECRET,
    AUTH_URL: proxy.origin,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.clientId,
    OIDC_CLIENT_SECRET: client.clientSecret,
    SMTP_URL: "smtp://127.0.0.1:9",
  };
  const children: ChildProcess[] = [];
  const urls: string[] = [];
  const outages: Outage[] = [];
  /** Its log says that the store is away, or is there again; one that was killed says nothing. */
  const note = (index: number, state: "away" | "back" | "killed") => {
    const what = `process ${index} says that the store is away`;
    for (const outage of outages) if (outage.what === what) outage.to = Math.min(outage.to, clock());
    if (state === "away") outages.push({ what, from: clock(), to: Number.POSITIVE_INFINITY });
  };
  // Also where the tests end without closing it.
  process.once("exit", () => children.map((child) => child.kill("SIGKILL")));
  const start = async (index: number) => {
    const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "pipe"] });
    children[index] = child;
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on("line", (line) => {
        const [, state] = /sessions-log-(away|back)/.exec(line) ?? [];
        if (state === "away" || state === "back") note(index, state);
      });
    }
    urls[index] = await readUrl(child);
    proxy.targets = urls.filter((url) => url !== "");
  };
  const kill = async (index: number) => {
    const child = children[index];
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    note(index, "killed");
  };
  await Promise.all(Array.from({ length: processes }, (_, index) => start(index)));
  return {
    origin: proxy.origin,
    issuer: provider.issuer,
    proxy,
    redis,
    postgres,
    outages,
    endsSessions: shared,
    replace: async (index) => {
      // The load balancer finds out by itself.
      await kill(index);
      await start(index);
    },
    close: async () => {
      await Promise.all(children.map((_, index) => kill(index)));
      await Promise.all([proxy.close(), provider.close(), redis.close(), postgres.close()]);
    },
  };
}

/** The address that a process prints when it is ready. What it prints afterwards is read and dropped. */
async function readUrl(child: ChildProcess): Promise<string> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-10_000);
    });
  }
  for (;;) {
    const [, port] = /The demo is at http:\/\/localhost:(\d+)/.exec(output) ?? [];
    if (port !== undefined) return `http://127.0.0.1:${port}`;
    if (child.exitCode !== null) throw new Error(`A process ended with ${child.exitCode}:\n${output}`);
    await Promise.race([once(child.stdout ?? child, "data"), once(child.stderr ?? child, "data"), once(child, "exit")]);
  }
}
