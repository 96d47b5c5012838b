// Starts commands for the steps of `npm test`. Their output is kept for the report, and no process is left running.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";

const root = dirname(import.meta.dirname);

const running = new Set();
const halfAnHour = 30 * 60 * 1000; // longer than any step takes on a busy machine: what is still running hangs

/**
 * Runs a command in the root, or in `cwd`. Resolves to `{ passed, failed, skipped, output }`; the whole command counts as one. Tools
 * in node_modules/.bin are found by name. Never rejects.
 */
export function runCommand([command, ...args], { env = {}, cwd = root, timeout = halfAnHour } = {}) {
  return new Promise((resolve) => {
    const end = (succeeded, output) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0, output });
    };
    const child = spawn(command, args, {
      cwd,
      env: environment(env),
      stdio: ["ignore", "pipe", "pipe"],
      // A separate process group, so that child processes end with the command. Otherwise a server that a failed test left
      // behind would keep its port, and this process would wait for its output.
      detached: true,
    });
    running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk) => {
        output += chunk;
      });
    }
    const timer = setTimeout(() => {
      output += `\nstopped after ${timeout / 1000} s`;
      endGroup(child, "SIGKILL");
    }, timeout);
    child.on("error", (error) => end(false, `${command}: ${error.message}`));
    child.on("exit", () => endGroup(child, "SIGTERM"));
    child.on("close", (code) => end(code === 0, output));
  });
}

function environment(env) {
  // Colours only in a terminal; tools cannot detect it themselves, because their output is piped.
  const { NO_COLOR, FORCE_COLOR, ...inherited } = process.env;
  const colour = process.stdout.isTTY && !NO_COLOR ? { FORCE_COLOR: FORCE_COLOR ?? "1" } : { NO_COLOR: "1" };
  const PATH = `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH}`;
  return { ...inherited, ...colour, PATH, ...env };
}

function endGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error; // ESRCH: the group has ended, as intended
  }
}

/** Makes Ctrl-C and SIGTERM end all running commands, then this process. */
export function endAllOnSignal() {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => {
      for (const child of running) endGroup(child, "SIGTERM");
      process.exit(128 + constants.signals[signal]);
    });
  }
}
