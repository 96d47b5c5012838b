import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { access, readFile, rm, writeFile } from "node:fs/promises";
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
export function installCommand(
  manager: PackageManager,
  packages: readonly string[],
  isDevelopment = false,
): readonly [string, ...string[]] {
  const verb = packages.length === 0 || manager === "npm" ? "install" : "add";
  const flag = isDevelopment ? [manager === "npm" || manager === "pnpm" ? "--save-dev" : "--dev"] : [];
  return [manager, verb, ...flag, ...packages];
}

/** Runs the package manager in the folder. If it fails, its files are as they were before. @returns whether it succeeded. */
export async function runPackageManager(
  host: Host,
  manager: PackageManager,
  packages: readonly string[],
  isDevelopment = false,
): Promise<boolean> {
  const [program, ...args] = installCommand(manager, packages, isDevelopment);
  host.write(`$ ${[program, ...args].join(" ")}`);
  const restore = await keepFiles(host.folder);
  // The terminal sends an interruption to both processes. The one that writes files ends first.
  const wait = () => undefined;
  process.on("SIGINT", wait);
  const code = await new Promise<number>((resolve) => {
    const child = spawn(program, args, { cwd: host.folder, stdio: "inherit", shell: process.platform === "win32" });
    child.once("error", () => resolve(127));
    child.once("exit", (status) => resolve(status ?? 1));
  });
  process.off("SIGINT", wait);
  if (code !== 0) await restore();
  return code === 0;
}

/** Reads what a package manager writes in the folder and those above, as in a workspace. @returns the function that restores it. */
async function keepFiles(folder: string): Promise<() => Promise<void>> {
  const names = ["package.json", "pnpm-workspace.yaml", ...Object.keys(LOCKFILES)];
  const folders = [folder];
  for (let one = folder; dirname(one) !== one && !existsSync(join(one, ".git")); one = dirname(one))
    folders.push(dirname(one));
  const kept = await Promise.all(
    folders
      .flatMap((one) => names.map((name) => join(one, name)))
      .map(async (path) => ({ path, content: await readFile(path).catch(() => undefined) })),
  );
  return async () => {
    for (const { path, content } of kept) {
      const current = await readFile(path).catch(() => undefined);
      if (content === undefined) await rm(path, { force: true });
      else if (current === undefined || !current.equals(content)) await writeFile(path, content);
    }
  };
}
