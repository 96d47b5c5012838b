import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { Runtime } from "./runtimes.ts";

/** The application at work on a runtime. */
export interface RunningRuntime {
  readonly url: string;
  /** Everything it printed so far. */
  readonly output: () => string;
  end(): Promise<void>;
}

const FOLDER = import.meta.dirname;

/** Starts the application; `env` is all that it is told. Rejects with what it printed when it does not get that far. */
export async function startRuntime(runtime: Runtime, env: Readonly<Record<string, string>>): Promise<RunningRuntime> {
  const { command, bundle } = runtime;
  if (command === undefined) throw new Error(`${runtime.name} does not run on this machine.`);
  const scratch = await mkdtemp(join(tmpdir(), "cardea-runtime-"));
  if (bundle !== undefined) await bundleInto(scratch, bundle);
  const [program, ...args] = command;
  // No setting of the machine the tests run on gets in, and nothing of theirs stays on it.
  const own = { NODE_ENV: "production", HOME: scratch, DENO_DIR: scratch, DENO_NO_UPDATE_CHECK: "1" };
  const child = spawn(program, args, { cwd: bundle === undefined ? FOLDER : scratch, env: { ...own, ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return {
    url: `http://127.0.0.1:${await readPort(child, () => output)}`,
    output: () => output,
    end: async () => {
      if (child.exitCode === null && child.kill("SIGKILL")) await once(child, "exit");
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** One file with everything in it, as the tools for workers make it. */
async function bundleInto(folder: string, entry: string): Promise<void> {
  const outfile = join(folder, "worker.js");
  const conditions = ["workerd", "worker"];
  await build({
    entryPoints: [join(FOLDER, entry)],
    outfile,
    bundle: true,
    format: "esm",
    conditions,
    logLevel: "silent",
  });
  await copyFile(join(FOLDER, "worker.capnp"), join(folder, "worker.capnp"));
}

/** The port is in a line of JSON: ours, or the one in which workerd says what it listens on. */
async function readPort(child: ChildProcess, output: () => string): Promise<string> {
  for (;;) {
    const port = /"port":\s*(\d+)/.exec(output())?.[1];
    if (port !== undefined) return port;
    if (child.exitCode !== null || child.stdout === null)
      throw new Error(`The application did not start:\n${output()}`);
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  }
}
