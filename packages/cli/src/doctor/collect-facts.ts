import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { configurationOf, createAuthCalls } from "../adopt/configuration.ts";
import { createProject } from "../adopt/read-application.ts";
import { createSpecifiers } from "../adopt/specifiers.ts";
import { parseManifest } from "../files/manifest.ts";
import type { DatabaseFacts, Facts, Probe, RedisFacts } from "./facts.ts";

/** Arguments of {@link factsOf}. */
export interface FactSources {
  readonly files: ReadonlyMap<string, string>;
  readonly tracked?: ReadonlySet<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly installed?: ReadonlyMap<string, string>;
  readonly probe?: Probe | undefined;
  readonly redis?: RedisFacts | undefined;
  readonly database?: DatabaseFacts | undefined;
}

/** Reads configurations and environment files. Pure. */
export function factsOf({
  files,
  tracked = new Set(),
  env,
  installed = new Map(),
  probe,
  redis,
  database,
}: FactSources): Facts {
  const project = createProject(files);
  const application = { project, ...createSpecifiers(project, files) };
  const isProduction = env.NODE_ENV === "production";
  return {
    isProduction,
    env: { ...environmentOf(files, isProduction), ...env },
    files,
    tracked,
    manifest: parseManifest(files.get("/package.json") ?? "{}"),
    project,
    configurations: createAuthCalls(application).map((call) => ({
      call,
      literals: configurationOf(application, call),
    })),
    installed,
    probe,
    redis,
    database,
  };
}

/** The `.env` files that frameworks read. Later ones override earlier ones. */
function environmentOf(files: ReadonlyMap<string, string>, isProduction: boolean): Record<string, string> {
  const mode = isProduction ? "production" : "development";
  const texts = ["/.env", `/.env.${mode}`, "/.env.local", `/.env.${mode}.local`].map((path) => files.get(path) ?? "");
  return Object.assign({}, ...texts.map((text) => parseEnv(text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"))));
}

/** Untracked environment files of a folder, which are checked in addition to tracked files. */
export async function readEnvironmentFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => /^\.env(?:\.[\w.]+)?$/.test(name));
  const texts = await Promise.all(
    names.map(async (name) => [`/${name}`, await readFile(join(folder, name), "utf8")] as const),
  );
  return new Map(texts);
}
