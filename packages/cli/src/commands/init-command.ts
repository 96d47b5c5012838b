import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { parseManifest, rangeOf } from "../files/manifest.ts";
import { packageManagerOf, runPackageManager } from "../files/package-manager.ts";
import { isIgnored } from "../files/run-git.ts";
import { writeFiles } from "../files/write-files.ts";
import type { Host } from "../host.ts";
import { starterFor, TEMPLATES, type Template } from "../init/templates.ts";
import { createSecret } from "../secret/rotate-secret.ts";
import type { Command } from "./command.ts";

/** `cardea init`: creates a small application with a working local sign-in that needs no external account. */
export const initCommand: Command = {
  usage: `[--framework ${TEMPLATES.join("|")}] [--no-install]`,
  summary: "creates an application with a working sign-in",
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
  if (template === undefined) {
    const unknown = values.framework === undefined ? "" : `Unknown framework "${values.framework}". `;
    host.warn(`${unknown}Choose a framework: ${TEMPLATES.map((name) => `--framework ${name}`).join(", ")}.`);
    return 2;
  }
  const { files, dependencies, devDependencies, dev, built = [] } = starterFor(template, createSecret());
  const existing = await existingOf(host.folder, [...files.keys()]);
  if (existing.length > 0) {
    host.warn(
      `Nothing was written: ${existing.join(", ")} ${existing.length === 1 ? "exists" : "exist"} already. To add Cardea to an existing application, see ${GUIDE}/${guideOf(template)}`,
    );
    return 1;
  }
  const packages = values.install ? [[], []] : [dependencies, devDependencies];
  const ignoredText = await readFile(join(host.folder, ".gitignore"), "utf8").catch(() => undefined);
  const written = await writeFiles(
    host.folder,
    new Map([
      ...[...files].map(([path, text]): [string, string] => [`/${path}`, text]),
      ["/package.json", withScript(manifestText, dev, packages[0] ?? [], packages[1] ?? [])],
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
  const former = parseManifest(manifestText).scripts.dev;
  if (former !== undefined && former !== dev) host.write(`  The script "dev" was: ${former}`);
  const manager = await packageManagerOf(host.folder);
  const isInstalled =
    !values.install || (await runPackageManager(host, manager, [...dependencies, ...devDependencies]));
  if (!isInstalled) host.warn("The packages were not installed: repeat the last command when its error is fixed.");
  const first = values.install ? "" : `Run \`${manager} install\`. `;
  host.write(`${first}Start it with \`${manager} run dev\` and open http://localhost:3000.`);
  return isInstalled ? 0 : 1;
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
  dev: string,
  dependencies: readonly string[],
  devDependencies: readonly string[],
): string {
  const manifest: Record<string, unknown> = Object(JSON.parse(text));
  const { dependencies: own, devDependencies: ownDev, scripts } = parseManifest(text);
  const latest = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "latest"]));
  const merged = {
    ...manifest,
    type: "module",
    scripts: { ...scripts, dev },
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
