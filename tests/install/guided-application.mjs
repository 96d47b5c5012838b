// What the walks through the guides share: packages in a registry of this machine, and an application in an empty folder.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createApplication, findRegistry } from "./create-application.mjs";
import { startLocalRegistry } from "./local-registry.mjs";
import { publishLocally } from "./publish-locally.mjs";

/**
 * Publishes what is built to a registry of this machine: `{ registry, local }`, for packages of others and for ours. What the steps of
 * a guide install; everything before a release.
 */
export async function publishFor(steps) {
  const commands = steps.map(({ command = "" }) => command).join(" ");
  return publish(process.env.CARDEA_TEST_LONG ? undefined : (commands.match(/@cardea\/[\w-]+/g) ?? []));
}

/** The same, with every package that is built. */
export async function publishEverything() {
  return publish(undefined);
}

async function publish(names) {
  const registry = await findRegistry();
  const local = await startLocalRegistry();
  await publishLocally(local, names);
  return { registry, local };
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** An application whose guide speaks of these ports; free ones take their place. */
export async function applicationFor(manager, ports, { registry, local }) {
  const replacements = Object.fromEntries(await Promise.all(ports.map(async (port) => [port, await freePort()])));
  return {
    application: createApplication(manager, { registry, local, replacements }),
    ports: Object.values(replacements),
  };
}

/** Runs a generator that makes a folder `made`: none takes one that has files, such as the settings of where packages come from. */
export async function generate(application, command) {
  const [made, settings] = [join(application.folder, "made"), join(application.folder, ".npmrc")];
  const text = readFileSync(settings, "utf8");
  await application.run(command);
  cpSync(made, application.folder, { recursive: true });
  rmSync(made, { recursive: true });
  // Some generators make this file as well.
  const generated = readFileSync(settings, "utf8");
  if (generated !== text) writeFileSync(settings, `${generated}\n${text}`);
}

/** Commands and files of a package's README, in order: its blocks, and the files of a table, such as "`server/api/me.ts` | `export …`". */
export function readReadme(name, unnamed) {
  const text = readFileSync(join(import.meta.dirname, "../../packages", name, "README.md"), "utf8");
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$|^\| `(\S+\.ts)` \| `([^`]+)`/gm)];
  return blocks.map(([, language, code, path, line]) => {
    if (path !== undefined) return { file: path, text: `${line}\n` };
    if (language === "sh") return { command: code.trim() };
    const [, file = unnamed] = /^\/\/ (\S+)\n/.exec(code) ?? [];
    return { file, text: code };
  });
}

/** What starts something that does not end, and what comes before. */
export function split(steps, starts) {
  const isStart = ({ command = "" }) => starts.some((start) => command.startsWith(start));
  return { before: steps.filter((step) => !isStart(step)), start: steps.filter(isStart).map(({ command }) => command) };
}
