// Finds the programs that some tests need, and installs Debian's packages if possible. As a command: all of them.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { endAllOnSignal, runCommand } from "./run-command.mjs";

/**
 * By the variable that names the executable: its usual names, of which the first is also Debian's package, and the variable with
 * which the tests do without.
 */
const PROGRAMS = {
  // The first one is headless and takes half of the time.
  CHROMIUM_PATH: {
    names: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"],
    without: "CARDEA_TEST_WITHOUT_BROWSER",
  },
  OATHTOOL_PATH: { names: ["oathtool"], without: "CARDEA_TEST_WITHOUT_OATHTOOL" },
};

/** Sets the variables for all commands that start later. Missing programs are installed (on Debian, as root), or count as skipped. */
export async function findPrograms(variables) {
  const missing = variables.filter((variable) => findProgram(variable) === undefined);
  const output = missing.length > 0 && canInstall() ? await install(missing) : "";
  const skipped = missing.filter((variable) => findProgram(variable) === undefined);
  for (const variable of variables) {
    if (skipped.includes(variable)) process.env[PROGRAMS[variable].without] = "1";
    else process.env[variable] = findProgram(variable);
  }
  const advice = skipped.map((variable) => {
    const [name] = PROGRAMS[variable].names;
    return `SKIPPED: tests with ${name}. Install it (Debian: apt-get install ${name}), or name one in ${variable}.\n${output}`;
  });
  return { passed: 0, failed: 0, skipped: skipped.length, show: advice.join("\n") };
}

/**
 * The path in the variable, otherwise the first of the usual names in /usr/bin (a service often has no PATH) or on PATH. Throws if the
 * variable contains something that is not executable, because that is a mistake.
 */
function findProgram(variable) {
  const named = process.env[variable];
  const script = 'PATH="/usr/bin:$PATH"; for name; do command -v "$name" && exit; done';
  const names = named ? [named] : PROGRAMS[variable].names;
  const path = spawnSync("sh", ["-c", script, "sh", ...names], { encoding: "utf8" }).stdout.trim();
  if (named && path === "") throw new Error(`${variable} names ${named}, which is not an executable file.`);
  return path === "" ? undefined : path;
}

/** Whether this is Debian and the user is root. Ubuntu does not count, because its package only refers to a snap. */
function canInstall() {
  const release = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  return process.getuid?.() === 0 && /^ID="?debian"?$/m.test(release);
}

/** Resolves to the last lines of the output. */
async function install(variables) {
  const names = variables.map((variable) => PROGRAMS[variable].names[0]).join(" ");
  const script = `apt-get update && apt-get install -y --no-install-recommends ${names}`;
  const { output } = await runCommand(["sh", "-c", script], { env: { DEBIAN_FRONTEND: "noninteractive" } });
  return output.trim().split("\n").slice(-15).join("\n");
}

if (process.argv[1] === import.meta.filename) {
  endAllOnSignal();
  await findPrograms(Object.keys(PROGRAMS));
}
