import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../fleet/free-port.ts";

/** A MariaDB of a test's own, on a free port of this machine. */
export interface MariadbServer {
  readonly url: string;
  /** Ends it, and every connection, and starts it again on the same port with the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** @param env such as `TZ`, which is the zone of the server. */
export async function startMariadb(env: NodeJS.ProcessEnv = {}): Promise<MariadbServer | undefined> {
  if (!isInstalled()) {
    if (process.env.CI) throw new Error("MariaDB is not installed.");
    console.warn("SKIPPED: tests on a MariaDB of their own, because it is not installed.");
    return undefined;
  }
  const data = mkdtempSync(join(tmpdir(), "cardea-mariadb-"));
  const owner: Partial<ReturnType<typeof idsOf>> = process.getuid?.() === 0 ? idsOf("mysql") : {};
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(data, owner.uid, owner.gid);
  const options = { ...owner, cwd: data, env: { ...process.env, ...env }, stdio: "ignore" } as const;
  const flags = ["--no-defaults", `--datadir=${data}`];
  const install = ["--auth-root-authentication-method=normal", "--skip-test-db"];
  execFileSync("mariadb-install-db", [...flags, ...install], { ...options });
  const port = await freePort();
  const own = [`--port=${port}`, "--bind-address=127.0.0.1", `--socket=${data}/socket`, "--skip-log-bin"];
  const start = async () => {
    const child = spawn("mariadbd", [...flags, ...own, "--innodb-flush-log-at-trx-commit=2"], options);
    process.once("exit", () => child.kill("SIGKILL"));
    await greets(port, child);
    return child;
  };
  let child = await start();
  const end = async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
  return {
    url: `mysql://root@127.0.0.1:${port}/test`,
    restart: async () => {
      await end();
      child = await start();
    },
    close: async () => {
      await end();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function isInstalled(): boolean {
  try {
    execFileSync("mariadbd", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The server does not run as the administrator: as this user then. */
function idsOf(user: string): { readonly uid: number; readonly gid: number } {
  const id = (what: string) => Number(execFileSync("id", [what, user], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Waits until the server greets a connection, as it does once it serves. */
async function greets(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error("MariaDB ended while it was starting.");
    const is = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ port, host: "127.0.0.1" });
      const finish = (result: boolean) => {
        socket.destroy();
        resolve(result);
      };
      socket.setTimeout(1000, () => finish(false));
      socket.once("data", () => finish(true));
      socket.once("error", () => setTimeout(() => finish(false), 50));
    });
    if (is) return;
  }
}
