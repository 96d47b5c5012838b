import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes files below a folder; null removes one. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string | null>): Promise<void> {
  for (const [path, text] of files) {
    const target = join(folder, path);
    if (text === null) await rm(target);
    else {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
    }
  }
}
