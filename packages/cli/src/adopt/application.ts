import type { Project, SourceFile } from "ts-morph";
import type { Manifest } from "../files/manifest.ts";
import type { Workspace } from "../files/workspace.ts";

/** The library used before the migration. The names are those that `bridge({ accept })` accepts. */
export type FormerLibrary = "authjs-v5" | "nextauth-v4";

/** The framework, which determines the package that the application imports from. */
export type Framework = "next" | "express" | "hono" | "sveltekit" | "fetch";

/** The application as seen by the rules. Rules only read it; they return their changes as a {@link Draft}. */
export interface Application {
  /** Its source files, in memory; paths are absolute and begin at the application's folder: `/src/auth.ts`. */
  readonly project: Project;
  /** Tracked files that are not source code and that name environment variables or packages, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Its package.json. */
  readonly manifest: Manifest;
  readonly former: FormerLibrary;
  /** Whether the version of the former library is not known, and was taken from the code. */
  readonly isGuess: boolean;
  /** The packages and settings around the application. */
  readonly workspace: Workspace;
  readonly framework: Framework;
  /** Major versions of the packages in use, if known. */
  readonly majors: ReadonlyMap<string, number>;
  /** Minor versions of packages with major version 0, each of which may contain breaking changes. */
  readonly minors: ReadonlyMap<string, number>;
  /** The source file that a module specifier resolves to; undefined for packages and missing files. */
  readonly resolve: (from: SourceFile, specifier: string) => SourceFile | undefined;
  /** The specifier with which `from` imports `target`, in the style of `like`, an existing specifier of the file. */
  readonly specifier: (from: string, target: string, like: string | undefined) => string;
}

/** The package that replaces `next-auth`, `@auth/express`, `@hono/auth-js`, `@auth/sveltekit` or `@auth/core`. */
export function mainPackage({ framework }: Pick<Application, "framework">): string {
  return framework === "fetch" ? "@cardea/core" : `@cardea/${framework}`;
}
