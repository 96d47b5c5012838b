// Builds, checks and publishes every package whose version is not yet on the registry.
//
//   pnpm release              in CI, from a commit that only applied versions (pnpm version-packages)
//   pnpm release --dry-run    anywhere: publishes to a registry on this machine, with pending versions applied to a copy
//
// Every published package has a provenance attestation that names the commit and the CI run. pnpm creates it with the identity of the
// CI job, and refuses to publish without one; this script checks for it before building.
import { dirname } from "node:path";
import { argv, env } from "node:process";
import { startLocalRegistry } from "../tests/install/local-registry.mjs";
import { publishLocally } from "../tests/install/publish-locally.mjs";
import { endAllOnSignal, runCommand } from "./run-command.mjs";
import { listFiles } from "./source-files.mjs";

const root = dirname(import.meta.dirname);

/** The steps in order; the first one that fails ends the release. */
const checks = [
  ["node", "tools/test.mjs", "--all"],
  ["node", "tools/check-packages.mjs"],
  ["node", "tools/check-api.mjs"],
];

/** Variables with the identity of a CI job: GitHub with `id-token: write`, GitLab with an `id_tokens` entry. */
const identities = ["ACTIONS_ID_TOKEN_REQUEST_URL", "SIGSTORE_ID_TOKEN"];

endAllOnSignal();
process.exitCode = await release(argv.includes("--dry-run"));

/** Resolves to the exit code. */
async function release(dry) {
  const obstacles = dry ? [] : await findObstacles();
  for (const obstacle of obstacles) console.error(obstacle);
  if (obstacles.length > 0) return 1;
  for (const check of checks) if (!(await succeeds(check))) return 1;
  return dry ? rehearse() : publish();
}

/** What is missing for a release, as messages. */
async function findObstacles() {
  const pending = listFiles(root, ".changeset").filter((path) => path.endsWith(".md") && !path.endsWith("/README.md"));
  const { output: changed } = await runCommand(["git", "status", "--porcelain"]);
  return [
    ...(identities.some((name) => env[name])
      ? []
      : ["No CI identity, so no provenance. Release from CI, or try --dry-run."]),
    ...(pending.length === 0
      ? []
      : [`Changes without a version: ${pending.join(", ")}. Run pnpm version-packages first.`]),
    ...(changed.trim() === "" ? [] : [`Files that are not committed:\n${changed.trimEnd()}`]),
  ];
}

async function publish() {
  // pnpm does not read npm's corresponding variable.
  return (await succeeds(["changeset", "publish"], { env: { PNPM_CONFIG_PROVENANCE: "true" }, show: true })) ? 0 : 1;
}

async function rehearse() {
  const registry = await startLocalRegistry();
  try {
    for (const [name, version] of await publishLocally(registry)) console.log(`${name} ${version}`);
    console.log("Published to a local registry, which has been stopped. Without provenance, because that requires CI.");
    return 0;
  } finally {
    await registry.close();
  }
}

async function succeeds(command, { show = false, ...options } = {}) {
  const { failed, output } = await runCommand(command, { timeout: 60 * 60 * 1000, ...options });
  console.log(`${failed ? "✗" : "✓"} ${command.join(" ")}`);
  if (failed || show) console.log(output.trim());
  return failed === 0;
}
