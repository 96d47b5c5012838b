// Every public package says where it comes from. The address is written once, in the root's package.json.
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

/** Writes `repository`, `homepage` and `bugs` into every public package's package.json. */
export function writeManifests(root) {
  writeTexts(root, completeManifests(root));
  return [];
}

function completeManifests(root) {
  const { repository, bugs } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const address = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  const texts = packageNames(root).map((name) => {
    const path = `packages/${name}/package.json`;
    const manifest = JSON.parse(readFileSync(join(root, path), "utf8"));
    const directory = `packages/${name}`;
    const origin = {
      repository: { ...repository, directory },
      homepage: `${address}/tree/main/${directory}#readme`,
      bugs,
    };
    return [
      path,
      manifest.private ? undefined : `${JSON.stringify(insertAfter(manifest, "license", origin), null, 2)}\n`,
    ];
  });
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}

/** The members of an object with others put behind one of them, wherever those were before. */
function insertAfter(manifest, member, others) {
  const kept = Object.entries(manifest).filter(([name]) => !Object.hasOwn(others, name));
  return Object.fromEntries(
    kept.flatMap((entry) => (entry[0] === member ? [entry, ...Object.entries(others)] : [entry])),
  );
}

await runAsScript(import.meta, argv.includes("--write") ? writeManifests : checkManifests);
