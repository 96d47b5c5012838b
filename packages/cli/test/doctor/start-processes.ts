import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Role } from "./server.ts";

/** Processes of one world, which end together. */
export interface Processes {
  /** Starts one. @returns its origin. */
  start(role: Role, env?: Readonly<Record<string, string>>): Promise<string>;
  /** Something else to end with them. */
  add(close: () => Promise<void> | void): void;
  close(): Promise<void>;
}

/** The program of the processes, built from the sources. */
export async function buildProgram(): Promise<{ readonly path: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "cardea-doctor-program-"));
  const path = join(folder, "server.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("./server.ts", import.meta.url))],
    outfile: path,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    tsconfig: fileURLToPath(new URL("../../../../tsconfig.json", import.meta.url)),
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A set of processes; `env` is what each gets. */
export function processesOf(program: string, env: Readonly<Record<string, string>>): Processes {
  const closes: (() => Promise<void> | void)[] = [];
  return {
    start: async (role, own = {}) => {
      const args = [program, JSON.stringify(role)];
      const child = spawn(process.execPath, args, { env: { ...env, ...own }, stdio: ["ignore", "pipe", "pipe"] });
      closes.push(() => end(child));
      return `http://127.0.0.1:${await portOf(child)}`;
    },
    add: (close) => void closes.push(close),
    close: async () => {
      for (const close of closes.splice(0).reverse()) await close();
    },
  };
}

async function portOf(child: ChildProcess): Promise<string> {
  let output = "";
  child.stderr?.resume();
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  for (;;) {
    const [, port] = /port (\d+)\n/.exec(output) ?? [];
    if (port !== undefined) return port;
    if (child.exitCode !== null) throw new Error(`A process of the lab ended with ${child.exitCode}.`);
    await Promise.race([once(child.stdout ?? child, "data"), once(child, "exit")]);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** A port of this machine on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("There is no free port.");
  return address.port;
}
