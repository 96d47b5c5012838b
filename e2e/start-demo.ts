import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The built demo, running as a process of its own. */
export interface RunningDemo {
  readonly url: string;
  /** Everything it printed so far. */
  readonly output: () => string;
  /** Asks it to end, as Ctrl+C does; resolves with its exit code. */
  end(): Promise<number | null>;
}

const FOLDER = fileURLToPath(new URL("../examples/express", import.meta.url));

/** Starts the demo as `npm run demo` does after the build. */
export async function startDemo(env: Readonly<Record<string, string>> = {}): Promise<RunningDemo> {
  // No setting of the machine the tests run on gets in.
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, ["dist/main.js"], { cwd: FOLDER, env: { PATH, PORT: "0", ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return { url: await readUrl(child, () => output), output: () => output, end: () => end(child) };
}

async function readUrl(child: ChildProcess, output: () => string): Promise<string> {
  for (;;) {
    const [, url] = /(http:\/\/\S+)/.exec(output()) ?? [];
    if (url !== undefined) return url;
    if (child.exitCode !== null) throw new Error(`The demo ended with ${child.exitCode}. Is it built?\n${output()}`);
    await Promise.race([once(child.stdout ?? child, "data"), once(child, "exit")]);
  }
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const ended = once(child, "exit");
  child.kill("SIGINT");
  await ended;
  return child.exitCode;
}
