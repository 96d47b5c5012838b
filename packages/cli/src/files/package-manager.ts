import { spawn } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Host } from "../host.ts";
import { parseManifest } from "./manifest.ts";

/** A supported package manager. */
export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

const LOCKFILES: Readonly<Record<string, PackageManager>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
};

/** Files that each package manager creates in node_modules. */
const TRACES: Readonly<Record<string, PackageManager>> = {
  ".package-lock.json": "npm",
  ".modules.yaml": "pnpm",
  ".yarn-integrity": "yarn",
  ".yarn-state.yml": "yarn",
};

/**
 * The application's package manager: `packageManager` in package.json, otherwise by lockfile, in the folder or the
 * nearest parent, as in a workspace. With several lockfiles, the one that installed node_modules. npm by default.
 */
export async function packageManagerOf(folder: string): Promise<PackageManager> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  const named =
    text === undefined ? undefined : /^(npm|pnpm|yarn|bun)@/.exec(parseManifest(text).packageManager ?? "")?.[1];
  if (named === "npm" || named === "pnpm" || named === "yarn" || named === "bun") return named;
  const locked = await foundIn(folder, LOCKFILES);
  const installed = locked.length > 1 ? await foundIn(join(folder, "node_modules"), TRACES) : [];
  const [manager] = [...locked.filter((one) => installed.includes(one)), ...locked];
  if (manager !== undefined) return manager;
  const above = dirname(folder);
  return above === folder ? "npm" : packageManagerOf(above);
}

/** The package managers whose files are in a folder. */
async function foundIn(
  folder: string,
  files: Readonly<Record<string, PackageManager>>,
): Promise<readonly PackageManager[]> {
  const found = await Promise.all(
    Object.entries(files).map(([file, manager]) =>
      access(join(folder, file)).then(
        () => [manager],
        () => [],
      ),
    ),
  );
  return found.flat();
}

/**
 * The command that adds packages and updates the lockfile; without packages, the command that only updates the
 * lockfile.
 */
export function installCommand(manager: PackageManager, packages: readonly string[]): readonly [string, ...string[]] {
  const verb = packages.length === 0 || manager === "npm" ? "install" : "add";
  return [manager, verb, ...packages];
}

/** Runs the package manager in the folder. @returns its exit code. */
export async function runPackageManager(
  host: Host,
  manager: PackageManager,
  packages: readonly string[],
): Promise<number> {
  const [program, ...args] = installCommand(manager, packages);
  host.write(`$ ${[program, ...args].join(" ")}`);
  const code = await new Promise<number>((resolve) => {
    const child = spawn(program, args, { cwd: host.folder, stdio: "inherit", shell: process.platform === "win32" });
    child.once("error", () => resolve(127));
    child.once("exit", (status) => resolve(status ?? 1));
  });
  if (code !== 0) host.warn(`${manager} failed. The files have been migrated; run the command above manually.`);
  return code === 0 ? 0 : 1;
}
