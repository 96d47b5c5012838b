import { access, appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { parseManifest, rangeOf } from "../files/manifest.ts";
import { packageManagerOf, runPackageManager } from "../files/package-manager.ts";
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
  const manifestText = await readFile(manifestPath, "utf8").catch(() => '{\n  "private": true\n}\n');
  const template = parseTemplate(values.framework) ?? templateOf(manifestText) ?? (await ask(host, values.framework));
  if (template === undefined) {
    host.warn(`Choose a framework: ${TEMPLATES.map((name) => `--framework ${name}`).join(", ")}.`);
    return 2;
  }
  const { files, dependencies, devDependencies, dev } = starterFor(template, createSecret());
  const existing = await existingOf(host.folder, [...files.keys()]);
  if (existing.length > 0) {
    host.warn(
      `Nothing was written: ${existing.join(", ")} ${existing.length === 1 ? "exists" : "exist"} already. To set up Cardea manually, see docs/getting-started.md.`,
    );
    return 1;
  }
  await writeFiles(host.folder, new Map([...files].map(([path, text]) => [`/${path}`, text])));
  await writeFile(
    manifestPath,
    withScript(manifestText, dev, values.install ? [] : dependencies, values.install ? [] : devDependencies),
  );
  await ignoreEnvironment(host.folder);
  for (const path of files.keys()) host.write(`+ ${path}`);
  const manager = await packageManagerOf(host.folder);
  const code = values.install ? await runPackageManager(host, manager, [...dependencies, ...devDependencies]) : 0;
  host.write(`Start it with \`${manager} run dev\` and open http://localhost:3000.`);
  return code;
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

async function ask(host: Host, given: string | undefined): Promise<Template | undefined> {
  if (!host.isInteractive || given !== undefined) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Framework (${TEMPLATES.join(", ")}): `);
  terminal.close();
  return parseTemplate(answer.trim());
}

async function existingOf(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      access(join(folder, path)).then(
        () => [path],
        () => [],
      ),
    ),
  );
  return found.flat();
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

/** Keeps the secret out of git. */
async function ignoreEnvironment(folder: string): Promise<void> {
  const path = join(folder, ".gitignore");
  const text = await readFile(path, "utf8").catch(() => "");
  if (!/^\.env(?:\.local|\*|\*\.local)?$/m.test(text))
    await appendFile(path, `${text === "" || text.endsWith("\n") ? "" : "\n"}.env.local\nnode_modules\n`);
}
