// Several real processes, one Redis and one OpenID Provider that rotates refresh tokens and ends the grant when one is used twice.
import { type ChildProcess, fork } from "node:child_process";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuth } from "@cardea/core";
import { redisStore } from "@cardea/store-redis";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import { startOidcProvider } from "@cardea/testing/oidc-provider";
import { build } from "esbuild";
import { Redis } from "ioredis";
import { startRedis } from "../../../store-redis/src/servers/start-redis.ts";
import { vault } from "../../src/index.ts";
import type { Order, Report, WorkerSettings } from "./orders.ts";

const ORIGIN = "http://localhost:3000";
const SECRET = "a secret of more than thirty-two bytes";

/** A process of the fleet. */
interface Member {
  readonly child: ChildProcess;
  /** Rejects when the process ends before it reports. */
  run(order: Order): Promise<Report>;
}

/** Everything that the tests need; closed at the end. */
export interface Fleet {
  /** A new user with an account and tokens. */
  addUser(name: string): Promise<string>;
  start(settings?: Partial<Pick<WorkerSettings, "clockMs" | "speed">>): Promise<Member>;
  /** Status codes of the provider's answers to token requests, in order, since the last call. */
  answers(): number[];
  close(): Promise<void>;
}

/** Counts the answers of the token endpoint, which runs in this process. */
function watchTokenEndpoint(port: string) {
  const seen: number[] = [];
  const finished = channel("http.server.response.finish");
  const listener = (message: unknown) => {
    const { request, response }: { request?: IncomingMessage; response?: ServerResponse } = Object(message);
    const isOurs = request?.url === "/token" && String(request.socket.localPort) === port;
    if (isOurs && response !== undefined) seen.push(response.statusCode);
  };
  finished.subscribe(listener);
  return { take: () => seen.splice(0), close: () => finished.unsubscribe(listener) };
}

/** Starts the servers and bundles the worker. */
export async function startFleet(): Promise<Fleet> {
  const folder = await mkdtemp(join(tmpdir(), "cardea-vault-"));
  const bundle = join(folder, "worker.cjs");
  const entryPoints = [new URL("worker.ts", import.meta.url).pathname];
  await build({ entryPoints, outfile: bundle, bundle: true, platform: "node", format: "cjs", logLevel: "error" });
  const server = await startRedis();
  const op = await startOidcProvider({ redirectUris: [`${ORIGIN}/auth/callback/op`], rotateRefreshTokens: true });
  const provider = { id: "op", issuer: op.issuer, clientId: op.clientId, clientSecret: op.clientSecret };
  const watch = watchTokenEndpoint(new URL(op.issuer).port);
  const redis = new Redis(server.url);
  const memory = createMemoryAdapter();
  const { swapAccountTokens, listAccountsByUserId, store: own, ...adapter } = memory.adapter;
  const auth = createAuth({
    ...{ secret: SECRET, trustHost: true, adapter, store: redisStore(redis) },
    providers: [
      {
        ...{ ...provider, name: "Provider", type: "oidc" },
        authorization: { params: { scope: "openid offline_access", prompt: "consent" } },
      },
    ],
    extensions: [vault()],
  });
  const members: ChildProcess[] = [];

  return {
    async addUser(name) {
      const routes = { [op.issuer]: (request: Request) => fetch(request) };
      const browser = createBrowser(auth.handlers.GET, { origin: ORIGIN, routes, follow: "all" });
      const page = await browser.submit(await browser.navigate("/auth/signin"), { action: "/auth/signin/op" });
      await browser.submit(page, { button: "Continue", fields: { other: name } });
      watch.take();
      const accounts = memory.snapshot().accounts;
      return String(accounts.at(-1)?.userId);
    },
    async start({ clockMs = 0, speed = 1 } = {}) {
      const { users, accounts } = memory.snapshot();
      const settings: WorkerSettings = {
        redis: server.url,
        secret: SECRET,
        seed: { users, accounts },
        clockMs,
        speed,
        provider,
      };
      const child = fork(bundle, [JSON.stringify(settings)]);
      members.push(child);
      await once(child, "message");
      return { child, run: (order) => runOrder(child, order) };
    },
    answers: watch.take,
    async close() {
      for (const child of members) child.kill("SIGKILL");
      watch.close();
      redis.disconnect();
      await op.close();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function runOrder(child: ChildProcess, order: Order): Promise<Report> {
  const ended = once(child, "exit").then(() => {
    throw new Error("the process ended");
  });
  const report = once(child, "message");
  child.send(order);
  const [answer] = await Promise.race([report, ended]);
  return answer;
}
