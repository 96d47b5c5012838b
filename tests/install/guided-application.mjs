// What the walks through the guides share: packages in a registry of this machine, and an application in an empty folder.
import { createServer } from "node:http";
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

/** What starts something that does not end, and what comes before. */
export function split(steps, starts) {
  const isStart = ({ command = "" }) => starts.some((start) => command.startsWith(start));
  return { before: steps.filter((step) => !isStart(step)), start: steps.filter(isStart).map(({ command }) => command) };
}
