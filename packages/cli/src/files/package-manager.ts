import { spawn } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Host } from "../host.ts";
import { parseManifest } from "./manifest.ts";

/** A package manager whose lockfile the application has. */
export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

const LOCKFILES: Readonly<Record<string, PackageManager>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
};

/**
 * The application's own package manager: `packageManager` in package.json, else the lockfile, in the folder or the nearest one
 * above it, as in a workspace. npm where nothing tells.
 */
export async function packageManagerOf(folder: string): Promise<PackageManager> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  const named =
    text === undefined ? undefined : /^(npm|pnpm|yarn|bun)@/.exec(parseManifest(text).packageManager ?? "")?.[1];
  if (named === "npm" || named === "pnpm" || named === "yarn" || named === "bun") return named;
  for (const [lockfile, manager] of Object.entries(LOCKFILES)) {
    const exists = await access(join(folder, lockfile)).then(
      () => true,
      () => false,
    );
    if (exists) return manager;
  }
  const above = dirname(folder);
  return above === folder ? "npm" : packageManagerOf(above);
}

/** The command that adds packages and writes the lockfile; without packages, the one that brings the lockfile up to date. */
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
  if (code !== 0) host.warn(`${manager} failed. The files are moved; run the command above by hand.`);
  return code === 0 ? 0 : 1;
}
