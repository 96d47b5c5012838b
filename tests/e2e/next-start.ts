import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A built Next.js application, running as a process of its own. */
export interface RunningNext {
  readonly url: string;
  /** Everything it printed so far. */
  readonly output: () => string;
  end(): Promise<void>;
  /** Ends it when nothing can be waited for. */
  readonly kill: () => void;
}

const EXAMPLE = fileURLToPath(new URL("../../examples/next", import.meta.url));

/** Starts examples/next as `npm run demo:next` does after the build, with a database of its own. */
export async function startNextDemo(env: Readonly<Record<string, string>> = {}): Promise<RunningNext> {
  const scratch = await mkdtemp(join(tmpdir(), "cardea-next-"));
  const own = { PORT: "0", DATABASE_URL: `file:${join(scratch, "demo.db")}`, ...env };
  const running = await start(EXAMPLE, ["start.mjs"], own);
  return {
    ...running,
    end: async () => {
      await running.end();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** Set by vitest.config.ts: the folder whose Next.js is meant, where it is not the newest. */
const OTHER_NEXT = process.env.CARDEA_NEXT;

/** The application of the tests, and the same below `/shop` (build-next.mjs). */
export const NEXT_APP = folderOf(OTHER_NEXT === undefined ? "next-app" : `${OTHER_NEXT}/dist/plain`);
export const NEXT_SHOP = folderOf(`${OTHER_NEXT ?? "."}/dist/shop`);

/** The applications of build-open.mjs. */
export const NEXT_OPEN = folderOf(`${OTHER_NEXT ?? "."}/dist`);

/** Starts the application of the tests with `next start`. */
export function startNextApp(env: Readonly<Record<string, string>> = {}, folder = NEXT_APP): Promise<RunningNext> {
  const next = createRequire(`${folder}/package.json`).resolve("next/dist/bin/next");
  return start(folder, [next, "start", "--hostname", "127.0.0.1", "--port", "0"], env);
}

/** Starts the application in a folder with a custom server (custom-server.mjs). */
export function startCustomServer(folder: string, env: Readonly<Record<string, string>>): Promise<RunningNext> {
  return start(folder, [folderOf("custom-server.mjs")], env);
}

let shared: Promise<RunningNext> | undefined;

/** The application of the tests, started once for all files of a worker: what it knows of users is in their cookies. It ends with the worker. */
export function shareNextApp(): Promise<RunningNext> {
  const secret = "a secret of more than thirty-two bytes for tests";
  shared ??= startNextApp({ AUTH_SECRET: secret, AUTH_TRUST_HOST: "true" }).then((app) => {
    process.once("exit", app.kill);
    return app;
  });
  return shared;
}

function folderOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

async function start(cwd: string, command: readonly string[], env: Record<string, string>): Promise<RunningNext> {
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
  return { url, output: () => output, end: () => end(child), kill: () => child.kill("SIGKILL") };
}

function readUrl(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const [, port] = /http:\/\/(?:localhost|127\.0\.0\.1):(\d+)[\s\S]*(?:Ready in|ends it)/.exec(output()) ?? [];
      if (port !== undefined) resolve(`http://localhost:${port}`);
    };
    child.stdout?.on("data", look);
    child.once("exit", (code) => reject(new Error(`It ended with ${code}. Is it built?\n${output()}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
