// The public surface of every package, as its declarations state it, is committed in the package's folder api/: a change of it
// is a diff that a reviewer sees, and determines the next version.
//
//   node tools/check-api.mjs            fails when a report is out of date; the packages must be built
//   node tools/check-api.mjs --write    writes the reports
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { compareTexts, writeTexts } from "./committed-texts.mjs";
import { runAsScript } from "./report-problems.mjs";
import { listFiles, packageNames } from "./source-files.mjs";

const remedy = "node tools/check-api.mjs --write, and look at what changed";

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
    const committed = packageNames(root).flatMap((name) => listFiles(root, `packages/${name}/api`));
    const reports = entries.map(({ report, committed }) => [
      committed,
      inStableOrder(readFileSync(join(target, report), "utf8")),
    ]);
    const undocumented = reports.flatMap(([path, text]) => undocumentedIn(path, text));
    return {
      problems: [...problems, ...undocumented],
      reports: Object.fromEntries([...committed.map((path) => [path, undefined]), ...reports]),
    };
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** TypeScript lists literals in the order in which it met them, in whichever package that was. */
function inStableOrder(text) {
  const sorted = (separator, compare) => (run) => run.split(separator).sort(compare).join(separator);
  return text
    .replace(
      /\b\d+(?: \| \d+)+\b/g,
      sorted(" | ", (a, b) => a - b),
    )
    .replace(/"[^"\n]*"(?: \| "[^"\n]*")+/g, sorted(" | "))
    .replace(/(?<=\n)(?: +(\w+): "\1";\n)+/g, (run) => `${sorted("\n")(run.trimEnd())}\n`);
}

/** An application can import it, so an editor must be able to say what it is. */
function undocumentedIn(path, text) {
  const names = text.matchAll(/\/\/ \(undocumented\)\nexport (?:declare )?(?:abstract )?(?:\w+) (\w+)/g);
  return [...names].map(([, name]) => `${path}:1 ${name} is public and has no doc comment`);
}

/** The declarations behind each entry point in `exports`: `api/index.api.md` is the report of `.`, `api/jwt.api.md` that of `./jwt`. */
function declarationsOf(root, name) {
  const project = join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  if (manifest.private) return [];
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    if (!target.types) return [];
    const entry = subpath.slice(2).replaceAll("/", ".") || "index";
    const committed = `packages/${name}/api/${entry}.api.md`;
    return [{ project, path: join(project, target.types), report: `${name}.${entry}.api.md`, committed }];
  });
}

/** One program for all of them, or each would read TypeScript's library again. Returns problems. */
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
        // Remarks would carry line numbers into the reports; whether there are doc comments is checked above.
        extractorMessageReporting: { default: { logLevel: "none" } },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
  });
}

await runAsScript(import.meta, argv.includes("--write") ? writeApi : checkApi);
