// Finds the programs that some tests need, and installs Debian's packages if possible.
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { runCommand } from "./run-command.mjs";

/** By title: names of the executable (the first is also Debian's package), and the variable that overrides its path. */
const PROGRAMS = {
  // The first one is headless and takes half of the time.
  Chromium: {
    names: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"],
    variable: "CHROMIUM_PATH",
  },
  oathtool: { names: ["oathtool"], variable: "OATHTOOL_PATH" },
};

/** One installation at a time, because apt-get locks its lists. */
let installing = Promise.resolve();

/** Resolves to `{ path }` of a program, after installing it if necessary (on Debian, as root); otherwise to `{ advice }`. */
export async function requireProgram(title) {
  const { names, variable } = PROGRAMS[title];
  const found = await findProgram(names, variable);
  if (found) return { path: found };
  if (!(await canInstall())) {
    return {
      advice: `Install ${title} (Debian: apt-get install ${names[0]}), or name one in the variable ${variable}.`,
    };
  }
  console.log(`  ${title} is missing: installing Debian's …`);
  const installed = installing.then(() => install(names[0]));
  installing = installed.then(() => undefined);
  const { failed, output } = await installed;
  const path = await findProgram(names, variable);
  if (failed === 0 && path) return { path };
  return {
    advice: `${title} is missing, and installing Debian's failed:\n${output.trim().split("\n").slice(-15).join("\n")}`,
  };
}

/**
 * The path in the variable, otherwise the first of the usual names in /usr/bin (a service often has no PATH) or on PATH, otherwise
 * undefined. Rejects if the variable contains something that is not executable, because that is a mistake.
 */
async function findProgram(names, variable, env = process.env, alwaysIn = ["/usr/bin"]) {
  const named = env[variable];
  if (named) {
    if (await isExecutable(named)) return named;
    throw new Error(`${variable} names ${named}, which is not an executable file.`);
  }
  const folders = [...alwaysIn, ...(env.PATH ?? "").split(delimiter)];
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

async function install(name) {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const updated = await runCommand(["apt-get", "update"], { env });
  if (updated.failed > 0) return updated;
  return runCommand(["apt-get", "install", "-y", "--no-install-recommends", name], { env });
}

/** Whether this is Debian and the user is root. Ubuntu does not count, because its package only refers to a snap. */
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
