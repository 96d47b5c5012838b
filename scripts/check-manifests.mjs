// What every package.json repeats: where the package comes from, by the address in the root's package.json; and what `exports`
// says, once more for TypeScript in the module resolution mode that does not read it (node10).
//
//   node scripts/check-manifests.mjs            fails where a package.json says something else
//   node scripts/check-manifests.mjs --write    writes it into all of them
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { compareTexts, writeTexts } from "./committed-texts.mjs";
import { runAsScript } from "./report-problems.mjs";
import { packageNames } from "./source-files.mjs";

const remedy = "node scripts/check-manifests.mjs --write";

/** Problems of the manifests below `root`. */
export function checkManifests(root) {
  return compareTexts(root, completeManifests(root), remedy);
}

/** Writes `repository`, `homepage` and `bugs`, `main`, `types` and `typesVersions` into every public package's package.json. */
export function writeManifests(root) {
  writeTexts(root, completeManifests(root));
  return [];
}

function completeManifests(root) {
  const { repository, bugs } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const address = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  const texts = packageNames(root).flatMap((name) => {
    const directory = `packages/${name}`;
    const path = `${directory}/package.json`;
    const manifest = JSON.parse(readFileSync(join(root, path), "utf8"));
    if (manifest.private) return [];
    const homepage = `${address}/tree/main/${directory}#readme`;
    const origin = { repository: { ...repository, directory }, homepage, bugs };
    const whole = insertAfter(insertAfter(manifest, "license", origin), "exports", withoutExports(manifest));
    return [[path, `${JSON.stringify(whole, null, 2)}\n`]];
  });
  return Object.fromEntries(texts);
}

/** What leads to the entry points where `exports` is not read. */
function withoutExports({ exports = {} }) {
  const { ".": main, ...others } = exports;
  const typed = Object.entries(others).filter(([, target]) => target.types);
  const paths = Object.fromEntries(typed.map(([subpath, { types }]) => [subpath.slice(2), [types]]));
  return {
    ...(main ? { main: main.default, types: main.types } : {}),
    ...(typed.length > 0 ? { typesVersions: { "*": paths } } : {}),
  };
}

/** The members of an object with others put behind one of them, wherever those were before. */
function insertAfter(manifest, member, others) {
  const kept = Object.entries(manifest).filter(([name]) => !Object.hasOwn(others, name));
  return Object.fromEntries(
    kept.flatMap((entry) => (entry[0] === member ? [entry, ...Object.entries(others)] : [entry])),
  );
}

await runAsScript(import.meta, argv.includes("--write") ? writeManifests : checkManifests);
