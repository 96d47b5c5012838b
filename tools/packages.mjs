// Generates what the packages have in common: the members of package.json that are the same everywhere or derived from others, and the
// lines that the READMEs of OAuth providers share. Everything else belongs to the package itself.
//
//   node tools/packages.mjs            fails if a file differs
//   node tools/packages.mjs --write    writes the files
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runAsScript } from "./report-problems.mjs";
import { packageNames, publicEntries, readJson, sourcePaths } from "./source-files.mjs";

/** The provider whose README has the shared lines, and whose copies new providers are. */
const TEMPLATE = "dropbox";

/** The beginnings of the lines that READMEs with the options of OAuth providers share. */
const SHARED = [
  "You can replace every other [member of a provider]",
  "See [the list of all errors]",
  "| `allowDangerousEmailAccountLinking` |",
  "| symptom |",
  "| `OAuthCallbackError` |",
  "| `InvalidCheck` in the log |",
  "| `OAuthAccountNotLinked` |",
  "| `AccessDenied` |",
];

function checkPackageTexts(root) {
  const names = packageNames(root);
  const read = (path) => readFileSync(join(root, path), "utf8");
  const template = read(`packages/providers-${TEMPLATE}/README.md`);
  const lines = template.split("\n");
  const shared = SHARED.map((start) => [start, lines.find((line) => line.startsWith(start))]);
  const readmes = names.filter((name) => name.startsWith("providers-")).map((name) => `packages/${name}/README.md`);
  const unlisted = names.filter((name) => !read("README.md").includes(`(packages/${name}/README.md)`));
  return {
    problems: [
      ...unlisted.map((name) => `README.md:1 does not list packages/${name}`),
      ...names.flatMap((name) => checkPaths(root, name)),
      ...checkVersions(root, names),
    ],
    texts: Object.fromEntries([
      ...names.map((name) => [`packages/${name}/package.json`, completeManifest(root, name)]),
      ...readmes.map((path) => [path, withHead(withShared(read(path), shared), template)]),
    ]),
  };
}

function withShared(text, shared) {
  if (!text.includes("| `allowDangerousEmailAccountLinking` |")) return text;
  const lines = text.split("\n");
  return lines.map((line) => shared.find(([start]) => line.startsWith(start))?.[1] ?? line).join("\n");
}

/** Begins as the template does, with the package, the service and the function that the text names; those with options differ. */
function withHead(text, template) {
  const [, name, service] = /^# @cardea\/providers-(.+)\n\nSign in with (.+)\.\n/.exec(text) ?? [];
  const [, exported] = /createAuth\({ providers: \[(\w+)\] }\);\n```\n\n## /.exec(text) ?? [];
  if (name === undefined || exported === undefined) return text;
  const head = template.slice(0, template.indexOf("\n## ")).replaceAll(TEMPLATE, name);
  return (
    head.replace("with Dropbox", `with ${service}`).replaceAll("Dropbox", exported) + text.slice(text.indexOf("\n## "))
  );
}

function completeManifest(root, name) {
  const { repository, bugs, engines } = readJson(root, "package.json");
  const directory = `packages/${name}`;
  const own = readJson(root, directory, "package.json");
  const pick = (...members) => Object.fromEntries(members.map((member) => [member, own[member]]));
  const address = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  const manifest = {
    ...pick("name", "version", "description", "keywords"),
    license: "ISC",
    repository: { ...repository, directory },
    homepage: `${address}/tree/main/${directory}#readme`,
    bugs,
    type: "module",
    sideEffects: false,
    engines,
    ...pick("bin", "exports"),
    ...withoutExports(own.exports),
    // The licence file is in the repository's root; pnpm adds it to each tarball.
    files: own.files ?? ["dist", "README.md", "CHANGELOG.md"],
    publishConfig: { access: "public" },
    ...pick("dependencies", "peerDependencies", "peerDependenciesMeta", "optionalDependencies", "devDependencies"),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Maps the entry points for tools that ignore `exports` (TypeScript's module resolution node10). */
function withoutExports({ ".": main, ...others }) {
  const typed = Object.entries(others).filter(([, target]) => target.types);
  const paths = Object.fromEntries(typed.map(([subpath, { types }]) => [subpath.slice(2), [types]]));
  return { main: main?.default, types: main?.types, typesVersions: typed.length > 0 ? { "*": paths } : undefined };
}

/** `exports` and the paths of tsconfig.json must refer to the same file; otherwise tests and types would use an old build. */
function checkPaths(root, name) {
  const { "@cardea/*": main, ...paths } = sourcePaths(root);
  return publicEntries(root, name).flatMap(({ specifier, source }) => {
    const found = paths[specifier] ?? (specifier === `@cardea/${name}` ? main.replace("*", name) : "nothing");
    return found === source ? [] : [`tsconfig.json:1 leads ${specifier} to ${found}; it is built from ${source}`];
  });
}

/** Installed in an old version also: packages for Auth.js need it, and no source of ours imports that one. */
const OLD_VERSION_TOO = "@simplewebauthn/server";

/** Test files share a worker, which would get the version that another package has installed, and then `instanceof` fails. */
function checkVersions(root, names) {
  const versions = new Map();
  for (const name of names) {
    const { dependencies, devDependencies } = readJson(root, "packages", name, "package.json");
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (!versions.has(dependency)) versions.set(dependency, new Set());
      if (!version.startsWith("workspace:")) versions.get(dependency).add(version);
    }
  }
  versions.delete(OLD_VERSION_TOO);
  const several = [...versions].filter(([, found]) => found.size > 1);
  return several.map(
    ([dependency, found]) => `packages:1 have several versions of ${dependency}: ${[...found].join(", ")}`,
  );
}

await runAsScript(import.meta, checkPackageTexts);
