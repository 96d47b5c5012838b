import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { RunningBinding } from "@cardea/testing/binding-contract";

/** A built application: a program of Node, in a folder. */
export interface Program {
  readonly folder: string;
  /** The file that Node runs, and its arguments. */
  readonly command: readonly string[];
  /** Default: the Node that runs the tests. */
  readonly node?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts it as in production; it prints a line with its `port`. Rejects with what it printed if it ends before that. */
export async function startApplication(
  program: Program,
  env: Readonly<Record<string, string>>,
): Promise<RunningBinding> {
  const { PATH = "" } = process.env;
  // No setting of the machine the tests run on gets in.
  const own = { PATH, NODE_ENV: "production", ...program.env, ...env };
  const child = spawn(program.node ?? process.execPath, program.command, { cwd: program.folder, env: own });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const port = await readPort(child, () => output);
  return {
    origin: `http://localhost:${port}`,
    output: () => output,
    stop: async () => {
      if (child.exitCode === null && child.kill("SIGKILL")) await once(child, "exit");
    },
  };
}

async function readPort(child: ChildProcess, output: () => string): Promise<string> {
  for (;;) {
    const port = /"port":\s*(\d+)|http:\/\/[\w.[\]:]+?:(\d+)/.exec(output())?.slice(1).find(Boolean);
    if (port !== undefined) return port;
    if (child.exitCode !== null || child.stdout === null)
      throw new Error(`The application did not start. Is it built?\n${output()}`);
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  }
}
