// The applications are other people's: nothing of them is part of this repository. They are read at a commit, into a folder of their own.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../tools/run-command.mjs";

/** The git directory `$CARDEA_SNAPSHOTS/<owner>+<name>/repo` where it exists, else GitHub. */
function sourceOf({ repository }) {
  const folder = process.env.CARDEA_SNAPSHOTS;
  const local = join(folder ?? "", repository.replace("/", "+"), "repo");
  return folder && existsSync(local) ? { local } : { remote: `https://github.com/${repository}` };
}

/** Why an application cannot be had; undefined when it can. */
export async function whyUnreachable(spec) {
  const { local, remote } = sourceOf(spec);
  return local === undefined ? failureOf(spec, 'git ls-remote -q "$REMOTE" HEAD', { REMOTE: remote }) : undefined;
}

/**
 * Writes the files of `repository` at `commit` (only those of `folder`, if given) into `target`.
 *
 * @throws Error when they cannot be had.
 */
export async function checkOut(spec, target) {
  const { commit, folder } = spec;
  const { local, remote } = sourceOf(spec);
  const git = local ?? join(target, ".snapshot");
  const fetched = 'git init -q --bare "$GIT" && git --git-dir="$GIT" fetch -q --depth 1 "$REMOTE" "$COMMIT" && ';
  const script = `${local === undefined ? fetched : ""}git --git-dir="$GIT" archive "$TREE" | tar -x -C "$TARGET"`;
  const TREE = folder === undefined ? commit : `${commit}:${folder}`;
  const env = { GIT: git, REMOTE: remote ?? "", COMMIT: commit, TREE, TARGET: target };
  const failure = await failureOf(spec, `set -o pipefail; ${script}`, env);
  if (failure !== undefined) throw new Error(failure);
  if (local === undefined) await runCommand(["rm", "-rf", git]);
}

async function failureOf({ repository, commit }, script, env) {
  const options = { env: { ...env, GIT_TERMINAL_PROMPT: "0" }, timeout: 120_000 };
  const { failed, output } = await runCommand(["bash", "-c", script], options);
  return failed ? `${repository} at ${commit}: ${output.trim().split("\n").at(-1)}` : undefined;
}
