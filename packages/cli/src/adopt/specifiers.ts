import { dirname, relative, resolve as resolvePath } from "node:path/posix";
import { type Project, type SourceFile, ts } from "ts-morph";
import type { Application } from "./application.ts";

const ENDINGS = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"];

interface Alias {
  /** Prefix of the specifier: `@/`. */
  readonly prefix: string;
  /** The folder that it maps to, with a trailing slash. */
  readonly folder: string;
}

/** Resolves and creates module specifiers: relative ones, and those from `paths` in tsconfig.json or jsconfig.json. */
export function createSpecifiers(
  project: Project,
  files: ReadonlyMap<string, string>,
): Pick<Application, "resolve" | "specifier"> {
  const { aliases, baseUrl } = readAliases(files);
  const find = (path: string): SourceFile | undefined => {
    const stem = path.replace(/\.[cm]?jsx?$/, "");
    const candidates = [
      path,
      ...[path, stem].flatMap((at) => ENDINGS.map((ending) => at + ending)),
      ...ENDINGS.map((ending) => `${path}/index${ending}`),
    ];
    for (const candidate of candidates) {
      const file = project.getSourceFile(candidate);
      if (file !== undefined) return file;
    }
    return undefined;
  };
  const resolve = (from: SourceFile, specifier: string): SourceFile | undefined => {
    if (specifier.startsWith(".")) return find(resolvePath(dirname(from.getFilePath()), specifier));
    for (const { prefix, folder } of aliases) {
      const file = specifier.startsWith(prefix) ? find(resolvePath(folder, specifier.slice(prefix.length))) : undefined;
      if (file !== undefined) return file;
    }
    return baseUrl === undefined ? undefined : find(resolvePath(baseUrl, specifier));
  };
  const specifier = (from: string, target: string, like: string | undefined): string => {
    const ending = /\.[cm]?[jt]sx?$/.exec(like ?? "")?.[0] ?? "";
    const bare = target.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "").replace(/\/index$/, "") + ending;
    const alias = aliases.find(
      ({ prefix, folder }) => (like === undefined || like.startsWith(prefix)) && bare.startsWith(folder),
    );
    const isRelative = like?.startsWith(".") === true;
    if (alias !== undefined && !isRelative) return alias.prefix + bare.slice(alias.folder.length);
    const path = relative(dirname(from), bare);
    return path.startsWith(".") ? path : `./${path}`;
  };
  return { resolve, specifier };
}

/** Aliases that end in `*`; longest prefix first. */
function readAliases(files: ReadonlyMap<string, string>): {
  readonly aliases: readonly Alias[];
  readonly baseUrl: string | undefined;
} {
  const name = ["/tsconfig.json", "/jsconfig.json"].find((path) => files.has(path));
  if (name === undefined) return { aliases: [], baseUrl: undefined };
  const { config } = ts.parseConfigFileTextToJson(name, files.get(name) ?? "");
  const options: { baseUrl?: unknown; paths?: unknown } = Object(Object(config).compilerOptions);
  const baseUrl = typeof options.baseUrl === "string" ? resolvePath("/", options.baseUrl) : undefined;
  const paths: Record<string, unknown> = Object(options.paths);
  const aliases = Object.entries(paths).flatMap(([pattern, targets]): Alias[] => {
    const target: unknown = Array.isArray(targets) ? targets[0] : undefined;
    if (typeof target !== "string" || !pattern.endsWith("*") || !target.endsWith("*")) return [];
    const folder = resolvePath(baseUrl ?? "/", target.slice(0, -1));
    return [{ prefix: pattern.slice(0, -1), folder: folder === "/" ? "/" : `${folder}/` }];
  });
  return { aliases: aliases.sort((a, b) => b.prefix.length - a.prefix.length), baseUrl };
}
