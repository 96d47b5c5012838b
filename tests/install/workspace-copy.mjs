// A copy of what versions are made of: the manifests, the changesets, the changelogs. Nothing is installed in it.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand } from "../../tools/run-command.mjs";
import { listFiles } from "../../tools/source-files.mjs";

const repository = join(import.meta.dirname, "../..");
const ofVersions = /^(?:LICENSE|pnpm-workspace\.yaml|\.changeset\/.*|(?:[^/]+\/){0,2}(?:package\.json|CHANGELOG\.md))$/;

/** A copy of this repository, as far as versions go, with a git history of one commit; `remove()` ends it. */
export async function copyWorkspace() {
  const root = mkdtempSync(join(tmpdir(), "cardea-versions-"));
  for (const path of listFiles(repository).filter((path) => ofVersions.test(path))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(repository, path), join(root, path));
  }
  await run(root, ["git", "init", "--quiet", "--initial-branch=main"]);
  await commit(root);
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
      cpSync(root, target, { recursive: true });
      return workspaceAt(target);
    },
    /** Writes a changeset, as `pnpm changeset` does: bumps are name → patch, minor or major. */
    addChangeset: async (name, bumps) => {
      const lines = Object.entries(bumps).map(([of, bump]) => `"${of}": ${bump}\n`);
      writeFileSync(join(root, ".changeset", `${name}.md`), `---\n${lines.join("")}---\n\nWhat changed.\n`);
      await commit(root);
    },
    /** Turns the changesets into versions, as `pnpm version-packages` does. */
    version: async () => {
      await run(root, ["changeset", "version"]);
      await commit(root);
    },
    changelog: (name) => {
      const path = join(root, "packages", name, "CHANGELOG.md");
      return existsSync(path) ? readFileSync(path, "utf8") : "";
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function readManifests(root) {
  const paths = listFiles(root, "packages").filter((path) => /^packages\/[^/]+\/package\.json$/.test(path));
  const manifests = paths.map((path) => JSON.parse(readFileSync(join(root, path), "utf8")));
  return new Map(manifests.filter((manifest) => !manifest.private).map((manifest) => [manifest.name, manifest]));
}

/** No one's name, no hooks and no signature: what the machine's git is set to does not matter. */
async function commit(root) {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  await run(root, ["git", "add", "--all"]);
  await run(root, ["git", ...identity, "commit", "--quiet", "--no-verify", "--allow-empty", "--message=changes"]);
}

async function run(cwd, command) {
  const { failed, output } = await runCommand(command, { cwd });
  if (failed) throw new Error(`${command.join(" ")}\n${output.trim()}`);
  return output;
}
