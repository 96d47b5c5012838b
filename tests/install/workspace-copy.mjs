// A copy of what versions are made of: the manifests, the changesets, the changelogs. Nothing is installed in it.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import getReleasePlan from "@changesets/get-release-plan";
import { runCommand } from "../../tools/run-command.mjs";
import { trackedFiles } from "../../tools/source-files.mjs";

const repository = join(import.meta.dirname, "../..");
const ofVersions = /^(?:LICENSE|pnpm-workspace\.yaml|\.changeset\/.*|(?:[^/]+\/){0,2}(?:package\.json|CHANGELOG\.md))$/;

/** A copy of this repository, as far as versions go; `remove()` ends it. */
export async function copyWorkspace() {
  const root = mkdtempSync(join(tmpdir(), "cardea-versions-"));
  for (const path of trackedFiles(repository).filter((path) => ofVersions.test(path))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(repository, path), join(root, path));
  }
  // Prettier takes most of the time, and changes no version.
  const configuration = join(root, ".changeset", "config.json");
  const given = JSON.parse(readFileSync(configuration, "utf8"));
  writeFileSync(configuration, JSON.stringify({ ...given, prettier: false }));
  return workspaceAt(root);
}

function workspaceAt(root) {
  return {
    root,
    /** The public packages' manifests: name → package.json. */
    manifests: () => readManifests(root),
    /** Another copy, as this one is now. */
    fork: () => {
      const target = mkdtempSync(join(tmpdir(), "cardea-versions-"));
      cpSync(root, target, { recursive: true, filter: (source) => source !== join(root, ".git") });
      return workspaceAt(target);
    },
    /** The versions that `version()` would write: name → version, of public packages that move. */
    plan: async (bumps) => {
      const file = addChangeset(root, bumps);
      const { releases } = await getReleasePlan(root);
      rmSync(file);
      const manifests = readManifests(root);
      const moved = releases.filter(({ name, type }) => type !== "none" && manifests.has(name));
      return Object.fromEntries(moved.map(({ name, newVersion }) => [name, newVersion]));
    },
    /** Turns the changesets, and another one, into versions, as `pnpm version-packages` does. */
    version: async (bumps = {}) => {
      addChangeset(root, bumps);
      await commit(root);
      await run(root, ["changeset", "version"]);
    },
    changelog: (name) => {
      const path = join(root, "packages", name, "CHANGELOG.md");
      return existsSync(path) ? readFileSync(path, "utf8") : "";
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Writes a changeset, as `pnpm changeset` does: bumps are name → patch, minor or major. Returns its path. */
function addChangeset(root, bumps) {
  const lines = Object.entries(bumps).map(([of, bump]) => `"${of}": ${bump}\n`);
  const path = join(root, ".changeset", "change.md");
  writeFileSync(path, `---\n${lines.join("")}---\n\nWhat changed.\n`);
  return path;
}

function readManifests(root) {
  const paths = trackedFiles(root, "packages").filter((path) => /^packages\/[^/]+\/package\.json$/.test(path));
  const manifests = paths.map((path) => JSON.parse(readFileSync(join(root, path), "utf8")));
  return new Map(manifests.filter((manifest) => !manifest.private).map((manifest) => [manifest.name, manifest]));
}

/** Changelogs name the commit of a changeset. No one's name, no hooks and no signature: what the machine's git is set to does not matter. */
async function commit(root) {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  await run(root, ["git", "init", "--quiet", "--initial-branch=main"]);
  await run(root, ["git", "add", "--all"]);
  await run(root, ["git", ...identity, "commit", "--quiet", "--no-verify", "--allow-empty", "--message=changes"]);
}

async function run(cwd, command) {
  const { failed, output } = await runCommand(command, { cwd });
  if (failed) throw new Error(`${command.join(" ")}\n${output.trim()}`);
  return output;
}
