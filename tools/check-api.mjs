// The public surface of every package, as its declarations say, is committed below published/api: a change of it is a diff
// that a reader of the change sees, and decides the next version.
//
//   node scripts/check-api.mjs            fails when a report is out of date; the packages must be built
//   node scripts/check-api.mjs --write    writes the reports
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { compareTexts, writeTexts } from "./committed-texts.mjs";
import { runAsScript } from "./report-problems.mjs";
import { listFiles, packageNames } from "./source-files.mjs";

const folder = "published/api";
const remedy = "node scripts/check-api.mjs --write, and look at what changed";

/** Problems of the reports below `root`, whose packages must be built. */
export function checkApi(root) {
  const { problems, reports } = readApi(root);
  return [...problems, ...compareTexts(root, reports, remedy)];
}

/** Writes the reports, and removes those of what is not published any more. */
export function writeApi(root) {
  const { problems, reports } = readApi(root);
  writeTexts(root, reports);
  return problems;
}

function readApi(root) {
  const entries = packageNames(root).flatMap((name) => declarationsOf(root, name));
  const missing = entries.filter(({ path }) => !existsSync(path));
  if (missing.length > 0) return { problems: missing.map(({ path }) => `${path} is missing: build it`), reports: {} };
  const target = mkdtempSync(join(tmpdir(), "cardea-api-"));
  try {
    const problems = extractAll(entries, target);
    const committed = listFiles(root, folder).map((path) => [path, undefined]);
    const reports = entries.map(({ report }) => [`${folder}/${report}`, readFileSync(join(target, report), "utf8")]);
    return { problems, reports: Object.fromEntries([...committed, ...reports]) };
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** The declarations behind each entry point in `exports`: `core.api.md` is that of `.`, `core.jwt.api.md` that of `./jwt`. */
function declarationsOf(root, name) {
  const project = join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  if (manifest.private) return [];
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (!target.types) return [];
    return [
      { project, path: join(project, target.types), report: `${name}${subpath.slice(1).replace("/", ".")}.api.md` },
    ];
  });
}

/** One program for all of them, or each would read the library of TypeScript anew. Returns problems. */
function extractAll(entries, target) {
  if (entries.length === 0) return [];
  const configs = entries.map((entry) => configOf(entry, target));
  const options = { additionalEntryPoints: entries.map(({ path }) => path) };
  const compilerState = CompilerState.create(configs[0], options);
  return configs.flatMap((config) => {
    const problems = [];
    const messageCallback = (message) => {
      message.handled = true;
      if (message.logLevel === "error") problems.push(`${config.mainEntryPointFilePath}: ${message.text}`);
    };
    Extractor.invoke(config, { compilerState, localBuild: true, messageCallback });
    return problems;
  });
}

const compilerOptions = {
  target: "ES2022",
  lib: ["ES2023", "DOM", "DOM.Iterable"],
  module: "NodeNext",
  moduleResolution: "NodeNext",
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: [],
};

function configOf({ project, path, report }, target) {
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(project, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: project,
      mainEntryPointFilePath: path,
      compiler: { overrideTsconfig: { compilerOptions, files: [path] } },
      apiReport: {
        enabled: true,
        reportFileName: report,
        reportFolder: target,
        reportTempFolder: join(target, "temp"),
        // What a signature needs is part of the surface, named in an entry point or not.
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: {
        compilerMessageReporting: { default: { logLevel: "error" } },
        // Remarks would carry line numbers into the reports; whether there are doc comments is check-docs.mjs's business.
        extractorMessageReporting: { default: { logLevel: "none" } },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
  });
}

await runAsScript(import.meta, argv.includes("--write") ? writeApi : checkApi);
