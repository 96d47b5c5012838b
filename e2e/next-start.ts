import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A built Next.js application, running as a process of its own. */
export interface RunningNext {
  readonly url: string;
  /** Everything it printed so far. */
  readonly output: () => string;
  end(): Promise<void>;
}

/** Starts examples/next as `npm run demo:next` does after the build, with a database of its own. */
export async function startNextDemo(env: Readonly<Record<string, string>> = {}): Promise<RunningNext> {
  const scratch = await mkdtemp(join(tmpdir(), "cardea-next-"));
  const own = { PORT: "0", DATABASE_URL: `file:${join(scratch, "demo.db")}`, ...env };
  const running = await start("../examples/next", ["start.mjs"], own);
  return {
    ...running,
    end: async () => {
      await running.end();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** Starts the application of the tests in e2e/next-app with `next start`. */
export function startNextApp(env: Readonly<Record<string, string>> = {}): Promise<RunningNext> {
  const next = fileURLToPath(new URL("node_modules/next/dist/bin/next", import.meta.url));
  return start("next-app", [next, "start", "--hostname", "127.0.0.1", "--port", "0"], env);
}

async function start(folder: string, command: readonly string[], env: Record<string, string>): Promise<RunningNext> {
  const cwd = fileURLToPath(new URL(folder, import.meta.url));
  // No setting of the machine the tests run on gets in.
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, command, { cwd, env: { PATH, NEXT_TELEMETRY_DISABLED: "1", ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const url = await readUrl(child, () => output);
  return { url, output: () => output, end: () => end(child) };
}

async function readUrl(child: ChildProcess, output: () => string): Promise<string> {
  for (;;) {
    const [, port] = /http:\/\/(?:localhost|127\.0\.0\.1):(\d+)[\s\S]*(?:Ready in|ends it)/.exec(output()) ?? [];
    if (port !== undefined) return `http://localhost:${port}`;
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}. Is it built?\n${output()}`);
    await Promise.race([once(child.stdout ?? child, "data"), once(child.stderr ?? child, "data"), once(child, "exit")]);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
