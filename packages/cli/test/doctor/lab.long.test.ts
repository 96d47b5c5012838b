// Faults in applications that lie in a folder and run, behind proxies that run: each is named by its own line.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { installedServers } from "../../../store-redis/src/servers/start-redis.ts";
import { runCli } from "../../src/run-cli.ts";
import { healthy, planted, type Setup, sound } from "./set-ups.ts";
import { buildProgram, type Processes, processesOf } from "./start-processes.ts";
import { FAULTY, HEALTHY, type World } from "./worlds.ts";

const isLong = process.env.CARDEA_TEST_LONG !== undefined;
const hasRedis = installedServers().includes("redis-server");
/** Those of an application that keeps its users in PostgreSQL. */
const DRIVERS = fileURLToPath(new URL("../../../adapter-kysely/node_modules", import.meta.url));
const SECRET = "the secret of a laboratory, of more than thirty-two bytes";

let program: Awaited<ReturnType<typeof buildProgram>>;
let processes: Processes | undefined;
let folder = "";
beforeAll(async () => {
  program = await buildProgram();
});
afterEach(async () => {
  await processes?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => program.remove());

/** Writes the application of a set-up, makes its world, and asks `doctor`. */
async function ask(setup: Setup, make?: (processes: Processes) => Promise<World>) {
  folder = mkdtempSync(join(tmpdir(), "cardea-doctor-"));
  processes = processesOf(program.path, { PATH: process.env.PATH ?? "", AUTH_SECRET: SECRET });
  const { files, env, tracked, installed } = healthy(setup);
  const packages = [...(installed ?? [])].map(([name, version]): [string, string] => [
    `/node_modules/${name}/package.json`,
    JSON.stringify({ name, version }),
  ]);
  for (const [path, text] of [...files, ...packages]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if (setup.database !== undefined) symlinkSync(DRIVERS, join(folder, "node_modules"));
  execFileSync("git", ["init", "-q"], { cwd: folder });
  if (tracked !== undefined)
    execFileSync("git", ["add", "-f", ...[...tracked].map((path) => path.slice(1))], { cwd: folder });
  const world = await make?.(processes);
  const lines: string[] = [];
  const code = await runCli(["doctor", "--json", ...(world?.args ?? [])], {
    folder,
    env: { ...env, ...world?.env },
    write: (line) => void lines.push(line),
    warn: (line) => void lines.push(line),
  });
  const { findings }: { findings: readonly { readonly id: string }[] } = JSON.parse(lines.join("\n"));
  return { code, ids: [...new Set(findings.map(({ id }) => id))], findings };
}

/** In the short form: every second world, and every sixth set-up that lies in a folder only. */
const chosen = <T>(list: readonly (readonly [string, T])[], worlds: object) =>
  list.filter(
    ([name], n) => (isLong || n % (Object.hasOwn(worlds, name) ? 2 : 6) === 0) && (hasRedis || !/redis/i.test(name)),
  );

describe("cardea doctor", () => {
  it.each(chosen(Object.entries(planted), FAULTY))("names %s and nothing else", async (id, setup) => {
    const { ids, code } = await ask(setup, FAULTY[id]);
    expect(ids).toEqual([id]);
    expect(code).toBe(1);
  });

  const set = Object.entries({ ...sound, "a Redis with a password": {} });
  it.each(chosen(set, HEALTHY))("names nothing in %s", async (name, setup) => {
    const { findings, code } = await ask(setup, HEALTHY[name]);
    expect(findings).toEqual([]);
    expect(code).toBe(0);
  });

  it("has a world for every fault that shows only in what runs", () => {
    const running = Object.entries(planted).filter(([, setup]) => setup.probe ?? setup.redis ?? setup.database);
    expect(Object.keys(FAULTY).toSorted()).toEqual(running.map(([id]) => id).toSorted());
  });
});
