import { Project, type SourceFile, ts } from "ts-morph";
import { type Manifest, majorOf, parseManifest, rangeOf } from "../files/manifest.ts";
import { catalogsOf, SETTINGS, type Workspace } from "../files/workspace.ts";
import type { Application, FormerLibrary, Framework } from "./application.ts";
import { moduleReferences } from "./module-references.ts";
import { createSpecifiers, type Surroundings } from "./specifiers.ts";

/** Files of an application by path, such as `/src/auth.ts`, with its installed packages. */
export interface ApplicationFiles {
  readonly files: ReadonlyMap<string, string>;
  /** Installed versions by package. They take precedence over the ranges in package.json. */
  readonly installed?: ReadonlyMap<string, string> | undefined;
  /** Tracked files that name the former library and cannot be changed, with the reason. */
  readonly left?: ReadonlyMap<string, string> | undefined;
  /** The folder on the disk, for configurations outside of it. */
  readonly surroundings?: Surroundings | undefined;
  /** Default: the settings among `files`. */
  readonly workspace?: Workspace | undefined;
}

/** Why the application cannot be migrated. */
export interface Refusal {
  readonly refused: string;
}

const SOURCE = /\.[cm]?[jt]sx?$/;

/**
 * Reads an application from its files. Resolves nothing outside of them, and does not run any of their code.
 *
 * @returns null if its package.json has no former library; with `isMoved`, as one that was moved before.
 */
export function readApplication(given: ApplicationFiles, isMoved = false): Application | Refusal | null {
  const { files, installed = new Map(), surroundings } = given;
  const manifestText = files.get("/package.json");
  if (manifestText === undefined)
    return { refused: "No package.json found in this folder. Run the command in the folder of the application." };
  const workspace = workspaceOf(given);
  const manifest = withCatalogs(parseManifest(manifestText), catalogsOf(workspace));
  const project = createProject(files);
  const framework = frameworkOf(manifest);
  const majors = majorsOf(manifest, installed);
  const minors = minorsOf(manifest, installed);
  const found = formerOf(manifest, majors, project) ?? (isMoved ? bridgedIn(project) : null);
  if (found === null) return null;
  const early = earlyFramework(framework, manifest, majors, installed);
  if (early !== undefined && !isMoved)
    return {
      refused: `${early.name} ${early.version} is not supported: update it to ${early.needed} or later, then run the command again.`,
    };
  return {
    project,
    texts: new Map([...files].filter(([path]) => !SOURCE.test(path))),
    manifest,
    ...found,
    workspace,
    framework,
    majors,
    minors,
    ...createSpecifiers(project, files, surroundings),
  };
}

/** The workspace of an application; without one, the settings in its own folder. */
export function workspaceOf({ files, workspace }: ApplicationFiles): Workspace {
  const settings = SETTINGS.flatMap((name): [string, string][] => {
    const text = files.get(`/${name}`);
    return text === undefined ? [] : [[name, text]];
  });
  return workspace ?? { settings: new Map(settings), patches: [], packages: [] };
}

/** A manifest with the version ranges of catalogs in place of `catalog:`. */
function withCatalogs(manifest: Manifest, catalogs: ReadonlyMap<string, string>): Manifest {
  const resolved = (ranges: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(ranges).map(([name, range]) => [name, catalogs.get(`${range} ${name}`) ?? range]),
    );
  const { dependencies, devDependencies } = manifest;
  return { ...manifest, dependencies: resolved(dependencies), devDependencies: resolved(devDependencies) };
}

/** A framework in a version for which there is no package here. */
interface EarlyFramework {
  readonly name: string;
  readonly version: string;
  readonly needed: string;
}

/** Frameworks with a least version: the last major with early minors, and the first minor that is supported. */
const LEAST = {
  next: { npm: "next", name: "Next.js", major: 14, minor: 2 },
  sveltekit: { npm: "@sveltejs/kit", name: "SvelteKit", major: 2, minor: 26 },
} as const;

/** Ranges that include a supported version are accepted: `^14.0.0` includes 14.2, which is installed. */
function earlyFramework(
  framework: Framework,
  manifest: Manifest,
  majors: ReadonlyMap<string, number>,
  installed: ReadonlyMap<string, string>,
): EarlyFramework | undefined {
  if (framework !== "next" && framework !== "sveltekit") return undefined;
  const { npm, name, major: least, minor } = LEAST[framework];
  const version = installed.get(npm) ?? rangeOf(manifest, npm) ?? "";
  const major = majors.get(npm);
  const given = /^[^\d^]*\d+\.(\d+)/.exec(version)?.[1];
  const isEarly = major !== undefined && (major < least || (major === least && Number(given ?? minor) < minor));
  return isEarly ? { name, version, needed: `${least}.${minor}` } : undefined;
}

/** Creates a project with these source files. JavaScript files with any extension may contain JSX. */
export function createProject(files: ReadonlyMap<string, string>): Project {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
    compilerOptions: { allowJs: true, jsx: ts.JsxEmit.Preserve },
  });
  for (const [path, text] of files) if (SOURCE.test(path)) project.createSourceFile(path, text);
  return project;
}

/** Packages of Auth.js for a framework, other than Next.js. */
const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  "@auth/express": "express",
  "@hono/auth-js": "hono",
  "@auth/sveltekit": "sveltekit",
};

function frameworkOf(manifest: Manifest): Framework {
  if (rangeOf(manifest, "next") !== undefined || rangeOf(manifest, "next-auth") !== undefined) return "next";
  const found = Object.entries(FRAMEWORKS).find(([name]) => rangeOf(manifest, name) !== undefined);
  return found?.[1] ?? "fetch";
}

function majorsOf(manifest: Manifest, installed: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const names = ["next", "@sveltejs/kit", "next-auth", "@prisma/client", "prisma", "express", "react"];
  return new Map(
    names.flatMap((name): [string, number][] => {
      const major = majorOf(installed.get(name)) ?? majorOf(rangeOf(manifest, name));
      return major === undefined ? [] : [[name, major]];
    }),
  );
}

function minorsOf(manifest: Manifest, installed: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  return new Map(
    ["drizzle-orm", "kysely"].flatMap((name): [string, number][] => {
      const version = installed.get(name) ?? rangeOf(manifest, name) ?? "";
      const minor = /^\D*0\.(\d+)/.exec(version)?.[1];
      return minor === undefined ? [] : [[name, Number(minor)]];
    }),
  );
}

/** The auth library of the application; null if it is neither, as after a migration. */
function formerOf(
  manifest: Manifest,
  majors: ReadonlyMap<string, number>,
  project: Project,
): Pick<Application, "former" | "isGuess"> | null {
  const known = (former: FormerLibrary) => ({ former, isGuess: false });
  if (Object.keys(FRAMEWORKS).some((name) => rangeOf(manifest, name) !== undefined)) return known("authjs-v5");
  const range = rangeOf(manifest, "next-auth");
  if (range === undefined) return project.getSourceFiles().some(callsAuthCore) ? known("authjs-v5") : null;
  const major = majors.get("next-auth");
  if (major !== undefined) return known(major >= 5 ? "authjs-v5" : "nextauth-v4");
  if (range === "beta") return known("authjs-v5");
  // For a tag, a catalog or a link, detect v5 by its return value.
  const isV5 = project
    .getSourceFiles()
    .some((file) => /\{[^}]*\b(?:handlers|auth)\b[^}]*\}[^=;]*=\s*NextAuth\(/.test(file.getFullText()));
  return { former: isV5 ? "authjs-v5" : "nextauth-v4", isGuess: true };
}

/** The former library of an application that was moved: the one whose sessions it accepts. */
function bridgedIn(project: Project): Pick<Application, "former" | "isGuess"> {
  const isV4 = project.getSourceFiles().some((file) => /["']nextauth-v4["']/.test(file.getFullText()));
  return { former: isV4 ? "nextauth-v4" : "authjs-v5", isGuess: false };
}

function callsAuthCore(file: SourceFile): boolean {
  return moduleReferences(file).some(
    ({ specifier, kind }) => specifier === "@auth/core" && /^(?:import|export|call)$/.test(kind),
  );
}
