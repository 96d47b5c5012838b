// Builds, checks and publishes every package whose version is not yet on the registry.
//
//   pnpm release              in CI, from a commit that only applied versions (pnpm version-packages)
//   pnpm release --dry-run    anywhere: publishes to a registry on this machine, with pending versions applied to a copy
//
// Every published package has a provenance attestation that names the commit and the CI run. pnpm creates it with the identity of the
// CI job, and refuses to publish without one; this script checks for it before building.
import { execFileSync, spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { argv, env, exit } from "node:process";
import { startLocalRegistry } from "../tests/install/local-registry.mjs";
import { publishLocally } from "../tests/install/publish-locally.mjs";
import { trackedFiles } from "./source-files.mjs";

const root = dirname(import.meta.dirname);

/** Variables with the identity of a CI job: GitHub with `id-token: write`, GitLab with an `id_tokens` entry. */
const identities = ["ACTIONS_ID_TOKEN_REQUEST_URL", "SIGSTORE_ID_TOKEN"];

const isDry = argv.includes("--dry-run");
const obstacles = isDry ? [] : findObstacles();
for (const obstacle of obstacles) console.error(obstacle);
if (obstacles.length > 0) exit(1);
run("node", "tools/test.mjs", "--all");
if (isDry) await rehearse();
// pnpm does not read npm's corresponding variable.
else run("env", "PNPM_CONFIG_PROVENANCE=true", "pnpm", "exec", "changeset", "publish");

/** What is missing for a release, as messages. */
function findObstacles() {
  const pending = trackedFiles(root, ".changeset/*.md").filter((path) => !path.endsWith("/README.md"));
  const changed = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }).trimEnd();
  const isInCI = identities.some((name) => env[name]);
  return [
    ...(isInCI ? [] : ["No CI identity, so no provenance. Release from CI, or try --dry-run."]),
    ...(pending.length > 0 ? [`Changes without a version: ${pending}. Run pnpm version-packages first.`] : []),
    ...(changed === "" ? [] : [`Files that are not committed:\n${changed}`]),
  ];
}

/** Ends the release if a command fails. */
function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) exit(status ?? 1);
}

async function rehearse() {
  const registry = await startLocalRegistry();
  try {
    for (const [name, version] of await publishLocally(registry)) console.log(`${name} ${version}`);
    console.log("Published to a local registry, which has been stopped. Without provenance, because that requires CI.");
  } finally {
    await registry.close();
  }
}
