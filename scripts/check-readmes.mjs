// The README of every package has what somebody who installs it looks for: purpose, install, the smallest example, options,
// errors, recipes. Options that a package declares are in it by name. The README of the repository lists every package.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { runAsScript } from "./report-problems.mjs";
import { isTest, packageNames, packageSources, walk } from "./source-files.mjs";

/** Problems of the READMEs below `root`. */
export function checkReadmes(root) {
  const names = packageNames(root);
  return [...names.flatMap((name) => checkReadme(root, name)), ...checkList(root, names)];
}

function checkReadme(root, name) {
  const path = `packages/${name}/README.md`;
  if (!existsSync(join(root, path))) return [`${path}:1 is not there`];
  const text = readFileSync(join(root, path), "utf8");
  const { name: specifier } = JSON.parse(readFileSync(join(root, `packages/${name}/package.json`), "utf8"));
  const missing = required(specifier).filter(([, pattern]) => !pattern.test(text));
  const unnamed = ownOptions(root, name).filter((option) => !new RegExp(`\`${option}\\b`).test(text));
  return [
    ...missing.map(([what]) => `${path}:1 has no ${what}`),
    ...unnamed.map((option) => `${path}:1 does not name the option \`${option}\``),
  ];
}

const fence = "```";

/** What has to be there, and how it is recognised. */
function required(specifier) {
  const quoted = specifier.replace(/[/\\^$*+?.()|[\]{}]/g, "\\$&");
  return [
    ["title", new RegExp(`^# ${quoted}\\n\\n`)],
    ["purpose below its title", /^# .+\n\n[A-Z][\s\S]{20,}?\n\n/],
    ["command that installs it", new RegExp(`^${fence}sh\\n(?:(?!${fence})[\\s\\S])*?npm install .*${quoted}\\b`, "m")],
    ["example that imports it", new RegExp(`^${fence}tsx?\\n(?:(?!${fence})[\\s\\S])*?from "${quoted}["/]`, "m")],
    ["table of options below `## Options`", /^## Options\n(?:(?!^## )[\s\S])*?^\|[ -]*\|/m],
    ["section `## Errors`", /^## Errors\n\n\S/m],
    ["section `## Recipes`", /^## Recipes\n\n\S/m],
  ];
}

/** Members of the exported interfaces `…Options` of a provider's package, those that it declares itself. */
function ownOptions(root, name) {
  if (!name.startsWith("providers-")) return [];
  return packageSources(root, name)
    .filter(({ path }) => !isTest(path))
    .flatMap(({ ast }) => {
      const found = [];
      walk(ast, (node) => {
        if (ts.isInterfaceDeclaration(node) && node.name.text.endsWith("Options") && isExported(node)) {
          found.push(...node.members.flatMap((member) => (member.name ? [member.name.getText()] : [])));
        }
      });
      return found;
    });
}

function isExported(node) {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

/** Every package is linked from the README of the repository. */
function checkList(root, names) {
  const text = existsSync(join(root, "README.md")) ? readFileSync(join(root, "README.md"), "utf8") : "";
  const missing = names.filter((name) => !text.includes(`(packages/${name}/README.md)`));
  const links = [...text.matchAll(/\(packages\/([^/)]+)\/README\.md\)/g)].map(([, name]) => name);
  const gone = [...new Set(links)].filter((name) => !names.includes(name));
  return [
    ...missing.map((name) => `README.md:1 does not list packages/${name}`),
    ...gone.map((name) => `README.md:1 lists packages/${name}, which is not there`),
  ];
}

await runAsScript(import.meta, checkReadmes);
