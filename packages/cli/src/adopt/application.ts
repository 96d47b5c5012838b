import type { Project, SourceFile } from "ts-morph";
import type { Manifest } from "../files/manifest.ts";

/** What signs users in before the move; the names are those that `bridge({ accept })` takes. */
export type FormerLibrary = "authjs-v5" | "nextauth-v4";

/** The framework, which decides the package that the application imports from. */
export type Framework = "next" | "express" | "hono" | "sveltekit" | "fetch";

/** The application as the rules see it. Rules only read it: what they want is in the {@link Draft} they return. */
export interface Application {
  /** Its source files, in memory; paths are absolute and begin at the application's folder: `/src/auth.ts`. */
  readonly project: Project;
  /** Tracked files that are not source code and that name environment variables or packages, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Its package.json. */
  readonly manifest: Manifest;
  readonly former: FormerLibrary;
  readonly framework: Framework;
  /** Major versions of packages that are in use, as far as they are known. */
  readonly majors: ReadonlyMap<string, number>;
  /** Minor versions of those whose major version is 0: each of them may break. */
  readonly minors: ReadonlyMap<string, number>;
  /** The source file that a module specifier leads to; undefined for packages and for files that are not there. */
  readonly resolve: (from: SourceFile, specifier: string) => SourceFile | undefined;
  /** How `from` would import `target`, in the style of `like`, a specifier that the file has. */
  readonly specifier: (from: string, target: string, like: string | undefined) => string;
}

/** The package that stands in for `next-auth`, `@auth/express`, `@hono/auth-js`, `@auth/sveltekit` or `@auth/core`. */
export function mainPackage({ framework }: Pick<Application, "framework">): string {
  return framework === "fetch" ? "@cardea/core" : `@cardea/${framework}`;
}
