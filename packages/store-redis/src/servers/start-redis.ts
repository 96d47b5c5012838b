import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createConnection, createServer } from "node:net";

/** A server of a test's own, on a free port of this machine, with nothing on disk. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Stops answering, and keeps every connection (`SIGSTOP`). */
  pause(): void;
  /** Answers again, also what was asked meanwhile. */
  resume(): void;
  /** Ends at once, and loses everything. */
  kill(): Promise<void>;
  /** Begins again on the same port, empty. */
  restart(): Promise<void>;
  /** Ends for good. */
  close(): Promise<void>;
}

/** Which of the servers are installed here. */
export function installedServers(): readonly string[] {
  const names = ["redis-server", "valkey-server"];
  const installed = names.filter((name) => spawnSync(name, ["--version"]).status === 0);
  for (const name of names.filter((one) => !installed.includes(one))) {
    console.warn(`SKIPPED: the tests on ${name}, which is not installed.`);
  }
  // Redis is what the store is for; in CI a check that was skipped must not look like one that passed.
  if (process.env.CI && !installed.includes("redis-server")) throw new Error("redis-server is not installed.");
  return installed;
}

/** Starts a server; rejects when it does not answer within ten seconds. */
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
  if (typeof address !== "object" || address === null) throw new Error("There is no free port.");
  return address.port;
}

async function start(program: string, port: number, settings: readonly string[]): Promise<ChildProcess> {
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", ...settings];
  const child = spawn(program, args, { stdio: "ignore" });
  // Also where the tests end without closing it.
  process.once("exit", () => child.kill("SIGKILL"));
  const deadline = Date.now() + 10_000;
  while (!(await answers(port))) {
    if (Date.now() > deadline || child.exitCode !== null)
      throw new Error(`${program} does not answer on port ${port}.`);
  }
  return child;
}

/** Whether the server says PONG. */
async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" }, () => socket.write("PING\r\n"));
    const finish = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(1000, () => finish(false));
    socket.once("data", (data) => finish(data.toString().startsWith("+PONG")));
    // Not there yet: a moment for the server to begin, and for us not to take its processor.
    socket.once("error", () => setTimeout(() => finish(false), 20));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
