// A contender of a row in a process of its own, as an application runs one library: what the others leave to the garbage collector, and the
// compiled code of functions that they also call, does not become part of its time.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { inThisProcess } from "./measure-interleaved.mjs";
import { contendPeer } from "./rows/peers.mjs";
import { MAKERS, rows } from "./rows/requests.mjs";

const self = fileURLToPath(import.meta.url);

/** Starts it. The contender has signed in and has been checked when this resolves. */
export async function inOwnProcess(row, library) {
  const child = fork(self, [row, library], {
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${library}, ${row}: the process ended with ${code}`);
  });
  ended.catch(() => undefined);
  const answer = () => Promise.race([once(child, "message"), ended]).then(([message]) => message);
  await answer();
  const measure = (calls, turns) => {
    child.send({ calls, turns });
    return answer();
  };
  return { measure, end: () => child.kill() };
}

if (process.argv[1] === self) {
  const [name, library] = process.argv.slice(2);
  const row = rows.find((one) => one.name === name);
  const contender = library in MAKERS ? await row.contend(library, MAKERS[library]) : await contendPeer(library);
  const { measure } = inThisProcess(contender);
  process.on("message", async ({ calls, turns }) => process.send(await measure(calls, turns)));
  process.send("ready");
}
