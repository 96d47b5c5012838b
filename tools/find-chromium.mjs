// Finds a Chromium for the browser tests, and installs Debian's where that is possible.
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { runCommand } from "./run-command.mjs";

/** The first has no windows, and needs half of the time. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/**
 * The path of a Chromium: the one CHROMIUM_PATH names, or else the first of the usual names in /usr/bin (a service
 * often has no PATH) and on PATH, or undefined. Rejects when CHROMIUM_PATH names something that cannot be run: a
 * wrong setting is not a missing one.
 */
async function findChromium(env = process.env, alwaysIn = ["/usr/bin"]) {
  if (env.CHROMIUM_PATH) {
    if (await isExecutable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH names ${env.CHROMIUM_PATH}, which is not an executable file.`);
  }
  const folders = [...alwaysIn, ...(env.PATH ?? "").split(delimiter)];
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/** `{ path }` of a Chromium, installed first on Debian as root if need be; or `{ advice }` without one. */
export async function requireChromium() {
  const found = await findChromium();
  if (found) return { path: found };
  if (!(await canInstall())) {
    return {
      advice: `Install Chromium (Debian: apt-get install ${names[0]}), or name one in the variable CHROMIUM_PATH.`,
    };
  }
  console.log("  Chromium is missing: installing Debian's …");
  const { failed, output } = await installChromium();
  const path = await findChromium();
  if (failed === 0 && path) return { path };
  return {
    advice: `Chromium is missing, and installing Debian's failed:\n${output.trim().split("\n").slice(-15).join("\n")}`,
  };
}

async function installChromium() {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const updated = await runCommand(["apt-get", "update"], { env });
  if (updated.failed > 0) return updated;
  return runCommand(["apt-get", "install", "-y", "--no-install-recommends", names[0]], { env });
}

/** True on Debian as root. Ubuntu does not count: its package is only a pointer to a snap. */
async function canInstall() {
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  return process.getuid?.() === 0 && /^ID="?debian"?$/m.test(release);
}

function isExecutable(path) {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
