// The public API of every package is committed as a report in its folder api/, so that a reviewer sees a change as a diff, which
// determines the next version.
//
//   node tools/check-api.mjs            fails if a report is out of date; the packages must be built
//   node tools/check-api.mjs --write    writes the reports
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { runAsScript } from "./report-problems.mjs";
import { packageNames, publicEntries, trackedFiles } from "./source-files.mjs";

function checkApi(root) {
  const entries = packageNames(root).flatMap((name) => declarationsOf(root, name));
  const missing = entries.filter(({ path }) => !existsSync(path));
  if (missing.length > 0) return missing.map(({ path }) => `${path} is missing: build it`);
  const target = mkdtempSync(join(tmpdir(), "cardea-api-"));
  try {
    const problems = extractAll(entries, target);
    const committed = trackedFiles(root, "packages/*/api/*.md");
    const reports = entries.map(({ report, committed }) => [
      committed,
      inStableOrder(readFileSync(join(target, report), "utf8")),
    ]);
    return {
      problems: [...problems, ...reports.flatMap(([path, text]) => undocumentedIn(path, text))],
      // A report of an entry point that is no longer published must not exist.
      texts: Object.fromEntries([...committed.map((path) => [path, undefined]), ...reports]),
    };
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** Sorts literals, because TypeScript lists them in the order in which it first read them, which depends on other packages. */
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

/**
 * Finds public members without a doc comment, which editors show. Exempt are top-level declarations that no entry point exports:
 * signatures use them, but no code can name them.
 */
function undocumentedIn(path, text) {
  let owner = "";
  return text.split("\n").flatMap((line, index, lines) => {
    owner = /^(?:export )?(?:abstract )?(?:class|interface) (\w+)/.exec(line)?.[1] ?? owner;
    const place = line.startsWith(" ") ? `${owner}: ` : "";
    const isPublic = place !== "" || line.startsWith("export ");
    if (!isPublic || !lines[index - 1]?.endsWith("(undocumented)")) return [];
    return `${path}:${index + 1} ${place}\`${line.trim()}\` is public and has no doc comment`;
  });
}

/** What only `@cardea/extend` calls, with the types of most of core: no promise. Its types for extensions are those of `extension-kit`. */
const INTERNAL = ["extension-host"];

/** The declarations behind each entry point: `api/index.api.md` is the report of `.`, `api/jwt.api.md` that of `./jwt`. */
function declarationsOf(root, name) {
  const project = join(root, "packages", name);
  const entries = publicEntries(root, name).filter(({ entry }) => !INTERNAL.includes(entry));
  return entries.map(({ entry }) => ({
    ...{ project, path: join(project, "dist", `${entry}.d.ts`), report: `${name}.${entry}.api.md` },
    committed: `packages/${name}/api/${entry}.api.md`,
  }));
}

/** Uses one program for all reports, because each program would read TypeScript's library again. Returns problems. */
function extractAll(entries, target) {
  const paths = writeStubs(target);
  const configs = entries.map((entry) => configOf(entry, target, paths));
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

/**
 * Puts an empty module in the place of every other package. A report only names what it takes from them, and their declarations are ten
 * times as long as ours. One for each entry point of core, because two exports of everything from one module would be one line.
 */
function writeStubs(target) {
  const folder = join(target, "node_modules");
  mkdirSync(folder);
  const core = publicEntries(dirname(import.meta.dirname), "core").map(({ specifier }) => specifier);
  const stubs = ["*", ...core].map((specifier, index) => [specifier, [join(folder, `${index}.d.ts`)]]);
  for (const [, [file]] of stubs) writeFileSync(file, "export {};\n");
  return Object.fromEntries(stubs);
}

function configOf({ project, path, report }, target, paths) {
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(project, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: project,
      mainEntryPointFilePath: path,
      compiler: {
        overrideTsconfig: {
          ...{ extends: join(project, "../../tsconfig.base.json"), files: [path] },
          compilerOptions: { paths },
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: report,
        reportFolder: target,
        reportTempFolder: join(target, "temp"),
        // Types in a signature are part of the API, even if no entry point exports them.
        includeForgottenExports: true,
      },
      newlineKind: "lf",
      messages: {
        compilerMessageReporting: { default: { logLevel: "error" } },
        // Remarks would add line numbers to the reports; missing doc comments are detected above.
        extractorMessageReporting: { default: { logLevel: "none" } },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
  });
}

await runAsScript(import.meta, checkApi);
