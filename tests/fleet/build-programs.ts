import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { generateClient } from "../../packages/adapter-prisma/src/databases/generate-client.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const example = join(root, "examples/express");

/** What packages written for CommonJS call. */
const REQUIRE = `import { createRequire as forBundle } from "node:module"; const require = forBundle(import.meta.url);`;

/** Built programs, by name. */
export interface Built {
  path(name: string): string;
  remove(): void;
}

/**
 * Builds programs from the sources of all packages: the paths of tsconfig.json lead to them, so that nothing has to be built before. They
 * lie in the folder of the Express example, apart from its own build, with a client of PostgreSQL unless `database` is false.
 *
 * @param entries paths below the root of the repository, by name.
 */
export async function buildPrograms(
  entries: Readonly<Record<string, string>>,
  { database = true }: { readonly database?: boolean } = {},
): Promise<Built> {
  const outdir = join(example, "node_modules/.fleet", `${process.pid}-${crypto.randomUUID().slice(0, 8)}`);
  mkdirSync(outdir, { recursive: true });
  const client = database ? fileURLToPath(await generateClient({ provider: "postgresql" })) : undefined;
  const paths = Object.entries(entries).map(([name, path]) => [name, join(root, path)] as const);
  await build({
    absWorkingDir: example,
    entryPoints: { ...Object.fromEntries(paths), ...(client === undefined ? {} : { "prisma/postgres": client }) },
    outdir,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    tsconfig: join(root, "tsconfig.json"),
    // In one file, a process starts in half of the time. In several, a package in CommonJS could not be imported when it is first used.
    splitting: false,
    // These are more than JavaScript.
    external: ["@prisma/*", "libsql", "@libsql/*", "pg"],
    nodePaths: [join(example, "node_modules")],
    banner: { js: REQUIRE },
  });
  return {
    path: (name) => join(outdir, `${name}.js`),
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
