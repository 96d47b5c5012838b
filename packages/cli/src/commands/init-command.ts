import { existsSync } from "node:fs";
import { access, mkdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseManifest, rangeOf } from "../files/manifest.ts";
import { installCommand, type PackageManager, packageManagerOf, runPackageManager } from "../files/package-manager.ts";
import { findIgnored } from "../files/run-git.ts";
import { writeFiles } from "../files/write-files.ts";
import type { Host } from "../host.ts";
import { DATABASES, type DatabaseChoice, LIBRARIES, type Library } from "../init/databases.ts";
import { TEMPLATES, type Template } from "../init/frameworks.ts";
import { DEFAULT_PROVIDERS, PROVIDERS, type ProviderChoice } from "../init/providers.ts";
import { Cancelled, isOneOf, parseChoices, questionsFor } from "../init/questions.ts";
import { readProject } from "../init/read-project.ts";
import { SECRETS, type Starter, type StarterChoices, starterFor } from "../init/starter.ts";
import { createSecret } from "../secret/rotate-secret.ts";
import type { Command } from "./command.ts";

/**
 * `cardea init`: creates a small application with a working local sign-in that needs no external account, or adds the sign-in to an
 * existing application. Nothing that exists is overwritten or changes its meaning.
 */
export const initCommand: Command = {
  usage: `[--framework ${TEMPLATES.join("|")}] [--provider ${Object.keys(PROVIDERS).join("|")}] [--database ${Object.keys(DATABASES).join("|")}] [--account] [--folder path] [--yes] [--no-install]`,
  summary: "creates an application with a working sign-in, or adds one to an application",
  options: [
    "  --framework   default: detected from package.json",
    `  --provider    how users sign in, once for each; default: ${DEFAULT_PROVIDERS.join(", ")}; none: only the local provider`,
    "  --database    where users are stored; default: sqlite, for fetch none: sessions in cookies",
    "  --account     adds the page on which users manage their account; needs a database",
    "  --folder      where the files go; default: this folder",
    "  --yes         asks nothing; without a terminal nothing is asked either",
    "  --no-install  only writes files",
  ],
  run,
};

const OPTIONS = {
  framework: { type: "string" },
  provider: { type: "string", multiple: true },
  database: { type: "string" },
  account: { type: "boolean" },
  folder: { type: "string" },
  yes: { type: "boolean", default: false },
  install: { type: "boolean", default: true },
} as const;

async function run(args: readonly string[], given: Host): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS, allowNegative: true });
  try {
    const choices = await choose(given, values);
    if ("refused" in choices) {
      given.warn(choices.refused);
      return choices.code;
    }
    return await write({ ...given, folder: choices.folder }, choices, values.install, given.folder);
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    given.warn("Nothing was written.");
    return 1;
  }
}

/** What is written, and where. */
interface Choices {
  readonly folder: string;
  readonly template: Template;
  readonly providers: readonly ProviderChoice[];
  readonly database: DatabaseChoice;
  readonly hasAccountPage: boolean;
  /** What the application uses for its own database. */
  readonly library: Library | undefined;
  /** The application's `package.json`; undefined for a new application. */
  readonly ownText: string | undefined;
}

interface Flags {
  readonly framework?: string;
  readonly provider?: readonly string[];
  readonly database?: string;
  readonly account?: boolean;
  readonly folder?: string;
  readonly yes: boolean;
}

interface Refusal {
  readonly refused: string;
  readonly code: number;
}

/** Takes what the flags and `package.json` say, and asks for the rest. */
async function choose(host: Host, flags: Flags): Promise<Choices | Refusal> {
  const unknown = unknownFlag(flags);
  if (unknown !== undefined) return unknown;
  const questions = host.terminal && !flags.yes ? await questionsFor(host.terminal) : undefined;
  const isNew = !existsSync(join(host.folder, "package.json"));
  const folder = resolve(host.folder, flags.folder ?? (isNew ? await questions?.folder() : undefined) ?? ".");
  const ownText = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  if (ownText !== undefined && !isObject(ownText))
    return { refused: "package.json is not a JSON object. Fix it, then run the command again.", code: 1 };
  const named = TEMPLATES.find((one) => one === flags.framework);
  const template = named ?? (ownText && templateOf(ownText)) ?? (await questions?.framework());
  if (!template) return unknownFramework(undefined);
  const providers = flags.provider
    ? parseChoices(flags.provider)
    : ((await questions?.providers()) ?? DEFAULT_PROVIDERS);
  const library = ownText === undefined ? undefined : libraryOf(ownText);
  const given = isOneOf(DATABASES, flags.database) ? flags.database : undefined;
  if (library !== undefined && given !== undefined && given !== "none") return ownDatabase(library);
  const preset = given ?? (library === undefined ? undefined : "none");
  const usual = template === "fetch" ? "none" : "sqlite";
  const database = preset ?? (await questions?.database(usual)) ?? usual;
  if (database === "none" && flags.account === true) return NO_DATABASE;
  const hasAccountPage = database !== "none" && (flags.account ?? (await questions?.account()) ?? false);
  return { folder, template, providers, database, hasAccountPage, library, ownText };
}

const NO_DATABASE: Refusal = {
  refused: "The account page needs a database. Run the command without --account, or with --database sqlite.",
  code: 2,
};

/** A flag with a value that is not known. */
function unknownFlag({ framework, provider = [], database }: Flags): Refusal | undefined {
  const name = provider.find((one) => one !== "none" && !Object.hasOwn(PROVIDERS, one));
  const known = (flag: string, values: readonly string[]) => values.map((one) => `--${flag} ${one}`).join(", ");
  if (name !== undefined) {
    const all = known("provider", [...Object.keys(PROVIDERS), "none"]);
    return { refused: `Unknown provider "${name}". Choose providers: ${all}.`, code: 2 };
  }
  if (database !== undefined && !isOneOf(DATABASES, database)) {
    const all = known("database", Object.keys(DATABASES));
    return { refused: `Unknown database "${database}". Choose a database: ${all}.`, code: 2 };
  }
  const isUnknown = framework !== undefined && !TEMPLATES.some((one) => one === framework);
  return isUnknown ? unknownFramework(framework) : undefined;
}

/** A second library would create tables that the migrations of the first one do not know. */
function ownDatabase({ name, adapter, id }: Library): Refusal {
  return {
    refused: `This application uses ${name} for its database. Run the command without --database: AUTH.md then shows how to use ${adapter} of @cardea/adapter-${id}.`,
    code: 1,
  };
}

function libraryOf(manifestText: string): Library | undefined {
  const manifest = parseManifest(manifestText);
  return Object.entries(LIBRARIES).find(([name]) => rangeOf(manifest, name) !== undefined)?.[1];
}

function unknownFramework(name: string | undefined): Refusal {
  const unknown = name === undefined ? "" : `Unknown framework "${name}". `;
  return {
    refused: `${unknown}Choose a framework: ${TEMPLATES.map((one) => `--framework ${one}`).join(", ")}.`,
    code: 2,
  };
}

async function write(host: Host, choices: Choices, isInstalling: boolean, from: string): Promise<number> {
  const { folder, template, ownText } = choices;
  const manifest = parseManifest(ownText ?? NEW_MANIFEST);
  const manager = await packageManagerOf(folder);
  const project = ownText === undefined ? undefined : readProject(folder, manifest, template, manager);
  const starter = createStarter(folder, { ...choices, project });
  const existing = await existingOf(folder, [...starter.files.keys()]);
  if (existing.length > 0) {
    host.warn(
      `Nothing was written: ${existing.join(", ")} ${existing.length === 1 ? "exists" : "exist"} already. To add Cardea to an existing application, see ${GUIDE}/${guideOf(template)}`,
    );
    return 1;
  }
  // A script of the application keeps its name.
  const script = [undefined, starter.dev].includes(manifest.scripts.dev) ? "dev" : "dev:auth";
  const refused = await writeAll(folder, starter, ownText, script, isInstalling);
  if (refused !== undefined) {
    host.warn(`Nothing was written. ${refused}`);
    return 1;
  }
  for (const path of starter.files.keys()) host.write(`+ ${path}`);
  host.write(`${ownText === undefined ? "+" : "~"} package.json`);
  if ((await findIgnored(folder, [SECRETS]))?.length === 0)
    host.warn(
      `git does not ignore ${SECRETS}, which contains a secret: it is tracked. Run \`git rm --cached ${SECRETS}\`.`,
    );
  const isInstalled = !isInstalling || (await install(host, manager, starter));
  const place = relative(from, folder);
  const first = `${place === "" ? "" : `Go to the folder: \`cd ${place}\`. `}${isInstalling ? "" : `Run \`${manager} install\`. `}`;
  tellNext(
    host,
    starter,
    `${first}Start it with \`${manager} run ${script}\` and open http://localhost:3000${starter.page}.`,
  );
  return isInstalled ? 0 : 1;
}

const NEW_MANIFEST = '{\n  "private": true,\n  "type": "module"\n}\n';

/** Writes all files, or returns why it wrote none. */
async function writeAll(
  folder: string,
  { files, dependencies, devDependencies, dev, built, ignored: data }: Starter,
  ownText: string | undefined,
  script: string,
  isInstalling: boolean,
): Promise<string | undefined> {
  await mkdir(folder, { recursive: true });
  const packages = isInstalling ? [[], []] : [dependencies, devDependencies];
  const manifest = withScript(ownText, script, dev, packages[0] ?? [], packages[1] ?? []);
  const ignoredText = await readFile(join(folder, ".gitignore"), "utf8").catch(() => undefined);
  const ignored = await withIgnored(folder, ignoredText ?? "", built, data);
  const written = await writeFiles(
    folder,
    new Map([
      ...[...files].map(([path, text]): [string, string] => [`/${path}`, text]),
      ["/package.json", manifest],
      ...(ignored === ignoredText ? [] : [["/.gitignore", ignored] as const]),
    ]),
    new Map([
      ...(ownText === undefined ? [] : [["/package.json", ownText] as const]),
      ...(ignoredText === undefined ? [] : [["/.gitignore", ignoredText] as const]),
    ]),
  );
  return "refused" in written ? written.refused : undefined;
}

/** Test helpers are not part of the application. */
async function install(host: Host, manager: PackageManager, { dependencies, devDependencies }: Starter) {
  const isInstalled =
    (await runPackageManager(host, manager, dependencies)) &&
    (await runPackageManager(host, manager, devDependencies, true));
  const commands = [installCommand(manager, dependencies), installCommand(manager, devDependencies, true)];
  const text = commands.map((command) => command.join(" ")).join(" && ");
  if (!isInstalled) host.warn(`The packages were not installed. When the error is fixed, run: ${text}`);
  return isInstalled;
}

function tellNext(host: Host, { byHand }: Starter, start: string): void {
  if (byHand.length > 0) host.write("\nLeft to do by hand:");
  for (const [index, step] of byHand.entries()) host.write(`  ${index + 1}. ${step}`);
  host.write(`${start} For another port, set PORT. What is left for production is in AUTH.md.`);
}

/** What is written. The `.env.local` of an existing application stays, and the lines that it lacks are named. */
function createStarter(folder: string, choices: StarterChoices): Starter {
  const starter = starterFor(choices, createSecret());
  if (choices.project === undefined || !existsSync(join(folder, SECRETS))) return starter;
  const files = new Map([...starter.files].filter(([path]) => path !== SECRETS));
  const names = (starter.files.get(SECRETS) ?? "").match(/^\w+=(?!.{40})\S*/gm) ?? [];
  const step = `Add to ${SECRETS}, unless it has them: AUTH_SECRET=… (\`npx @cardea/cli secret\`), ${names.join(", ")}`;
  return { ...starter, files, byHand: [step, ...starter.byHand] };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
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
  ownText: string | undefined,
  script: string,
  dev: string,
  dependencies: readonly string[],
  devDependencies: readonly string[],
): string {
  const text = ownText ?? NEW_MANIFEST;
  const manifest: Record<string, unknown> = Object(JSON.parse(text));
  const { dependencies: own, devDependencies: ownDev, scripts } = parseManifest(text);
  const latest = (names: readonly string[]) =>
    Object.fromEntries(names.map((one) => [one.replace(/(?<=.)@.*/, ""), /(?<=.)@(.*)/.exec(one)?.[1] ?? "latest"]));
  const merged = {
    ...manifest,
    scripts: { ...scripts, [script]: dev },
    dependencies: { ...latest(dependencies), ...own },
    devDependencies: { ...latest(devDependencies), ...ownDev },
  };
  return `${JSON.stringify(merged, null, 2)}\n`;
}

/** Keeps the secret, packages, built files and data out of git, unless the rules of git do already. */
async function withIgnored(
  folder: string,
  text: string,
  built: readonly string[],
  data: readonly string[],
): Promise<string> {
  const folders = ["node_modules", ...built].map((name) => `${name}/`);
  const sample = (path: string) => path.replace("*", "");
  const ignored = (await findIgnored(folder, [...data, SECRETS, ...folders].map(sample))) ?? [];
  const paths = [...data, SECRETS, ...(ignored.includes(SECRETS) ? [] : folders)];
  const lacking = paths.filter((path) => !ignored.includes(sample(path))).map((path) => `${path.replace(/\/$/, "")}\n`);
  return `${text}${text === "" || text.endsWith("\n") || lacking.length === 0 ? "" : "\n"}${lacking.join("")}`;
}
