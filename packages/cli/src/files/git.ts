import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

const LIMITS = { maxBuffer: 256 * 1024 * 1024 };

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
    const { stdout } = await execute("git", ["status", "--porcelain", "-z", "--", "."], { cwd: folder, ...LIMITS });
    return stdout.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(3)]));
  } catch {
    // Either git is not installed, or there is no repository. In both cases, changes could not be undone.
    return null;
  }
}

/** The paths that git tracks in a folder, such as `/src/auth.ts`; empty outside of a git repository. */
export async function trackedNames(folder: string): Promise<ReadonlySet<string>> {
  const listed = await execute("git", ["ls-files", "-z", "--", "."], { cwd: folder, ...LIMITS }).catch(() => ({
    stdout: "",
  }));
  return new Set(listed.stdout.split("\0").flatMap((name) => (name === "" ? [] : [`/${name}`])));
}

/**
 * The text files of a folder that git does not ignore, including SQL. Outside of a repository, all except packages and
 * build output.
 */
export async function readTexts(folder: string): Promise<ReadonlyMap<string, string>> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "."];
  const listed = await execute("git", args, { cwd: folder, ...LIMITS }).catch(() => null);
  const names = listed?.stdout.split("\0") ?? (await readdir(folder, { recursive: true }));
  return readNamed(folder, names, (name) => READ.test(name) || SQL.test(name));
}

/** The tracked text files of a folder by path, such as `/src/auth.ts`. */
export async function readTracked(folder: string): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await execute("git", ["ls-files", "-z", "--", "."], { cwd: folder, ...LIMITS });
  return readNamed(folder, stdout.split("\0"), (name) => READ.test(name) || COMPONENT.test(name));
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
