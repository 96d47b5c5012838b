// What stands in the way of a release, found before anything is built.

import { join } from "node:path";
import { runCommand } from "../run-command.mjs";
import { listFiles } from "../source-files.mjs";

const repository = join(import.meta.dirname, "../..");

/** Where CI keeps the identity of a job that may have one: GitHub with `id-token: write`, GitLab with an `id_tokens` entry. */
const identities = ["ACTIONS_ID_TOKEN_REQUEST_URL", "SIGSTORE_ID_TOKEN"];

/** What has to be done first, as sentences; none if the tree at `root` can be released in the environment `env`. */
export async function findObstacles(env, root = repository) {
  const pending = listFiles(root, ".changeset").filter((path) => path.endsWith(".md") && !path.endsWith("/README.md"));
  const { output: changed } = await runCommand(["git", "status", "--porcelain"], { cwd: root });
  const identified = identities.some((name) => Boolean(env[name]));
  return [
    ...(identified
      ? []
      : ["No identity of CI: provenance cannot be attested here. Release from CI, or try --dry-run."]),
    ...(pending.length === 0
      ? []
      : [`Changes without a version: ${pending.join(", ")}. Run pnpm version-packages first.`]),
    ...(changed.trim() === "" ? [] : [`Files that are not committed:\n${changed.trimEnd()}`]),
  ];
}
