import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Texts of files by path below a folder, such as `/src/auth.ts`; null removes a file. */
export type FileChanges = ReadonlyMap<string, string | null>;

/** The outcome of a write: the way back, or why the folder is as it was before. */
export type Written = { readonly undo: () => Promise<void> } | { readonly refused: string };

type Undo = () => Promise<void>;

/**
 * Writes files below a folder: all of them, or none.
 *
 * 1. Only a regular file whose content is the one in `known` is replaced or removed. It keeps its permissions.
 * 2. Any other file is new: nothing exists at its path, whether git tracks or ignores it.
 * 3. No part of a path is a symbolic link, which may lead out of the folder.
 * 4. If a file cannot be written, those before it are restored.
 *
 * @param known the files as they were read.
 */
export async function writeFiles(
  folder: string,
  changes: FileChanges,
  known: ReadonlyMap<string, string>,
): Promise<Written> {
  const done: Undo[] = [];
  const undo = async () => {
    for (const step of done.splice(0).reverse()) await step();
  };
  try {
    const obstacles = await findObstacles(folder, changes, known);
    if (obstacles.length > 0) return { refused: obstacles.join(" ") };
    for (const [path, text] of changes) await writeOne(folder, path, text, done);
    return { undo };
  } catch (error) {
    await undo();
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

/** Why files cannot be written; see {@link writeFiles}. */
export async function findObstacles(
  folder: string,
  changes: FileChanges,
  known: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const found = await Promise.all([...changes.keys()].map((path) => obstacleAt(folder, path, known.get(path))));
  return found.filter((reason) => reason !== undefined);
}

async function obstacleAt(folder: string, path: string, former: string | undefined): Promise<string | undefined> {
  const parts = path.split("/").slice(1);
  if (parts.some((part) => /^(?:\.{0,2}|.*[\\\0].*)$/.test(part))) return `${path} is not a path below the folder.`;
  for (const index of parts.keys()) {
    const part = `/${parts.slice(0, index + 1).join("/")}`;
    const stats = await statsOf(join(folder, part));
    if (stats === undefined) return former === undefined ? undefined : `${path} was removed in the meantime.`;
    if (stats.isSymbolicLink()) return `${part} is a symbolic link.`;
    const isLast = index === parts.length - 1;
    if (!isLast && !stats.isDirectory()) return `${part} is not a folder.`;
    if (isLast && !stats.isFile()) return `${part} is not a regular file.`;
  }
  if (former === undefined) return `${path} exists already, and git does not track it.`;
  const isSame = (await readFile(join(folder, path))).equals(Buffer.from(former));
  return isSame ? undefined : `${path} was changed in the meantime.`;
}

async function writeOne(folder: string, path: string, text: string | null, done: Undo[]): Promise<void> {
  const target = join(folder, path);
  const stats = await statsOf(target);
  if (stats === undefined) {
    if (text !== null) await create(target, text, done);
    return;
  }
  const former = await readFile(target);
  if (text === null) {
    await rm(target);
    done.push(() => writeFile(target, former, { flag: "wx", mode: stats.mode }));
    return;
  }
  await replace(target, text, stats.mode);
  done.push(() => replace(target, former, stats.mode));
}

async function create(target: string, text: string, done: Undo[]): Promise<void> {
  const first = await mkdir(dirname(target), { recursive: true });
  if (first !== undefined) {
    const isCreated = (folder: string) => folder.startsWith(first);
    done.push(async () => {
      for (let folder = dirname(target); isCreated(folder); folder = dirname(folder)) await rmdir(folder);
    });
  }
  await writeFile(target, text, { flag: "wx" });
  done.push(() => rm(target));
}

/** Replaces a file by a new one, so that an interruption leaves one of both, and other names of the file keep its content. */
async function replace(target: string, content: string | Buffer, mode: number): Promise<void> {
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, content, { flag: "wx" });
    await chmod(temporary, mode);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    throw error;
  }
}
