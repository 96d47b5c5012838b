// Publishes every package to a registry on this machine, as a release would: versions applied, through changesets and pnpm.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../../tools/run-command.mjs";
import { copyWorkspace } from "./workspace-copy.mjs";

const repository = join(import.meta.dirname, "../..");

/**
 * Publishes what is built in `packages/*` to a registry of `startLocalRegistry`, and resolves to the versions, name → version.
 * Pending changesets are applied in a copy: the repository keeps them.
 *
 * @param only names of packages: these and what they need of ours. Default: all.
 * @param releases further releases, one after the other: name → patch, minor or major. Only what has a new version is published.
 * @param change receives the copy before it is published.
 */
export async function publishLocally(registry, only, { releases = [], change = () => {} } = {}) {
  const workspace = await copyWorkspace();
  try {
    for (const bumps of [{}, ...releases]) await workspace.version(bumps);
    if (only !== undefined) keepPrivate(workspace, withNeeded(workspace.manifests(), only));
    const manifests = workspace.manifests();
    for (const manifest of manifests.values()) copyBuilt(workspace.root, manifest);
    change(workspace.root);
    const npmrc = join(workspace.root, ".npmrc");
    writeFileSync(npmrc, `registry=${registry.url}\n${registry.npmrc}`);
    const { failed, output } = await runCommand(["changeset", "publish", "--no-git-tag"], {
      cwd: workspace.root,
      // Whatever the machine's npm is set to, and whichever token it has: nothing can get out.
      env: { npm_config_registry: registry.url, NPM_CONFIG_USERCONFIG: npmrc, PNPM_CONFIG_PROVENANCE: "false" },
    });
    if (failed) throw new Error(`changeset publish\n${output.trim()}`);
    return new Map([...manifests.values()].map(({ name, version }) => [name, version]));
  } finally {
    workspace.remove();
  }
}

/** Packages, and those of ours that an installation of them brings along or asks for. */
function withNeeded(manifests, names, known = new Set()) {
  for (const name of names.filter((name) => manifests.has(name) && !known.has(name))) {
    const { dependencies = {}, peerDependencies = {} } = manifests.get(name);
    withNeeded(manifests, Object.keys({ ...dependencies, ...peerDependencies }), known.add(name));
  }
  return known;
}

/** Nothing else is published, each of which takes a second. */
function keepPrivate(workspace, published) {
  for (const name of [...workspace.manifests().keys()].filter((name) => !published.has(name))) {
    const path = join(workspace.root, "packages", name.replace("@cardea/", ""), "package.json");
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), private: true }));
  }
}

/** What the tarball is made of, and the packages of ours that `workspace:` leads to. */
function copyBuilt(root, { name, files, dependencies = {} }) {
  const folder = join("packages", name.replace("@cardea/", ""));
  const sources = files.map((file) => file.split("/")[0]).filter((file) => file !== "CHANGELOG.md");
  for (const file of sources) {
    const source = join(repository, folder, file);
    if (!existsSync(source)) throw new Error(`${folder}/${file} is missing: build the packages first`);
    cpSync(source, join(root, folder, file), { recursive: true });
  }
  const modules = join(root, folder, "node_modules");
  for (const dependency of Object.keys(dependencies).filter((dependency) => dependency.startsWith("@cardea/"))) {
    mkdirSync(join(modules, "@cardea"), { recursive: true });
    symlinkSync(join(root, "packages", dependency.replace("@cardea/", "")), join(modules, dependency));
  }
}
