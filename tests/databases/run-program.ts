import { fork } from "node:child_process";
import { once } from "node:events";
import type { Answered, Asked } from "./serve-adapter.ts";

/** A running program. */
export interface Running {
  ask(asked: Asked): Promise<Answered>;
  /** How the process ended; null while it runs. */
  ended(): string | null;
  /** What it printed. */
  printed(): string;
  close(): Promise<void>;
}

/** What the configurations of the pages read. */
const APPLICATION = {
  NODE_ENV: "production",
  AUTH_URL: "https://app.example.com",
  AUTH_SECRET: "x".repeat(40),
  AUTH_EXAMPLE_ID: "example",
  AUTH_EXAMPLE_SECRET: "example",
};

/** Runs a program of `buildSetUp()` in a process of its own. */
export async function runProgram(path: string, env: NodeJS.ProcessEnv): Promise<Running> {
  const child = fork(path, {
    env: { ...process.env, ...APPLICATION, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (text += chunk));
  const end = () =>
    (child.exitCode ?? child.signalCode) === null ? null : `${child.exitCode ?? child.signalCode}\n${text}`;
  const gone = once(child, "exit").then((): Answered => ({ error: `The process ended: ${text}` }));
  const answer = async (): Promise<Answered> =>
    Promise.race([new Promise<Answered>((resolve) => child.once("message", resolve as never)), gone]);
  const ready = await answer();
  if (ready.value !== "ready") throw new Error(ready.error);
  return {
    ended: end,
    printed: () => text,
    ask: async (asked) => {
      if (end() !== null) return { error: `The process ended: ${text}` };
      const answered = answer();
      child.send(asked);
      return answered;
    },
    close: async () => {
      if (end() !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
