import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { generateClient } from "../../packages/adapter-prisma/src/databases/generate-client.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const example = join(root, "examples/express");

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
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    tsconfig: join(root, "tsconfig.json"),
    // What comes from npm stays there; each package is found from where it is asked for, or from the example.
    plugins: [
      {
        name: "npm packages stay outside",
        setup: (builder) => {
          builder.onResolve({ filter: /^[a-z@][^:]*$/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
            if (pluginData === "asked" || path.startsWith("@cardea/")) return undefined;
            const asked = { importer, kind, pluginData: "asked" } as const;
            const here = await builder.resolve(path, { ...asked, resolveDir });
            const found =
              here.errors.length === 0 ? here : await builder.resolve(path, { ...asked, resolveDir: example });
            return found.external || found.errors.length > 0 ? found : { path: found.path, external: true };
          });
        },
      },
    ],
  });
  return {
    path: (name) => join(outdir, `${name}.js`),
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
