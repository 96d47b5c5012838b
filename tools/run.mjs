// Runs a script of package.json on a machine that only has Node.js and npm: starts the pinned pnpm, installs dependencies if the
// lockfile or Node.js has changed, then runs the script.
//
//   node tools/run.mjs test:inner --fast
//
// Uses only old imports and syntax, so that an old Node.js shows the message about its version instead of a syntax error.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === "win32";
const { engines, packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [script, ...args] = process.argv.slice(2);

const quiet = {
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
  CHECKPOINT_DISABLE: "1",
};

/** What each script needs of the workspace, for pnpm. Each installation contains those before it. */
const INSTALLATIONS = {
  // One example without development dependencies, which take ten times as long.
  demo: ["--prod", "--filter=example-express..."],
  // Without what only tests before a release need: other versions of frameworks, other runtimes, and benchmarks.
  most: [
    "--include-workspace-root",
    ...["e2e-next-*", "bindings-sveltekit-3", "runtimes", "bench-peers"].map((name) => `--filter=!${name}`),
  ],
  complete: [],
};

let interruptedBy;
let child;
let programs;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => interrupt(signal));

// npm sends SIGTERM only to its shell, which exits without passing it on to this process.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid !== parent && interruptedBy === undefined && interrupt("SIGTERM"), 500).unref();
}

const [wanted, present] = [engines.node, process.versions.node].map((version) =>
  /(\d+)\.(\d+)/.exec(version).map(Number),
);
if (present[1] < wanted[1] || (present[1] === wanted[1] && present[2] < wanted[2])) {
  console.error(`This needs Node ${engines.node}; this is Node ${process.versions.node}. See https://nodejs.org`);
  process.exit(1);
}
const [installed] = await Promise.all([install(), script.startsWith("test:") && installPrograms()]);
const code = installed || (await pnpm(["--silent", "run", script, ...args]));
// Ctrl-C is the normal way to end a demo or the registry, not a failure.
process.exitCode = interruptedBy !== undefined && /^(?:demo|registry)\b/.test(script) ? 0 : code;

/** Installs what the script needs of the lockfile, unless this Node.js version has already installed it. Resolves to the exit code. */
async function install() {
  const names = Object.keys(INSTALLATIONS);
  const name = script === "demo:inner" ? "demo" : script === "test:all:inner" ? "complete" : "most";
  const marker = join(root, "node_modules", ".bootstrap");
  const hash = createHash("sha256").update(`${process.version} ${process.platform} ${process.arch}\n`);
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests()])
    hash.update(readFileSync(join(root, file)));
  const digest = hash.digest("hex");
  const [installed, present] = existsSync(marker) ? readFileSync(marker, "utf8").split(" ") : [];
  if (installed === digest && names.indexOf(present) >= names.indexOf(name)) return 0;
  console.error(`Installing dependencies with ${packageManager} (the first time takes about half a minute) …`);
  // With more downloads at the same time, look-ups of the registry's name are lost, and pnpm waits seconds for each.
  const options = ["--frozen-lockfile", "--loglevel=error", "--network-concurrency=6", ...INSTALLATIONS[name]];
  const code = await pnpm(["install", ...options]);
  if (code === 0) writeFileSync(marker, `${digest} ${name}`);
  else if (interruptedBy === undefined) console.error("The installation failed; its output is above.");
  return code;
}

/**
 * Installs the programs that tests need, while pnpm waits for its downloads. `npm test` looks for them again, and says what is missing.
 * Resolves when there is nothing more to wait for. Never rejects.
 */
function installPrograms() {
  return new Promise((resolve) => {
    programs = spawn(process.execPath, [join(root, "tools", "find-program.mjs")], { stdio: "ignore" });
    programs.on("error", resolve);
    programs.on("close", resolve);
  });
}

/** Every package.json of the workspace, so that packages missing from the lockfile are noticed. */
function manifests() {
  const folders = readdirSync(root);
  for (const parent of ["packages", "examples", "tests"]) {
    for (const name of readdirSync(join(root, parent))) folders.push(join(parent, name));
  }
  return ["", ...folders].map((folder) => join(folder, "package.json")).filter((path) => existsSync(join(root, path)));
}

/** Runs pnpm and resolves to its exit code, as a shell would report it: 128 + n after signal n. Never rejects. */
function pnpm(args) {
  return new Promise((resolve) => {
    // Hides npm's own warnings, for example about a user's .npmrc.
    child = spawn("npx", ["--yes", "--loglevel=error", packageManager, ...args], {
      cwd: root,
      env: { ...process.env, ...quiet },
      shell: windows,
      stdio: ["ignore", "inherit", "inherit"],
      // A separate process group, so that child processes end with pnpm. pnpm does not pass signals on, so a demo would
      // otherwise keep its port.
      detached: !windows,
    });
    child.on("error", (error) => {
      console.error(`Could not start npx: ${error.message}`);
      resolve(1);
    });
    child.on("close", (code, signal) => {
      const ended = interruptedBy ?? signal;
      resolve(ended ? 128 + constants.signals[ended] : code);
    });
  });
}

/** Sends a signal to pnpm and all processes that it started. A second signal means that the first one was not sufficient. */
function interrupt(signal) {
  if (programs) programs.kill(signal);
  try {
    if (child) process.kill(windows ? child.pid : -child.pid, interruptedBy === undefined ? signal : "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error; // ESRCH: it has ended already
  }
  interruptedBy = signal;
}
