// An application in an empty folder, outside of this repository and with nothing of it in reach.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { packageManagers } from "./package-managers.mjs";

/** What a process gets of this one's environment: how to reach the network and npm's own files, and no setting of anything else. */
const inherited =
  /^(?:HOME|USER|LANG|TMPDIR|CI|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|(?:HTTPS?|NO)_PROXY|NPM_CONFIG_(?:USERCONFIG|CAFILE))$/i;

const tenMinutes = 10 * 60 * 1000;

/**
 * Makes npm's folder of one application, with the downloads of this machine. What npx installs is kept there under the name and version of
 * the package, which tests that run at the same time each publish again.
 */
function createNpmFolder() {
  const folder = mkdtempSync(join(tmpdir(), "cardea-npm-"));
  const downloads = join(homedir(), ".npm", "_cacache");
  mkdirSync(downloads, { recursive: true });
  symlinkSync(downloads, join(folder, "_cacache"));
  return folder;
}

/**
 * Makes an empty folder for `manager` (npm, pnpm, yarn), where packages of ours come from the registry `local` and others from
 * `registry`. `replacements` are made in every text and command, e.g. of a port that another user has.
 */
export function createApplication(manager, { registry, local, replacements = {} }) {
  const folder = mkdtempSync(join(tmpdir(), `cardea-install-${manager}-`));
  const npm = createNpmFolder();
  const own = { npm_config_cache: npm };
  const { files, say } = packageManagers[manager];
  const servers = [];
  const adapt = (text) => {
    return Object.entries(replacements).reduce((result, [from, to]) => result.replaceAll(from, to), text);
  };
  const application = {
    folder,
    write: (file, text) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), adapt(text));
    },
    /** What its processes get of this one's environment. */
    environment: { ...environment(), ...own },
    /** Runs a command of a guide, in the words of the package manager, and resolves to what it printed. */
    run: (command, env = {}) => runShell(folder, say(adapt(command)), { ...own, ...env }),
    /** Follows steps of a guide: writes its files, runs its commands. */
    follow: async (steps) => {
      for (const { file, text, command } of steps) {
        if (command !== undefined) await application.run(command);
        // A command may have begun the file already.
        else if (existsSync(join(folder, file))) appendFileSync(join(folder, file), adapt(text));
        else application.write(file, text);
      }
    },
    /** Starts a command that does not end, and resolves once something answers at `url`. */
    start: async (command, url, env = {}) => {
      const server = startShell(folder, say(adapt(command)), { ...own, ...env });
      servers.push(server);
      await answers(server, url);
      return server;
    },
    /** Ends what `start` resolved to. */
    stop: end,
    remove: async () => {
      await Promise.all(servers.map(end));
      for (const made of [folder, npm]) rmSync(made, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  for (const [file, text] of Object.entries(files(registry, local))) application.write(file, text);
  return application;
}

/** The registry that npm on this machine is set to. */
export async function findRegistry() {
  const output = await runShell(tmpdir(), "npm config get registry");
  return output.trim().split("\n").at(-1);
}

function spawnShell(folder, command, env) {
  const child = spawn("sh", ["-c", command], { cwd: folder, env: { ...environment(), ...env }, detached: true });
  child.output = "";
  child.stdin.end();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      child.output += chunk;
    });
  }
  return child;
}

async function runShell(folder, command, env = {}) {
  const child = spawnShell(folder, command, env);
  const timer = setTimeout(() => endGroup(child, "SIGKILL"), tenMinutes);
  const [code] = await once(child, "close");
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${command}\n${child.output.trim()}`);
  return child.output;
}

function startShell(folder, command, env) {
  const loopback = pathToFileURL(join(import.meta.dirname, "loopback-only.mjs")).href;
  return spawnShell(folder, command, { ...env, NODE_OPTIONS: `--import=${loopback} ${env.NODE_OPTIONS ?? ""}`.trim() });
}

async function answers(child, url) {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    const answer = await fetch(url, { redirect: "manual" }).catch(() => undefined);
    if (answer !== undefined) return;
    await wait(100);
  }
  throw new Error(`nothing answers at ${url}\n${child.output}`);
}

/** As a person's shell has it: without what npm, pnpm and vitest put there for this repository. */
function environment() {
  const own = Object.entries(process.env).filter(([name]) => inherited.test(name));
  const path = process.env.PATH.split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return {
    ...Object.fromEntries(own),
    PATH: path.join(delimiter),
    NO_COLOR: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    CHECKPOINT_DISABLE: "1",
    // Prisma's command line loads an engine from a host of its own before it does anything, even where it needs none. Any
    // program will do to generate a client.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  };
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  // Nothing is worth an orderly end: the folder is removed.
  endGroup(child, "SIGKILL");
  await closed;
}

function endGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error; // ESRCH: no process is left in the group, as intended
  }
}
