// Builds, checks and publishes every package whose version is not on the registry yet.
//
//   pnpm release              in CI, from a commit that only applied versions (pnpm version-packages)
//   pnpm release --dry-run    anywhere: the same into a registry on this machine, with pending versions applied in a copy
//
// Every published package carries a provenance attestation: which commit and which CI run built it. pnpm creates it with the
// identity that CI gives a job, and refuses to publish without one; so does this script, before it builds anything.
import { dirname } from "node:path";
import { argv, env } from "node:process";
import { startLocalRegistry } from "../tests/install/local-registry.mjs";
import { publishLocally } from "../tests/install/publish-locally.mjs";
import { endAllOnSignal, runCommand } from "./run-command.mjs";
import { listFiles } from "./source-files.mjs";

const root = dirname(import.meta.dirname);

/** In the order in which they run; the first that fails ends the release. */
const checks = [
  ["node", "tools/test.mjs", "--all"],
  ["node", "tools/check-packages.mjs"],
  ["node", "tools/check-api.mjs"],
];

/** Where CI keeps the identity of a job that may have one: GitHub with `id-token: write`, GitLab with an `id_tokens` entry. */
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

/** What has to be done first, as sentences. */
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
  // pnpm does not read npm's variable of that name.
  return (await succeeds(["changeset", "publish"], { env: { PNPM_CONFIG_PROVENANCE: "true" }, show: true })) ? 0 : 1;
}

async function rehearse() {
  const registry = await startLocalRegistry();
  try {
    for (const [name, version] of await publishLocally(registry)) console.log(`${name} ${version}`);
    console.log("Published to a registry on this machine, which is stopped now. Without provenance: that takes CI.");
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
