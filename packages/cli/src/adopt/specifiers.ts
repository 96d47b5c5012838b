import { dirname, join, relative } from "node:path/posix";
import { type Project, type SourceFile, ts } from "ts-morph";
import type { Application } from "./application.ts";

/** The application's place on the disk, for configurations outside of its folder that it extends. */
export interface Surroundings {
  /** The application's folder, with slashes. */
  readonly folder: string;
  /** The text of a file outside of the folder, or of an installed package; undefined if there is none. */
  readonly read: (path: string) => string | undefined;
}

const NOWHERE: Surroundings = { folder: "", read: () => undefined };

/**
 * Resolves and creates module specifiers as TypeScript does: relative ones, `paths` and `baseUrl` of tsconfig.json or
 * jsconfig.json, with `extends` and `references`, and `imports` of package.json. Nothing in `node_modules` is resolved.
 */
export function createSpecifiers(
  project: Project,
  files: ReadonlyMap<string, string>,
  surroundings: Surroundings = NOWHERE,
): Pick<Application, "resolve" | "specifier"> {
  const configurations = createConfigurations(files, surroundings);
  const resolveAt = (from: string, specifier: string, target?: string): string | undefined => {
    const host = moduleHost(project, files, surroundings.folder, target);
    for (const options of configurations(from)) {
      const { resolvedModule } = ts.resolveModuleName(specifier, surroundings.folder + from, options, host);
      if (resolvedModule !== undefined) return resolvedModule.resolvedFileName.slice(surroundings.folder.length);
    }
    return undefined;
  };
  const resolve = (from: SourceFile, specifier: string): SourceFile | undefined => {
    const path = resolveAt(from.getFilePath(), specifier);
    return path === undefined ? undefined : project.getSourceFile(path);
  };
  const specifier = (from: string, target: string, like: string | undefined): string => {
    const ending = /\.[cm]?[jt]sx?$/.exec(like ?? "")?.[0] ?? "";
    const bare = target.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "").replace(/\/index$/, "") + ending;
    const isRelative = like?.startsWith(".") === true;
    const aliases = isRelative ? [] : aliasesOf(configurations(from), files, surroundings.folder);
    const found = aliases
      .filter(({ name }) => like === undefined || like.startsWith(name.replace(/\*.*$/, "")))
      .flatMap(({ name, path }) => [bare, target].flatMap((given) => applied(name, path, given)))
      .find((candidate) => resolveAt(from, candidate, target) === target);
    if (found !== undefined) return found;
    const path = relative(dirname(from), bare);
    return path.startsWith(".") ? path : `./${path}`;
  };
  return { resolve, specifier };
}

/** Compiler options by file: those of the nearest configuration, and of the projects that it refers to. */
function createConfigurations(
  files: ReadonlyMap<string, string>,
  { folder, read }: Surroundings,
): (from: string) => readonly ts.CompilerOptions[] {
  const readFile = (path: string) =>
    (path.startsWith(`${folder}/`) ? files.get(path.slice(folder.length)) : undefined) ?? read(path);
  const host: ts.ParseConfigFileHost = {
    useCaseSensitiveFileNames: true,
    getCurrentDirectory: () => folder || "/",
    readDirectory: () => [],
    fileExists: (path) => readFile(path) !== undefined,
    readFile,
    // A configuration that cannot be read has no options.
    onUnRecoverableConfigFileDiagnostic: () => undefined,
  };
  const known = new Map<string, readonly ts.CompilerOptions[]>();
  const parse = (path: string, depth: number): readonly ts.CompilerOptions[] => {
    const parsed = ts.getParsedCommandLineOfConfigFile(path, {}, host);
    if (parsed === undefined) return [];
    const references = depth > MAX_DEPTH ? [] : (parsed.projectReferences ?? []);
    const others = references.map((one) => ts.resolveProjectReferencePath(one)).filter(host.fileExists);
    return [{ ...parsed.options, ...RESOLUTION }, ...others.flatMap((one) => parse(one, depth + 1))];
  };
  const nearest = (at: string): readonly ts.CompilerOptions[] => {
    const before = known.get(at);
    if (before !== undefined) return before;
    const own = ["tsconfig.json", "jsconfig.json"].map((name) => join(at, name)).find(host.fileExists);
    const found = own !== undefined ? parse(own, 0) : dirname(at) === at ? [RESOLUTION] : nearest(dirname(at));
    known.set(at, found.length === 0 ? [RESOLUTION] : found);
    return found.length === 0 ? [RESOLUTION] : found;
  };
  return (from) => nearest(dirname(folder + from));
}

/** Projects that refer to each other in a circle end here. */
const MAX_DEPTH = 4;

/** Bundlers and frameworks accept more than the application's own setting may say. */
const RESOLUTION: ts.CompilerOptions = {
  allowJs: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** @param target a file that is about to be written. */
function moduleHost(
  project: Project,
  files: ReadonlyMap<string, string>,
  folder: string,
  target: string | undefined,
): ts.ModuleResolutionHost {
  const isBelow = (path: string) => path.startsWith(`${folder}/`) && !path.includes("/node_modules/");
  const below = (path: string) => path.slice(folder.length);
  return {
    fileExists: (path) =>
      isBelow(path) &&
      (below(path) === target ||
        project.getSourceFile(below(path)) !== undefined ||
        (/\.json$/.test(path) && files.has(below(path)))),
    readFile: (path) => (isBelow(path) ? files.get(below(path)) : undefined),
    directoryExists: (path) => !path.endsWith("/node_modules"),
    getCurrentDirectory: () => folder || "/",
  };
}

interface Alias {
  /** `@/*` or `#lib/*`. */
  readonly name: string;
  /** What it stands for, from the application's folder: `/src/*`. */
  readonly path: string;
}

/** The names that stand for files: `paths` of the configurations, and `imports` of package.json. Longest prefix first. */
function aliasesOf(
  configurations: readonly ts.CompilerOptions[],
  files: ReadonlyMap<string, string>,
  folder: string,
): readonly Alias[] {
  const paths = configurations.flatMap((options) => {
    // Set by the compiler: the folder of the configuration that has `paths`.
    const base = String(options.baseUrl ?? Reflect.get(options, "pathsBasePath") ?? folder);
    return Object.entries(options.paths ?? {}).flatMap(([name, targets]) =>
      targets.map((target) => ({ name, path: join(base, target).slice(folder.length) })),
    );
  });
  const { config } = ts.parseConfigFileTextToJson("/package.json", files.get("/package.json") ?? "{}");
  const imports = Object.entries<unknown>(Object(Object(config).imports)).flatMap(([name, given]) =>
    targetsOf(given).map((target) => ({ name, path: join("/", target) })),
  );
  return [...paths, ...imports].sort((a, b) => b.name.length - a.name.length);
}

/** The targets of an import, in any condition. */
function targetsOf(given: unknown): readonly string[] {
  if (typeof given === "string") return [given];
  return typeof given === "object" && given !== null ? Object.values(given).flatMap(targetsOf) : [];
}

/** The name for a file, if its path fits. */
function applied(name: string, path: string, file: string): readonly string[] {
  const [before = "", after] = path.split("*");
  if (after === undefined) return path === file ? [name] : [];
  const fits = file.startsWith(before) && file.endsWith(after) && file.length >= before.length + after.length;
  return fits ? [name.replace("*", () => file.slice(before.length, file.length - after.length))] : [];
}
