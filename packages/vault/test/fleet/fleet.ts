// Several real processes on one ground, and one OpenID Provider that rotates refresh tokens and ends the grant when one is used twice.
import { type ChildProcess, fork } from "node:child_process";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuth } from "@cardea/core";
import { createBrowser } from "@cardea/testing";
import { startOidcProvider } from "@cardea/testing/oidc-provider";
import { build } from "esbuild";
import { vault } from "../../src/index.ts";
import { type GroundName, openGround, startGround } from "./grounds.ts";
import { type Order, type Report, USER_HEADER, type WorkerSettings } from "./orders.ts";

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
  /** A new user with an account and tokens; the provider must not list the name. Resolves to the id. */
  addUser(name: string): Promise<string>;
  start(settings?: Partial<Pick<WorkerSettings, "clockMs" | "lookMs">>): Promise<Member>;
  /** Status codes of the provider's answers to refresh requests for a user, in order, since the last call. */
  answers(userId: string): readonly number[];
  close(): Promise<void>;
}

/** How a fleet is made. */
export interface FleetOptions {
  readonly program: Program;
  /** False: an application without the vault, whose tokens are plain in the rows. */
  readonly hasVault?: boolean;
}

/**
 * Notes the answers of the token endpoint, which runs in this process, to requests that name a user. They count when they are asked for:
 * the answer to a process that was killed is never sent.
 */
function watchTokenEndpoint(port: string) {
  let seen: { userId: string | undefined; response: ServerResponse }[] = [];
  const started = channel("http.server.request.start");
  const listener = (message: unknown) => {
    const { request, response }: { request?: IncomingMessage; response?: ServerResponse } = Object(message);
    const isOurs = request?.url === "/token" && String(request.socket.localPort) === port;
    const userId = request?.headers[USER_HEADER]?.toString();
    if (isOurs && response !== undefined) seen.push({ userId, response });
  };
  started.subscribe(listener);
  const take = (userId: string) => {
    const own = seen.filter((one) => one.userId === userId).map(({ response }) => response.statusCode);
    seen = seen.filter((one) => one.userId !== userId);
    // 404 is what the provider begins with: a request whose end never arrived was not answered.
    return own.filter((status) => status !== 404);
  };
  return { take, close: () => started.unsubscribe(listener) };
}

/** The program of a process. */
export interface Program {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes the program one file. */
export async function bundleWorker(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "cardea-vault-"));
  const path = join(folder, "worker.cjs");
  const entryPoints = [new URL("worker.ts", import.meta.url).pathname];
  await build({ entryPoints, outfile: path, bundle: true, platform: "node", format: "cjs", logLevel: "error" });
  return { path, remove: () => rm(folder, { recursive: true }) };
}

/** Starts the servers; undefined, with a warning, where the ground is not installed. */
export async function startFleet(
  name: GroundName,
  { program, hasVault = true }: FleetOptions,
): Promise<Fleet | undefined> {
  const started = await startGround(name);
  if (started === undefined) return undefined;
  const op = await startOidcProvider({ redirectUris: [`${ORIGIN}/auth/callback/op`], rotateRefreshTokens: true });
  const provider = { id: "op", issuer: op.issuer, clientId: op.clientId, clientSecret: op.clientSecret };
  const watch = watchTokenEndpoint(new URL(op.issuer).port);
  const ground = openGround(started.place);
  const auth = createAuth({
    ...{ secret: SECRET, trustHost: true, adapter: ground.adapter, store: ground.store },
    providers: [
      {
        ...{ ...provider, name: "Provider", type: "oidc" },
        authorization: { params: { scope: "openid offline_access", prompt: "consent" } },
      },
    ],
    extensions: hasVault ? [vault()] : [],
  });
  const members: ChildProcess[] = [];

  return {
    async addUser(user) {
      const routes = { [op.issuer]: (request: Request) => fetch(request) };
      const browser = createBrowser(auth.handlers.GET, { origin: ORIGIN, routes, follow: "all" });
      const page = await browser.submit(await browser.navigate("/auth/signin"), { action: "/auth/signin/op" });
      await browser.submit(page, { button: "Continue", fields: { other: user } });
      const providerAccountId = `typed-${user}`;
      const added = await ground.adapter.getUserByAccount?.({ provider: provider.id, providerAccountId });
      if (added?.id === undefined) throw new Error(`${user} could not sign in.`);
      return added.id;
    },
    async start({ clockMs = 0, lookMs = 0 } = {}) {
      const settings: WorkerSettings = {
        ...{ place: started.place, secret: SECRET, seed: ground.seed() },
        ...{ clockMs, lookMs, provider },
      };
      const child = fork(program.path, [JSON.stringify(settings)]);
      members.push(child);
      await once(child, "message");
      return { child, run: (order) => runOrder(child, order) };
    },
    answers: watch.take,
    async close() {
      for (const child of members) child.kill("SIGKILL");
      watch.close();
      await ground.close();
      await op.close();
      await started.close();
    },
  };
}

async function runOrder(child: ChildProcess, order: Order): Promise<Report> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, "exit", { signal }).then(() => {
    throw new Error("the process ended");
  });
  const report = once(child, "message", { signal });
  child.send(order);
  try {
    const [answer] = await Promise.race([report, ended]);
    return answer;
  } finally {
    over.abort();
    await Promise.allSettled([report, ended]);
  }
}
