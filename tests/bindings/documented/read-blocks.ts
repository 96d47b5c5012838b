/** Code blocks of the documentation as modules that a test can run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** A code block, with the code before it that readers do not see. */
const BLOCK = /(?:<!-- ts\n(?<hidden>(?:(?!-->)[\s\S])*)-->\s*)?```ts\n(?<code>[\s\S]*?)```/g;

/**
 * Reads the only block of a page that contains a text.
 *
 * @throws if the page has none, or several: then the test is about another page than it says.
 */
export function readBlock(page: string, contains: string): string {
  const text = readFileSync(join(root, page), "utf8");
  const found = [...text.matchAll(BLOCK)].map(({ groups: { hidden = "", code = "" } = {} }) => ({ hidden, code }));
  const [block, ...more] = found.filter(({ code }) => code.includes(contains));
  if (block === undefined || more.length > 0) throw new Error(`${page} has ${more.length + 1} blocks with ${contains}`);
  // What the page declares, the test provides.
  const provided = block.hidden.replace(/declare const (\w+)[^;]*;/g, "const $1 = Reflect.get(globalThis, '$1');");
  return `${provided}\n${block.code}`;
}

const folders: string[] = [];

/** Runs a module; its imports are found as those of this folder are. */
export async function runModule(text: string): Promise<Readonly<Record<string, unknown>>> {
  const folder = mkdtempSync(join(import.meta.dirname, ".block-"));
  folders.push(folder);
  const file = join(folder, "block.ts");
  writeFileSync(file, text);
  return import(/* @vite-ignore */ file);
}

/** Removes the modules. */
export function removeModules(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}
