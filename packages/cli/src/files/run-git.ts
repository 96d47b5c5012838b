import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

const LIMITS = { maxBuffer: 256 * 1024 * 1024 };

/** No monitor, no hooks. */
const QUIET = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"];

/**
 * Runs git in a folder that may come from someone else: no program runs that the configuration of its repository names, be it a
 * monitor, a hook or a filter of files. Programs of the user's own configuration, such as Git LFS, do.
 *
 * @returns what git prints.
 * @throws if git is not installed, the folder is not in a repository, or the command fails; `code` is the exit code.
 */
export async function runGit(folder: string, ...args: readonly string[]): Promise<string> {
  const filters = ["status", "diff", "add", "stash"].includes(args[0] ?? "") ? await withoutFilters(folder) : [];
  return execGit(folder, [...filters, ...args]);
}

async function execGit(folder: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  const { stdout } = await execute("git", [...QUIET, ...args], { cwd: folder, env, ...LIMITS });
  return stdout;
}

/** Options that switch off the filters of the repository; reading its configuration runs nothing. */
async function withoutFilters(folder: string): Promise<readonly string[]> {
  const args = ["config", "--null", "--show-scope", "--name-only", "--get-regexp", "^filter\\."];
  // Exit code 1: there are none.
  const parts = (await execGit(folder, args).catch(() => "")).split("\0");
  const names = parts.filter((_, n) => n % 2 === 1 && ["local", "worktree"].includes(parts[n - 1] ?? ""));
  const drivers = new Set(names.map((name) => name.replace(/\.[^.]*$/, "")));
  return [...drivers].flatMap((driver) =>
    ["clean=", "smudge=", "process=", "required=false"].flatMap((setting) => ["-c", `${driver}.${setting}`]),
  );
}

/** Whether git ignores a path of the folder, by whatever rule; undefined without git or a repository. */
export async function isIgnored(folder: string, path: string): Promise<boolean | undefined> {
  try {
    await runGit(folder, "check-ignore", "--quiet", "--", path);
    return true;
  } catch (error) {
    return Object(error).code === 1 ? false : undefined;
  }
}
