import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { freePort } from "../fleet/free-port.ts";

/** A PostgreSQL of a test's own, on a free port of this machine. */
export interface PostgresServer {
  readonly url: string;
  /** Ends it, and every connection, and starts it again on the same port with the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The server does not run as the administrator: as this user then, where there is one. */
function ownerOfData(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (what: string) => Number(execFileSync("id", [what, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Where the programs are; undefined where PostgreSQL is not installed. */
function findPrograms(): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    try {
      const bin = dirname(realpathSync(join(folder, "postgres")));
      return realpathSync(join(bin, "initdb")) && bin;
    } catch {
      // Not in this folder: the next one.
    }
  }
  return undefined;
}

/** Starts a server, with settings such as `-c timezone=Europe/Berlin`; undefined, with a warning, where PostgreSQL is not installed. In CI that is an error. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer | undefined> {
  const bin = findPrograms();
  if (bin === undefined) {
    if (process.env.CI) throw new Error("PostgreSQL is not installed.");
    console.warn("SKIPPED: tests on a PostgreSQL of their own, because PostgreSQL is not installed.");
    return undefined;
  }
  const owner = ownerOfData();
  const data = mkdtempSync(join(tmpdir(), "cardea-postgres-"));
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(data, owner.uid, owner.gid);
  const options = { ...owner, cwd: data, stdio: "ignore" } as const;
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"], options);
  const port = await freePort();
  const own = ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${data}`, "-c", "fsync=off"];
  const start = async () => {
    const child = spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), ...own, ...settings], options);
    process.once("exit", () => child.kill("SIGKILL"));
    await answers(port, child);
    return child;
  };
  let child = await start();
  const end = async () => {
    const ended = once(child, "exit");
    // Fast: connections are ended, and what was committed is kept.
    child.kill("SIGINT");
    await ended;
  };
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
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

/** PostgreSQL, message formats: StartupMessage of version 3.0, and the first letter of what a server answers that trusts the user. */
const PARAMETERS = Buffer.from("user\0postgres\0\0");
const STARTUP = Buffer.concat([Buffer.from([0, 0, 0, 8 + PARAMETERS.length, 0, 3, 0, 0]), PARAMETERS]);
const AUTHENTICATION = "R".charCodeAt(0);

/** Waits until the server takes connections: while it starts, it answers to the first message already, with an error. */
async function answers(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error("PostgreSQL ended while it was starting.");
    if (await answersNow(port)) return;
  }
}

function answersNow(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" }, () => {
      socket.write(STARTUP);
    });
    const finish = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(1000, () => finish(false));
    socket.once("data", ([kind]: Buffer) => finish(kind === AUTHENTICATION));
    socket.once("error", () => setTimeout(() => finish(false), 50));
  });
}
