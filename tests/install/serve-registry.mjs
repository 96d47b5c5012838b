// Publishes every package, as it is built now, to a registry on this machine, and keeps it until it is ended: for applications that
// want to try what is not released yet.
import { argv } from "node:process";
import { startLocalRegistry } from "./local-registry.mjs";
import { publishLocally } from "./publish-locally.mjs";

const port = Number(argv[2] ?? 4873);

const registry = await startLocalRegistry({ port });
const published = await publishLocally(registry);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void registry.close());
console.log(`${published.size} packages, until Ctrl+C. Put this into .npmrc in the application's folder, or into the .npmrc of your home folder:

@cardea:registry=${registry.url}`);
