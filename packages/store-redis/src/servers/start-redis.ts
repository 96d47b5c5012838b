import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createConnection, createServer } from "node:net";

/** A server for a single test, on a free local port, without persistence. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Stops responding, but keeps every connection (`SIGSTOP`). */
  pause(): void;
  /** Responds again, including to requests sent in the meantime. */
  resume(): void;
  /** Kills the server; all data is lost. */
  kill(): Promise<void>;
  /** Restarts on the same port, empty. */
  restart(): Promise<void>;
  /** Stops the server permanently. */
  close(): Promise<void>;
}

/** The installed servers. */
export function installedServers(): readonly string[] {
  const names = ["redis-server", "valkey-server"];
  const installed = names.filter((name) => spawnSync(name, ["--version"]).status === 0);
  for (const name of names.filter((one) => !installed.includes(one))) {
    console.warn(`SKIPPED: tests on ${name}, which is not installed.`);
  }
  // In CI, a skipped test must not look like a passed one.
  if (process.env.CI && !installed.includes("redis-server")) throw new Error("redis-server is not installed.");
  return installed;
}

/** Starts a server; rejects if it does not respond within ten seconds. */
export async function startRedis(program = "redis-server", settings: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort();
  let child = await start(program, port, settings);
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    kill: () => end(child),
    async restart() {
      await end(child);
      child = await start(program, port, settings);
    },
    close: () => end(child),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("No free port found.");
  return address.port;
}

async function start(program: string, port: number, settings: readonly string[]): Promise<ChildProcess> {
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", ...settings];
  const child = spawn(program, args, { stdio: "ignore" });
  // Also if the tests end without closing it.
  process.once("exit", () => child.kill("SIGKILL"));
  const deadline = Date.now() + 10_000;
  while (!(await answers(port))) {
    if (Date.now() > deadline || child.exitCode !== null)
      throw new Error(`${program} does not respond on port ${port}.`);
  }
  return child;
}

/** Whether the server responds with PONG. */
async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" }, () => socket.write("PING\r\n"));
    const finish = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(1000, () => finish(false));
    socket.once("data", (data) => finish(data.toString().startsWith("+PONG")));
    // Not ready yet: wait briefly, without taking CPU time from the server.
    socket.once("error", () => setTimeout(() => finish(false), 20));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
