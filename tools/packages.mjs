// Generates what the packages have in common: the members of package.json that are the same everywhere or derived from others, and the
// frame of the READMEs, and AGENTS.md. Everything else belongs to the package itself.
//
//   node tools/packages.mjs            fails if a file differs
//   node tools/packages.mjs --write    writes the files
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAgentsPage } from "./agents-page.mjs";
import { DOCUMENTATION, INSTALLATION } from "./package-pages.mjs";
import { runAsScript } from "./report-problems.mjs";
import { packageNames, publicEntries, readJson, sourcePaths } from "./source-files.mjs";

/** More lines belong on a page of docs/. */
const README_LINES = 60;

/** In every tarball. */
const FILES = ["AGENTS.md", "CHANGELOG.md", "README.md", "dist"];

function checkPackageTexts(root) {
  const names = packageNames(root);
  const read = (path) => readFileSync(join(root, path), "utf8");
  const unlisted = names.filter((name) => !read("README.md").includes(`(packages/${name}/README.md)`));
  const readmes = names.map((name) => [`packages/${name}/README.md`, withFrame(root, name, read)]);
  const long = readmes.filter(([, text]) => text.split("\n").length - 1 > README_LINES);
  return {
    problems: [
      ...unlisted.map((name) => `README.md:1 does not list packages/${name}`),
      ...long.map(([path]) => `${path}:${README_LINES} ends here: move the rest to a page of docs/`),
      ...names.flatMap((name) => checkPaths(root, name)),
      ...checkVersions(root, names),
    ],
    texts: Object.fromEntries([
      ...names.map((name) => [`packages/${name}/package.json`, completeManifest(root, name)]),
      ...readmes,
      ...names.map((name) => [`packages/${name}/AGENTS.md`, agentsPageOf(root, name, read)]),
    ]),
  };
}

/** A README: title, description and installation; the package's own text, which begins with an example; documentation and licence. */
function withFrame(root, name, read) {
  const { description } = readJson(root, "packages", name, "package.json");
  const own = ownText(read(`packages/${name}/README.md`));
  const head = `# @cardea/${name}\n\n${description}\n\n\`\`\`sh\n${installation(root, name, own)}\n\`\`\``;
  return `${head}\n\n${own}\n\n${documentation(name, read)}`;
}

/** What is between the first block and the last heading, both of which are generated. */
function ownText(text) {
  const start = /^```sh\n[^`]*```\n/m.exec(text);
  const end = text.indexOf("\n## Documentation\n");
  return text.slice((start?.index ?? 0) + (start?.[0].length ?? 0), end === -1 ? undefined : end).trim();
}

/** Installs the package, its peers of ours, and what its first example imports: pnpm and Yarn do not add peers. */
function installation(root, name, own) {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = readJson(root, "packages", name, "package.json");
  const shown = own.replace(/^<!-- tsx?\n[\s\S]*?-->$/gm, "");
  const [, example = ""] = /^```tsx?\n([\s\S]*?)^```$/m.exec(shown) ?? [];
  const imported = [...example.matchAll(/ from "(@cardea\/[\w-]+)/g)].map(([, specifier]) => specifier);
  const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
  const ours = [...imported, ...peers.filter((peer) => peer.startsWith("@cardea/")), `@cardea/${name}`];
  return INSTALLATION[name] ?? `npm install ${[...new Set(ours)].sort().join(" ")}`;
}

function pagesOf(name, read) {
  const pages = DOCUMENTATION[name] ?? (name.startsWith("providers-") ? DOCUMENTATION["providers-…"] : []);
  return [...pages, "errors"].map((page) => [page, /^# (.+)$/m.exec(read(`docs/${page}.md`))?.[1] ?? page]);
}

function documentation(name, read) {
  const links = pagesOf(name, read).map(([page, title]) => `[${title}](../../docs/${page}.md)`);
  const status =
    "Cardea is pre-release and has not been reviewed externally: [what it guarantees](../../SECURITY.md). License: ISC.";
  return `## Documentation\n\n${links.join(" · ")}\n\n${status}\n`;
}

function agentsPageOf(root, name, read) {
  const { description } = readJson(root, "packages", name, "package.json");
  const own = ownText(read(`packages/${name}/README.md`));
  return writeAgentsPage({
    name,
    description,
    own,
    install: installation(root, name, own),
    pages: pagesOf(name, read),
  });
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
    files: [...new Set([...(own.files ?? []), ...FILES])].sort(),
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
