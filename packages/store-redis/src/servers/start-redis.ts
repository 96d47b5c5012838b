import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** A server for a single test, on a free local port, without persistence. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Stops responding, but keeps every connection (`SIGSTOP`). Resolves when it has stopped. */
  pause(): Promise<void>;
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

/** Only ends what hangs, in milliseconds. */
const PATIENCE = 30_000;

/** Starts a server; rejects if it does not respond within thirty seconds. */
export async function startRedis(program = "redis-server", settings: readonly string[] = []): Promise<RedisServer> {
  let { port, child } = await startOnFreePort(program, settings);
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    pause: () => stop(child),
    resume: () => void child.kill("SIGCONT"),
    kill: () => end(child),
    async restart() {
      await end(child);
      child = await start(program, port, settings);
    },
    close: () => end(child),
  };
}

/** Another process may bind the port before the server does: the server ends, and is started on another. */
async function startOnFreePort(program: string, settings: readonly string[]) {
  for (;;) {
    const port = await freePort();
    const child = spawnServer(program, port, settings);
    if (await isReady(child, port)) return { port, child };
    await end(child);
  }
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

/** Starts a server on a port that is known to be free. */
async function start(program: string, port: number, settings: readonly string[]): Promise<ChildProcess> {
  const child = spawnServer(program, port, settings);
  if (await isReady(child, port)) return child;
  throw new Error(`${program} ended on port ${port}.`);
}

function spawnServer(program: string, port: number, settings: readonly string[]): ChildProcess {
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", ...settings];
  const child = spawn(program, args, { stdio: "ignore" });
  // Also if the tests end without closing it.
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}

/** Waits until the server responds; false if it ended. */
async function isReady(child: ChildProcess, port: number): Promise<boolean> {
  const deadline = Date.now() + PATIENCE;
  while (child.exitCode === null) {
    if (await answers(port, child.pid)) return true;
    if (Date.now() > deadline) throw new Error(`No server responds on port ${port}.`);
    // Without taking CPU time from the server.
    await pause(20);
  }
  return false;
}

/** Whether the server that responds is this process, and has loaded its data. */
async function answers(port: number, pid = 0): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" }, () => socket.write("INFO server\r\nPING\r\n"));
    const finish = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    let text = "";
    socket.setTimeout(PATIENCE, () => finish(false));
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const isOver = /^[+-].*\r\n$/m.test(text);
      if (isOver) finish(text.includes(`process_id:${pid}\r\n`) && text.endsWith("+PONG\r\n"));
    });
    socket.once("error", () => finish(false));
    socket.once("close", () => finish(false));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGSTOP");
  // Where there is no such file, signals are delivered in time.
  const state = () => readFile(`/proc/${child.pid}/stat`, "utf8").catch(() => ") T");
  while (!/\) T/.test(await state())) await pause(5);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
