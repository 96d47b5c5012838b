// What moves when something changes: `changeset version` over copies of the real manifests.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { copyWorkspace } from "./workspace-copy.mjs";

let released;
beforeAll(async () => {
  released = await copyWorkspace();
  await released.version();
});
afterAll(() => released.remove());

const versions = (workspace) => {
  return Object.fromEntries([...workspace.manifests()].map(([name, { version }]) => [name, version]));
};

/** The versions that a changeset moves, from the state after everything pending is released. */
async function release(bumps) {
  const workspace = released.fork();
  onTestFinished(() => workspace.remove());
  const before = versions(workspace);
  await workspace.addChangeset("change", bumps);
  await workspace.version();
  const after = versions(workspace);
  const moved = Object.keys(after).filter((name) => after[name] !== before[name]);
  return { workspace, before, after, moved };
}

/** Packages that are handed to core: the application's core takes them, whichever it is. */
const handedToCore = /^@cardea\/(?:providers-|adapter-|testing$)/;
const next = (version, part) => {
  const parts = version.split(".").map(Number);
  return parts.map((number, index) => (index < part ? number : index === part ? number + 1 : 0)).join(".");
};

describe("changeset version", { timeout: 60_000 }, () => {
  it("leaves no package without a stable version", () => {
    const unstable = Object.entries(versions(released)).filter(([, version]) => version.startsWith("0."));
    expect(unstable).toEqual([]);
  });

  it("writes a changelog for every package", () => {
    const folders = [...released.manifests().keys()].map((name) => name.replace("@cardea/", ""));
    expect(folders.filter((folder) => !released.changelog(folder).startsWith(`# @cardea/${folder}`))).toEqual([]);
  });

  it("moves only the provider that changed", async () => {
    const { moved, before, after, workspace } = await release({ "@cardea/providers-github": "patch" });
    expect(moved).toEqual(["@cardea/providers-github"]);
    expect(after[moved[0]]).toBe(next(before[moved[0]], 2));
    expect(workspace.changelog("providers-github")).toContain("What changed.");
  });

  it.each([
    ["patch", 2],
    ["minor", 1],
  ])("moves core alone for a %s of core", async (bump, part) => {
    const { moved, before, after } = await release({ "@cardea/core": bump });
    expect(moved).toEqual(["@cardea/core"]);
    expect(after["@cardea/core"]).toBe(next(before["@cardea/core"], part));
  });

  it("keeps a provider open for older cores when both are released together", async () => {
    const { moved, workspace } = await release({ "@cardea/core": "minor", "@cardea/providers-github": "minor" });
    expect(moved.sort()).toEqual(["@cardea/core", "@cardea/providers-github"]);
    const range = (of) => of.manifests().get("@cardea/providers-github").peerDependencies["@cardea/core"];
    expect(range(workspace)).toBe(range(released));
  });

  it("moves client and those that bring it along, and nothing else, for a major of client", async () => {
    const { moved } = await release({ "@cardea/client": "major" });
    expect(moved.sort()).toEqual(["@cardea/client", "@cardea/next"]);
  });

  it("moves everything for a major of core, and what is handed to core asks for the new one", async () => {
    const { moved, before, after, workspace } = await release({ "@cardea/core": "major" });
    expect(moved).toEqual(Object.keys(before));
    for (const [name, { peerDependencies = {} }] of workspace.manifests()) {
      if (!handedToCore.test(name)) continue;
      expect(peerDependencies["@cardea/core"], name).toBe(`^${after["@cardea/core"]}`);
      expect(after[name], name).toBe(next(before[name], 0));
    }
  });
});

describe("the manifests", () => {
  it("let what is handed to core take the application's core, of any minor version", () => {
    for (const [name, { dependencies = {}, peerDependencies = {} }] of released.manifests()) {
      if (!handedToCore.test(name)) continue;
      expect(dependencies, name).not.toHaveProperty("@cardea/core");
      expect(peerDependencies["@cardea/core"], name).toMatch(/^\^\d+\.\d+\.0$/);
    }
  });

  it("let what brings core along take whatever fits the version that it was tested with", () => {
    for (const [name, { dependencies = {} }] of released.manifests()) {
      if (handedToCore.test(name)) continue;
      const own = Object.entries(dependencies).filter(([dependency]) => dependency.startsWith("@cardea/"));
      expect(
        own.every(([, range]) => range === "workspace:^"),
        name,
      ).toBe(true);
    }
  });
});
