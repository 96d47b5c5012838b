import { eolOf } from "./source-style.ts";

/** Packages to remove from package.json and, without a package manager, to add. */
export interface ManifestChange {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Removes and adds lines of `dependencies` and `devDependencies`. All other lines are unchanged. */
export function changeManifest(text: string, { removed, added }: ManifestChange): string {
  const without = removed.reduce(removeDependency, text);
  return [...added].reverse().reduce(addDependency, without);
}

function removeDependency(text: string, name: string): string {
  const entry = `"${name.replaceAll("/", "\\/").replaceAll(".", "\\.")}"\\s*:\\s*"[^"]*"`;
  // Including the trailing comma or, for the last entry, the preceding one.
  const inner = text.replace(new RegExp(`(?:^[ \\t]*)?${entry}[ \\t]*,[ \\t]*(?:\\r?\\n)?`, "gm"), "");
  return inner.replace(new RegExp(`,?\\s*${entry}(?=\\s*\\})`, "g"), "");
}

function addDependency(text: string, name: string): string {
  if (new RegExp(`"${name}"\\s*:`).test(text)) return text;
  const opening = /"dependencies"\s*:\s*\{/.exec(text);
  const eol = eolOf(text);
  if (opening === null) {
    return text.replace(/^(\s*\{)/, `$1${eol}  "dependencies": {${eol}    "${name}": "latest"${eol}  },`);
  }
  const at = opening.index + opening[0].length;
  const indent = /^\r?\n([ \t]*)"/.exec(text.slice(at))?.[1] ?? "    ";
  const isEmpty = /^\s*\}/.test(text.slice(at));
  return `${text.slice(0, at)}${eol}${indent}"${name}": "latest"${isEmpty ? "" : ","}${text.slice(at)}`;
}
