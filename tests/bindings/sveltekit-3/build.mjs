// Builds the application of ../sveltekit/ with SvelteKit 3, which needs a newer Node than the oldest that is supported: the one
// of the package `node24`, for Linux on x64.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const node = join(here, "node_modules/node24/bin/node");
if (!existsSync(node)) {
  console.log("SKIPPED: SvelteKit 3. The package of its Node is for Linux on x64.");
  process.exit(0);
}
rmSync(join(here, "src"), { recursive: true, force: true });
for (const part of ["src", "vite.config.js"])
  cpSync(join(here, "../sveltekit", part), join(here, part), { recursive: true });
const vite = join(here, "node_modules/vite/bin/vite.js");
const { status } = spawnSync(node, [vite, "build"], { cwd: here, stdio: "inherit" });
process.exit(status ?? 1);
