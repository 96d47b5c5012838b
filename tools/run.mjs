// Runs a script of package.json on a machine that only has Node.js and npm: starts the pinned pnpm, installs dependencies if the
// lockfile or Node.js has changed, then runs the script.
//
//   node tools/run.mjs test:inner --fast
//
// Uses only old imports and syntax, so that an old Node.js shows the message about its version instead of a syntax error.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === "win32";

// Ctrl-C is the normal way to end a demo or the registry, not a failure.
const isEndedByHand = (name) => /^(?:demo|registry)\b/.test(name);

const quiet = {
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
  CHECKPOINT_DISABLE: "1",
};

let interruptedBy;
let child;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => interrupt(signal));

// npm sends SIGTERM only to its shell, which exits without passing it on to this process.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid !== parent && interruptedBy === undefined && interrupt("SIGTERM"), 500).unref();
}

const [script, ...args] = process.argv.slice(2);
if (!script) fail("usage: node tools/run.mjs <script of package.json> [arguments]");
requireNode();
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
await install();
process.exitCode = await pnpm(["--silent", "run", script, ...args], "inherit").then((result) => result.code);

/** Exits with a message if this Node.js is older than `engines.node` of package.json. */
function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const wanted = /(\d+)\.(\d+)/.exec(engines.node);
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > Number(wanted[1]) || (major === Number(wanted[1]) && minor >= Number(wanted[2]))) return;
  fail(`This needs Node ${engines.node}; this is Node ${process.versions.node}. See https://nodejs.org`);
}

/**
 * Installs the dependencies in the lockfile, unless this Node.js version has already installed exactly these. Older versions of
 * Next.js, a tenth of what there is to install, only for the tests before a release.
 */
async function install() {
  const isComplete = script === "test:all:inner";
  const marker = join(root, "node_modules", ".bootstrap");
  const hash = createHash("sha256").update(`${process.version} ${process.platform} ${process.arch}\n`);
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests()])
    hash.update(readIfThere(join(root, file)));
  const most = hash.digest("hex");
  const wanted = isComplete ? `${most} complete` : most;
  if (readIfThere(marker).startsWith(wanted)) return;
  console.error(`Installing dependencies with ${packageManager} (the first time takes about half a minute) …`);
  const chosen = isComplete ? [] : ["--include-workspace-root", "--filter=!e2e-next-*"];
  // With more downloads at the same time, look-ups of the registry's name are lost, and pnpm waits seconds for each.
  const options = ["--frozen-lockfile", "--reporter=append-only", "--network-concurrency=6"];
  const { code, output } = await pnpm(["install", ...options, ...chosen], "pipe");
  if (code !== 0) {
    console.error(output);
    if (interruptedBy === undefined) console.error("The installation failed; its output is above.");
    process.exit(code);
  }
  writeFileSync(marker, wanted);
}

/** Every place where a package.json of the workspace may be, so that packages missing from the lockfile are noticed. */
function manifests() {
  const folders = ["", ...readdirSync(root)];
  for (const parent of ["packages", "examples", "tests"]) {
    for (const name of readdirSync(join(root, parent))) folders.push(join(parent, name));
  }
  return folders.map((folder) => join(folder, "package.json"));
}

/** Runs pnpm and resolves to its exit code, and to its output if that was not shown. Never rejects. */
function pnpm(args, stdio) {
  return new Promise((resolve) => {
    // Hides npm's own warnings, for example about a user's .npmrc.
    const npx = ["--yes", "--loglevel=error", packageManager, ...args];
    child = spawn("npx", npx, {
      cwd: root,
      env: { ...process.env, ...quiet },
      shell: windows,
      stdio: ["ignore", stdio, stdio],
      // A separate process group, so that child processes end with pnpm. pnpm does not pass signals on, so a demo would
      // otherwise keep its port.
      detached: !windows,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => resolve({ code: 1, output: `${output}Could not start npx: ${error.message}` }));
    child.on("close", (code, signal) => resolve({ code: exitCode(code, signal), output }));
  });
}

function interrupt(signal) {
  // A second signal means that the first one was not sufficient.
  endChild(interruptedBy === undefined ? signal : "SIGKILL");
  interruptedBy = signal;
}

/** Sends a signal to the child and all processes that it started. */
function endChild(signal) {
  try {
    if (child) process.kill(windows ? child.pid : -child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error; // ESRCH: it has ended already
  }
}

/** The exit code a shell would report: 128 + n after signal n. */
function exitCode(code, signal) {
  const ended = interruptedBy ?? signal;
  if (interruptedBy !== undefined && isEndedByHand(script)) return 0;
  return ended ? 128 + constants.signals[ended] : code;
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
