import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/**
 * Which paths of the folder git ignores, by whatever rule. Outside of a repository, which it would in a new one there.
 *
 * @returns undefined without git.
 */
export async function findIgnored(folder: string, paths: readonly string[]): Promise<readonly string[] | undefined> {
  const check = (...repository: readonly string[]) =>
    runGit(folder, ...repository, "check-ignore", "--", ...paths).then(
      (printed) => printed.split("\n").filter(Boolean),
      // Exit code 1: none.
      (error: unknown) => (Object(error).code === 1 ? [] : undefined),
    );
  return (await check()) ?? (await inNewRepository((at) => check(`--git-dir=${at}`, "--work-tree=.")));
}

async function inNewRepository<T>(read: (at: string) => Promise<T>): Promise<T | undefined> {
  const at = await mkdtemp(join(tmpdir(), "cardea-git-"));
  try {
    await execute("git", ["init", "--quiet", "--bare", "--template=", at]);
    return await read(at);
  } catch {
    return undefined; // no git
  } finally {
    await rm(at, { recursive: true, force: true });
  }
}
