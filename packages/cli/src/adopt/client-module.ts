import type { Application } from "./application.ts";
import type { Draft } from "./draft.ts";

/** A module of the application, and how its files import it. */
export interface ClientModule {
  readonly path: string;
  readonly specifier: string;
}

const NAMES = ["auth-client", "cardea-client"];

/** A free path in `src/lib`, which SvelteKit names `$lib`. */
export function clientModule({ project, texts }: Pick<Application, "project" | "texts">): ClientModule {
  const ending = texts.has("/tsconfig.json") || project.getSourceFile("/src/app.d.ts") !== undefined ? "ts" : "js";
  const isTaken = (name: string) =>
    ["ts", "js"].some((one) => project.getSourceFile(`/src/lib/${name}.${one}`) !== undefined);
  const name = NAMES.find((one) => !isTaken(one)) ?? "cardea-browser-client";
  return { path: `/src/lib/${name}.${ending}`, specifier: `$lib/${name}` };
}

/** Adds the module: its functions call the routes of `SvelteKitAuth`, which are not at the default path of the client. */
export function addClientModule(draft: Draft, { project }: Pick<Application, "project">, { path }: ClientModule): void {
  const hasBase = project
    .getSourceFiles()
    .some(
      (file) =>
        /\/svelte\.config\.[cm]?[jt]s$/.test(file.getFilePath()) && /\bpaths\b[^}]*\bbase\b/.test(file.getFullText()),
    );
  const lines = [
    ...(hasBase ? ['import { base } from "$app/paths";'] : []),
    'import { createClient } from "@cardea/client";',
    "",
    `export const { signIn, signOut } = createClient({ basePath: ${hasBase ? 'base + "/auth"' : '"/auth"'} });`,
    "",
  ];
  draft.files.set(path, lines.join("\n"));
  draft.note("changed", path, "holds `signIn()` and `signOut()` for the browser");
  draft.added.add("@cardea/client");
}
