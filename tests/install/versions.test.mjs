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

/** What a further changeset writes, in the state after everything pending is released. */
async function release(bumps) {
  const workspace = released.fork();
  onTestFinished(() => workspace.remove());
  await workspace.version(bumps);
  return workspace;
}

/** Packages that are handed to core: the application's core takes them, whichever it is. */
const handedToCore = /^@cardea\/(?:providers-|adapter-|extend$|testing$)/;
const next = (version, part) => {
  const parts = version.split(".").map(Number);
  return parts.map((number, index) => (index < part ? number : index === part ? number + 1 : 0)).join(".");
};

describe("changeset version", () => {
  it("leaves no package without a stable version", () => {
    const unstable = Object.entries(versions(released)).filter(([, version]) => version.startsWith("0."));
    expect(unstable).toEqual([]);
  });

  it("writes a changelog for every package", () => {
    const folders = [...released.manifests().keys()].map((name) => name.replace("@cardea/", ""));
    expect(folders.filter((folder) => !released.changelog(folder).startsWith(`# @cardea/${folder}`))).toEqual([]);
  });

  it.each([
    ["@cardea/providers-github", "patch", 2],
    ["@cardea/core", "patch", 2],
    ["@cardea/core", "minor", 1],
    ["@cardea/extend", "patch", 2],
    ["@cardea/extend", "minor", 1],
  ])("moves %s alone for a %s of it", async (name, bump, part) => {
    expect(await released.plan({ [name]: bump })).toEqual({ [name]: next(versions(released)[name], part) });
  });

  it("keeps a provider open for older cores when both are released together", async () => {
    const bumps = { "@cardea/core": "minor", "@cardea/providers-github": "minor" };
    const plan = await released.plan(bumps);
    expect(Object.keys(plan).sort()).toEqual(["@cardea/core", "@cardea/providers-github"]);
    const workspace = await release(bumps);
    expect(versions(workspace)).toEqual({ ...versions(released), ...plan });
    const range = (of) => of.manifests().get("@cardea/providers-github").peerDependencies["@cardea/core"];
    expect(range(workspace)).toBe(range(released));
    expect(workspace.changelog("providers-github")).toContain("What changed.");
  });

  it("moves client and those that bring it along, and nothing else, for a major of client", async () => {
    expect(Object.keys(await released.plan({ "@cardea/client": "major" })).sort()).toEqual([
      "@cardea/client",
      "@cardea/next",
    ]);
  });

  it("moves everything for a major of core, and what is handed to core asks for the new one", async () => {
    const workspace = await release({ "@cardea/core": "major" });
    const [before, after] = [versions(released), versions(workspace)];
    expect(Object.keys(before).filter((name) => after[name] === before[name])).toEqual([]);
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
