// The applications are other people's: nothing of them is part of this repository. They are read at a commit, into a folder of their own.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../tools/run-command.mjs";

/**
 * Writes the files of `repository` at `commit` (only those of `folder`, if given) into `target`. They come from the git directory
 * `$CARDEA_SNAPSHOTS/<owner>+<name>/repo` where it exists, else from GitHub. Resolves to a reason when neither has them.
 */
export async function checkOut({ repository, commit, folder }, target) {
  const local = join(process.env.CARDEA_SNAPSHOTS ?? "", repository.replace("/", "+"), "repo");
  const source = process.env.CARDEA_SNAPSHOTS && existsSync(local) ? local : `https://github.com/${repository}`;
  const store = join(target, ".snapshot");
  const tree = folder === undefined ? commit : `${commit}:${folder}`;
  const steps =
    source === local
      ? ""
      : `git init -q --bare "$STORE" && git --git-dir="$STORE" fetch -q --depth 1 "$SOURCE" "$COMMIT" &&`;
  const script = `set -o pipefail; ${steps} git --git-dir="$GIT" archive "$TREE" | tar -x -C "$TARGET"; status=$?; rm -rf "$STORE"; exit $status`;
  const env = { STORE: store, SOURCE: source, COMMIT: commit, TREE: tree, TARGET: target, GIT_TERMINAL_PROMPT: "0" };
  const GIT = source === local ? local : store;
  const { failed, output } = await runCommand(["bash", "-c", script], { env: { ...env, GIT }, timeout: 120_000 });
  return failed ? `${repository} at ${commit}: ${output.trim().split("\n").at(-1)}` : undefined;
}
