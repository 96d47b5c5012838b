// Builds, checks and publishes what has a version that the registry has not.
//
//   pnpm release              in CI, from a commit with versions (pnpm version-packages) and nothing else
//   pnpm release --dry-run    anywhere: the same into a registry on this machine, with pending versions applied in a copy
//
// Everything published carries a provenance attestation: which commit and which run of CI it was built by. pnpm makes it with
// the identity that CI gives a job, and refuses where there is none; so does this, before it has built anything.
import { argv, env } from "node:process";
import { findObstacles } from "./release/find-obstacles.mjs";
import { startLocalRegistry } from "./release/local-registry.mjs";
import { publishLocally } from "./release/publish-locally.mjs";
import { endAllOnSignal, runCommand } from "./run-command.mjs";

const packages = "--filter=./packages/*";

/** In the order in which they run; the first that fails ends the release. */
const checks = [
  ["turbo", "run", "build", packages, "--output-logs=errors-only"],
  ["node", "scripts/check-manifests.mjs"],
  ["node", "scripts/check-packages.mjs"],
  ["node", "scripts/check-api.mjs"],
  ["node", "scripts/check-imports.mjs"],
  ["node", "scripts/check-size.mjs"],
];

endAllOnSignal();
process.exitCode = await release(argv.includes("--dry-run"));

/** Resolves to the exit code. */
async function release(dry) {
  const obstacles = dry ? [] : await findObstacles(env);
  for (const obstacle of obstacles) console.error(obstacle);
  if (obstacles.length > 0) return 1;
  for (const check of checks) if (!(await succeeds(check))) return 1;
  return dry ? rehearse() : publish();
}

async function publish() {
  // pnpm does not read npm's variable of that name.
  return (await succeeds(["changeset", "publish"], { env: { PNPM_CONFIG_PROVENANCE: "true" }, show: true })) ? 0 : 1;
}

async function rehearse() {
  const registry = await startLocalRegistry();
  try {
    for (const [name, version] of await publishLocally(registry)) console.log(`${name} ${version}`);
    console.log(
      "Published to a registry on this machine, which is gone now. No provenance: that takes an identity of CI.",
    );
    return 0;
  } finally {
    await registry.close();
  }
}

async function succeeds(command, { show = false, ...options } = {}) {
  const { failed, output } = await runCommand(command, options);
  console.log(`${failed ? "✗" : "✓"} ${command.join(" ")}`);
  if (failed || show) console.log(output.trim());
  return failed === 0;
}
