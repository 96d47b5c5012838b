// Builds the application of the tests, next-app/, in other ways than its own: with the Next.js of the package that calls, and
// below a path. Each way is a copy of its sources in dist/<name>/, because Next.js keeps one build in a folder.
//
//   node build-next.mjs plain shop     the names of WAYS
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";

// `middleware.ts` runs in the edge runtime, `proxy.ts`, which only Next.js 16 has, in Node's.
const WAYS = {
  plain: { basePath: "", gate: 'auth as middleware } from "@/lib/auth' },
  shop: { basePath: "/shop", gate: 'gate as middleware } from "@/lib/gate' },
};

const source = join(import.meta.dirname, "next-app");
const repository = join(import.meta.dirname, "../..");
const { resolve } = createRequire(join(process.cwd(), "package.json"));
const { version } = JSON.parse(readFileSync(resolve("next/package.json"), "utf8"));

/** Next.js 14 has these options elsewhere, or not at all. */
const isOld = version.startsWith("14.");

for (const name of process.argv.slice(2)) build(join(process.cwd(), "dist", name), WAYS[name]);

function build(folder, { basePath, gate }) {
  rmSync(folder, { recursive: true, force: true });
  for (const part of ["app", "lib", "pages"]) cpSync(join(source, part), join(folder, part), { recursive: true });
  dropEdgeNames(folder);
  if (isOld) rewriteForms(join(folder, "lib/forms.tsx"));
  const proxy = readFileSync(join(source, "proxy.ts"), "utf8");
  writeFileSync(join(folder, "middleware.ts"), proxy.replace('proxyOfAll as proxy } from "@/lib/proxies', gate));
  const tsconfig = readFileSync(join(source, "tsconfig.json"), "utf8");
  writeFileSync(join(folder, "tsconfig.json"), tsconfig.replace("../../..", relative(folder, repository)));
  const config = {
    ...(basePath === "" ? {} : { basePath, env: { APP_PATH: basePath } }),
    distDir: "dist",
    ...(isOld ? { experimental: { outputFileTracingRoot: repository } } : { outputFileTracingRoot: repository }),
    ...(isOld ? {} : { turbopack: { root: repository } }),
    // Types and style are checked once, with next-app/ itself.
    typescript: { ignoreBuildErrors: true },
    ...(/^1[45]\./.test(version) ? { eslint: { ignoreDuringBuilds: true } } : {}),
  };
  writeFileSync(join(folder, "next.config.mjs"), `export default ${JSON.stringify(config, null, 2)};\n`);
  const command = [resolve("next/dist/bin/next"), "build", folder];
  const { status } = spawnSync(process.execPath, command, { cwd: folder, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** These builds have every page; with an extension of their own, Next.js 15 does not find what it wrote for them. */
function dropEdgeNames(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (/\.edge\.tsx?$/.test(name)) renameSync(join(folder, name), join(folder, name.replace(".edge.", ".")));
  }
}

/** React 18 has `useActionState` under a former name, in another package. */
function rewriteForms(path) {
  const forms = readFileSync(path, "utf8");
  writeFileSync(
    path,
    forms.replace('{ useActionState } from "react"', '{ useFormState as useActionState } from "react-dom"'),
  );
}
