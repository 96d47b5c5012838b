import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findObstacles } from "./find-obstacles.mjs";
import { copyWorkspace } from "./workspace-copy.mjs";

const inCi = { ACTIONS_ID_TOKEN_REQUEST_URL: "https://ci.example.com/token" };

async function releasable() {
  const workspace = await copyWorkspace();
  onTestFinished(() => workspace.remove());
  await workspace.version();
  return workspace;
}

describe("findObstacles()", { timeout: 60_000 }, () => {
  it("finds none in CI, with versions and a clean tree", async () => {
    const { root } = await releasable();
    expect(await findObstacles(inCi, root)).toEqual([]);
    expect(await findObstacles({ SIGSTORE_ID_TOKEN: "a token" }, root)).toEqual([]);
  });

  it("refuses to publish without provenance", async () => {
    const { root } = await releasable();
    expect(await findObstacles({ CI: "true" }, root)).toEqual([expect.stringContaining("No identity of CI")]);
  });

  it("refuses what has no version yet", async () => {
    const workspace = await releasable();
    await workspace.addChangeset("pending", { "@cardea/core": "patch" });
    expect(await findObstacles(inCi, workspace.root)).toEqual([
      "Changes without a version: .changeset/pending.md. Run pnpm version-packages first.",
    ]);
  });

  it("refuses what is not committed: the attestation names a commit", async () => {
    const { root } = await releasable();
    writeFileSync(join(root, "packages/core/CHANGELOG.md"), "other\n");
    const [obstacle, ...others] = await findObstacles(inCi, root);
    expect(obstacle).toContain("packages/core/CHANGELOG.md");
    expect(others).toEqual([]);
  });
});
