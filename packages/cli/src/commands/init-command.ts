import { existsSync } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { parseManifest, rangeOf } from "../files/manifest.ts";
import { type PackageManager, packageManagerOf, runPackageManager } from "../files/package-manager.ts";
import { isIgnored } from "../files/run-git.ts";
import { writeFiles } from "../files/write-files.ts";
import type { Host } from "../host.ts";
import type { Addition, Project } from "../init/additions.ts";
import { readProject } from "../init/read-project.ts";
import type { Starter } from "../init/starter.ts";
import { additionFor, starterFor, TEMPLATES, type Template } from "../init/templates.ts";
import { createSecret } from "../secret/rotate-secret.ts";
import type { Command } from "./command.ts";

/**
 * `cardea init`: creates a small application with a working local sign-in that needs no external account, or adds the sign-in to an
 * existing application. Nothing that exists is overwritten or changes its meaning.
 */
export const initCommand: Command = {
  usage: `[--framework ${TEMPLATES.join("|")}] [--no-install]`,
  summary: "creates an application with a working sign-in, or adds one to an application",
  options: [
    "  --framework   default: detected from package.json; otherwise prompts",
    "  --no-install  only writes files",
  ],
  run,
};

async function run(args: readonly string[], host: Host): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { framework: { type: "string" }, install: { type: "boolean", default: true } },
    allowNegative: true,
  });
  const manifestPath = join(host.folder, "package.json");
  const ownText = await readFile(manifestPath, "utf8").catch(() => undefined);
  const manifestText = ownText ?? '{\n  "private": true\n}\n';
  if (!isObject(manifestText)) {
    host.warn("package.json is not a JSON object. Fix it, then run the command again.");
    return 1;
  }
  const template =
    values.framework === undefined ? (templateOf(manifestText) ?? (await ask(host))) : parseTemplate(values.framework);
  if (template === undefined) return refuseFramework(host, values.framework);
  const manager = await packageManagerOf(host.folder);
  const manifest = parseManifest(manifestText);
  const project = ownText === undefined ? undefined : readProject(host.folder, manifest, template, manager);
  const isModule = ownText === undefined || manifest.type === "module";
  const starter = addTo(host.folder, template, project) ?? starterFor(template, createSecret(), isModule);
  const { files, dependencies, devDependencies, dev, built = [] } = starter;
  const existing = await existingOf(host.folder, [...files.keys()]);
  if (existing.length > 0) {
    host.warn(
      `Nothing was written: ${existing.join(", ")} ${existing.length === 1 ? "exists" : "exist"} already. To add Cardea to an existing application, see ${GUIDE}/${guideOf(template)}`,
    );
    return 1;
  }
  // A script of the application keeps its name.
  const script = manifest.scripts.dev === undefined || manifest.scripts.dev === dev ? "dev" : "dev:auth";
  const packages = values.install ? [[], []] : [dependencies, devDependencies];
  const ignoredText = await readFile(join(host.folder, ".gitignore"), "utf8").catch(() => undefined);
  const written = await writeFiles(
    host.folder,
    new Map([
      ...[...files].map(([path, text]): [string, string] => [`/${path}`, text]),
      [
        "/package.json",
        withScript(manifestText, script, dev, packages[0] ?? [], packages[1] ?? [], ownText === undefined),
      ],
      ["/.gitignore", withIgnored(ignoredText ?? "", built, await isIgnored(host.folder, SECRETS))],
    ]),
    new Map([
      ...(ownText === undefined ? [] : [["/package.json", ownText] as const]),
      ...(ignoredText === undefined ? [] : [["/.gitignore", ignoredText] as const]),
    ]),
  );
  if ("refused" in written) {
    host.warn(`Nothing was written. ${written.refused}`);
    return 1;
  }
  for (const path of files.keys()) host.write(`+ ${path}`);
  if ((await isIgnored(host.folder, SECRETS)) === false)
    host.warn(
      `git does not ignore ${SECRETS}, which contains a secret: it is tracked. Run \`git rm --cached ${SECRETS}\`.`,
    );
  host.write(`${ownText === undefined ? "+" : "~"} package.json`);
  const isInstalled = !values.install || (await install(host, manager, starter));
  const first = values.install ? "" : `Run \`${manager} install\`. `;
  const page = project === undefined ? "" : "/account";
  tellNext(host, starter, `${first}Start it with \`${manager} run ${script}\` and open http://localhost:3000${page}.`);
  return isInstalled ? 0 : 1;
}

function refuseFramework(host: Host, name: string | undefined): number {
  const unknown = name === undefined ? "" : `Unknown framework "${name}". `;
  host.warn(`${unknown}Choose a framework: ${TEMPLATES.map((one) => `--framework ${one}`).join(", ")}.`);
  return 2;
}

/** Test helpers are not part of the application. */
async function install(host: Host, manager: PackageManager, { dependencies, devDependencies }: Starter) {
  const isInstalled =
    (await runPackageManager(host, manager, dependencies)) &&
    (await runPackageManager(host, manager, devDependencies, true));
  if (!isInstalled) host.warn("The packages were not installed: repeat the last command when its error is fixed.");
  return isInstalled;
}

function tellNext(host: Host, starter: Starter | Addition, start: string): void {
  const byHand = "byHand" in starter ? starter.byHand : [];
  if (byHand.length > 0) host.write("\nLeft to do by hand:");
  for (const [index, step] of byHand.entries()) host.write(`  ${index + 1}. ${step}`);
  host.write(`${start} For another port, set PORT. What is left for production is in AUTH.md.`);
}

/** What is added to an existing application. Its `.env.local` stays, and the lines that it lacks are named. */
function addTo(folder: string, template: Template, project: Project | undefined): Addition | undefined {
  const addition = project && additionFor(template, project, createSecret());
  if (addition === undefined || !existsSync(join(folder, SECRETS))) return addition;
  const files = new Map([...addition.files].filter(([path]) => path !== SECRETS));
  const names = (addition.files.get(SECRETS) ?? "").match(/^\w+=(?!.{40})\S+/gm) ?? [];
  const step = `Add to ${SECRETS}, unless it has them: AUTH_SECRET=… (\`npx @cardea/cli secret\`), ${names.join(", ")}`;
  return { ...addition, files, byHand: [step, ...addition.byHand] };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function parseTemplate(name: string | undefined): Template | undefined {
  return TEMPLATES.find((template) => template === name);
}

function templateOf(manifestText: string): Template | undefined {
  const manifest = parseManifest(manifestText);
  const packages = {
    next: "next",
    express: "express",
    hono: "hono",
    fastify: "fastify",
    "@sveltejs/kit": "sveltekit",
    nuxt: "nuxt",
  } as const;
  return Object.entries(packages).find(([name]) => rangeOf(manifest, name) !== undefined)?.[1];
}

async function ask(host: Host): Promise<Template | undefined> {
  if (!host.isInteractive) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Framework (${TEMPLATES.join(", ")}): `);
  terminal.close();
  return parseTemplate(answer.trim());
}

/** Existing files with these names in any of a framework's languages, such as `app/page.tsx`, here or below `src`. */
async function existingOf(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const candidates = paths.flatMap((path) => [path, `src/${path}`]).flatMap(spellingsOf);
  const found = await Promise.all(
    candidates.map((path) =>
      access(join(folder, path)).then(
        () => [path],
        () => [],
      ),
    ),
  );
  return found.flat();
}

const SCRIPT = /\.(?:m?js)$/;

function spellingsOf(path: string): readonly string[] {
  return SCRIPT.test(path)
    ? ["js", "mjs", "ts", "mts", "jsx", "tsx"].map((end) => path.replace(SCRIPT, `.${end}`))
    : [path];
}

const GUIDE = "https://github.com/cardea-auth/cardea/blob/main/docs";

function guideOf(template: Template): string {
  if (template === "next") return "getting-started-next.md";
  if (template === "fetch") return "getting-started-fetch.md";
  return template === "express" ? "getting-started.md" : "frameworks.md";
}

function withScript(
  text: string,
  script: string,
  dev: string,
  dependencies: readonly string[],
  devDependencies: readonly string[],
  isNew: boolean,
): string {
  const manifest: Record<string, unknown> = Object(JSON.parse(text));
  const { dependencies: own, devDependencies: ownDev, scripts } = parseManifest(text);
  const latest = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "latest"]));
  const merged = {
    ...manifest,
    ...(isNew ? { type: "module" } : {}),
    scripts: { ...scripts, [script]: dev },
    dependencies: { ...latest(dependencies), ...own },
    devDependencies: { ...latest(devDependencies), ...ownDev },
  };
  return `${JSON.stringify(merged, null, 2)}\n`;
}

/** The file with the secret. */
const SECRETS = ".env.local";

/**
 * Keeps the secret, packages and built files out of git.
 *
 * @param isIgnored whether git ignores the secret already; undefined outside of a repository, where one may be created later.
 */
function withIgnored(text: string, built: readonly string[], isIgnored: boolean | undefined): string {
  const hasPattern = /^\.env(?:\.local|\*|\*\.local)?$/m.test(text) && !/^!/m.test(text);
  if (isIgnored ?? hasPattern) return text;
  const ignored = [SECRETS, "node_modules", ...built].map((name) => `${name}\n`).join("");
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${ignored}`;
}
