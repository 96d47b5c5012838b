import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { furtherCores } from "./installed-versions.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardea-installed-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Writes a package at a path. */
async function put(path: string, version = "1.0.0"): Promise<void> {
  await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, path, "package.json"), JSON.stringify({ version }));
}

async function link(path: string, to: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await symlink(join(folder, to), join(folder, path));
}

describe("furtherCores()", () => {
  it("finds none where all packages load one copy: npm, pnpm, a workspace", async () => {
    await put("npm/node_modules/@cardea/core");
    await put("npm/node_modules/@cardea/next");
    await put("store/next/node_modules/@cardea/next");
    await put("store/core/node_modules/@cardea/core");
    await link("store/next/node_modules/@cardea/core", "store/core/node_modules/@cardea/core");
    await link("pnpm/node_modules/@cardea/next", "store/next/node_modules/@cardea/next");
    await put("packages/core");
    for (const name of ["next", "account"]) {
      await put(`packages/${name}`);
      await link(`packages/${name}/node_modules/@cardea/core`, "packages/core");
      await link(`workspace/node_modules/@cardea/${name}`, `packages/${name}`);
    }
    for (const each of ["npm", "pnpm", "workspace", "nothing"])
      expect([each, await furtherCores(join(folder, each))]).toEqual([each, new Map()]);
  });

  it("names the copy of an extension that is another than that of the application", async () => {
    await put("app/node_modules/@cardea/core");
    await put("app/node_modules/@cardea/express");
    await put("app/node_modules/@cardea/sessions/node_modules/@cardea/core", "1.1.0");
    expect(await furtherCores(join(folder, "app"))).toEqual(
      new Map([["@cardea/sessions/node_modules/@cardea/core", "1.1.0"]]),
    );
  });

  it("names a second copy where the application itself loads none", async () => {
    await put("packages/core");
    await put("packages/next");
    await link("packages/next/node_modules/@cardea/core", "packages/core");
    await link("app/node_modules/@cardea/next", "packages/next");
    await put("app/node_modules/@cardea/sessions/node_modules/@cardea/core", "0.9.0");
    expect(await furtherCores(join(folder, "app"))).toEqual(
      new Map([["@cardea/sessions/node_modules/@cardea/core", "0.9.0"]]),
    );
  });
});
