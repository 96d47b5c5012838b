import { isUtf8 } from "node:buffer";
import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runGit } from "./run-git.ts";

/** Tables and migrations, which a migration of the code does not change. */
const SQL = /\.sql$/i;

/**
 * Files that a migration reads: source code, and files that refer to environment variables or packages. Lockfiles are
 * left to package managers.
 */
const READ = /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|prisma)$|(?:^|\/)(?:\.env[\w.-]*|[\w.-]*Dockerfile[\w.-]*)$/i;
/** Components, whose scripts may import packages. */
const COMPONENT = /\.(?:svelte|vue|astro|mdx)$/i;
const SKIPPED = /(?:^|\/)(?:node_modules|dist|\.next|\.yarn|\.pnp)|lock\.(?:json|ya?ml)$|\.min\.js$|\.pnp\.c?js$/;

/** Larger files are generated. */
const MAX_CHARACTERS = 1_000_000;

/** Paths with uncommitted changes below a folder; null outside of a git repository. */
export async function uncleanFiles(folder: string): Promise<readonly string[] | null> {
  try {
    const stdout = await runGit(folder, "status", "--porcelain", "-z", "--ignore-submodules=all", "--", ".");
    return stdout.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(3)]));
  } catch {
    // Either git is not installed, or there is no repository. In both cases, changes could not be undone.
    return null;
  }
}

/** The paths that git tracks in a folder, such as `/src/auth.ts`; empty outside of a git repository. */
export async function trackedNames(folder: string): Promise<ReadonlySet<string>> {
  const listed = await runGit(folder, "ls-files", "-z", "--", ".").catch(() => "");
  return new Set(listed.split("\0").flatMap((name) => (name === "" ? [] : [`/${name}`])));
}

/**
 * The text files of a folder that git does not ignore, including SQL. Outside of a repository, all except packages and
 * build output.
 */
export async function readTexts(folder: string): Promise<ReadonlyMap<string, string>> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "."];
  const listed = await runGit(folder, ...args).catch(() => null);
  const names = listed?.split("\0") ?? (await readdir(folder, { recursive: true }));
  return readNamed(folder, names, (name) => READ.test(name) || SQL.test(name));
}

/** The files of a folder that git tracks. */
export interface TrackedFiles {
  /** Text files by path, such as `/src/auth.ts`. Each is a regular file that can be restored from git. */
  readonly files: ReadonlyMap<string, string>;
  /** Other files that look as if they belonged to the application, with the reason why they are not among `files`. */
  readonly left: ReadonlyMap<string, string>;
}

/** Reads the text files that git tracks in a folder. Links are named, not followed. */
export async function readTracked(folder: string): Promise<TrackedFiles> {
  const listed = await runGit(folder, "ls-files", "-z", "-s", "-v", "--", ".");
  const entries = listed.split("\0").flatMap((line) => {
    const [, state = "", mode = "", name = ""] = /^(\S) (\d+) \S+ \d\t([\s\S]+)$/.exec(line) ?? [];
    const isRead = (READ.test(name) || COMPONENT.test(name)) && !SKIPPED.test(name);
    return isRead ? [{ name, state, mode }] : [];
  });
  const files = new Map<string, string>();
  const left = new Map<string, string>();
  const isLink = linksBelow(folder);
  for (const { name, state, mode } of entries) {
    // Not regular: a submodule, a deleted file, or a link to anything but a file.
    const stats = await stat(join(folder, name)).catch(() => undefined);
    if (!stats?.isFile() || stats.size > MAX_CHARACTERS) continue;
    const content = await readFile(join(folder, name));
    const reason =
      mode === LINK || (await isLink(name))
        ? "it is a symbolic link, or behind one"
        : // `git update-index --skip-worktree` and `--assume-unchanged`: git would not restore local changes.
          state !== "H"
          ? "git does not report changes of it"
          : isUtf8(content)
            ? undefined
            : "it is not UTF-8 text";
    if (reason === undefined) files.set(`/${name}`, content.toString());
    else if (FORMER.test(content.toString())) left.set(`/${name}`, reason);
  }
  return { files, left };
}

/** The mode of a symbolic link, which is a text file where the file system has none. */
const LINK = "120000";

/** The names of the former libraries. */
const FORMER = /next-auth|@auth\/|@hono\/auth-js/;

/** Whether a part of a path below the folder is a symbolic link. */
function linksBelow(folder: string): (name: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>([[".", Promise.resolve(false)]]);
  const isLink = (name: string): Promise<boolean> => {
    const found = known.get(name) ?? find(name);
    known.set(name, found);
    return found;
  };
  const find = async (name: string) =>
    (await isLink(dirname(name))) || (await lstat(join(folder, name))).isSymbolicLink();
  return isLink;
}

async function readNamed(
  folder: string,
  all: readonly string[],
  isRead: (name: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(all)].filter((name) => isRead(name) && !SKIPPED.test(name));
  const texts = await Promise.all(names.map(async (name) => [`/${name}`, await readText(join(folder, name))] as const));
  return new Map(
    texts.flatMap(([path, text]) =>
      text === undefined || text.length > MAX_CHARACTERS ? [] : [[path, text] as const],
    ),
  );
}

/** A tracked file may have been deleted, or may be a link to a folder. */
async function readText(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
