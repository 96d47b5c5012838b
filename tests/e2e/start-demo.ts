import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built demo, running as a process of its own. */
export interface RunningDemo {
  readonly url: string;
  /** Everything it printed so far. */
  readonly output: () => string;
  /** Asks it to end, as Ctrl+C does; resolves with its exit code. */
  end(): Promise<number | null>;
  /** Ends it at once, without a word to it. */
  kill(): Promise<void>;
}

const FOLDER = fileURLToPath(new URL("../../examples/express", import.meta.url));

/** Starts the demo as `npm run demo` does after the build, with a database of its own unless `DATABASE_URL` says otherwise. */
export async function startDemo(env: Readonly<Record<string, string>> = {}): Promise<RunningDemo> {
  const scratch = await mkdtemp(join(tmpdir(), "cardea-demo-"));
  // No setting of the machine the tests run on gets in.
  const { PATH = "" } = process.env;
  const own = { PATH, PORT: "0", DATABASE_URL: `file:${join(scratch, "demo.db")}` };
  const child = spawn(process.execPath, ["--liftoff-only", "dist/main.js"], { cwd: FOLDER, env: { ...own, ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const endBy = async (signal: NodeJS.Signals) => {
    await end(child, signal);
    await rm(scratch, { recursive: true, force: true });
  };
  return {
    url: await readUrl(child, () => output),
    output: () => output,
    end: () => endBy("SIGINT").then(() => child.exitCode),
    kill: () => endBy("SIGKILL"),
  };
}

async function readUrl(child: ChildProcess, output: () => string): Promise<string> {
  for (;;) {
    const [, url] = /(http:\/\/\S+)/.exec(output()) ?? [];
    if (url !== undefined) return url;
    if (child.exitCode !== null) throw new Error(`The demo ended with ${child.exitCode}. Is it built?\n${output()}`);
    await Promise.race([once(child.stdout ?? child, "data"), once(child, "exit")]);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}
