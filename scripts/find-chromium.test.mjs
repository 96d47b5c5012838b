import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findChromium } from "./find-chromium.mjs";
import { plantTree } from "./plant-tree.mjs";

/** A folder with an executable file of that name. */
function plantExecutable(name) {
  const folder = plantTree({ [name]: "#!/bin/sh\n" });
  chmodSync(join(folder, name), 0o755);
  return folder;
}

describe("findChromium()", () => {
  it("takes the one CHROMIUM_PATH names", async () => {
    const path = join(plantExecutable("my-browser"), "my-browser");
    expect(await findChromium({ CHROMIUM_PATH: path })).toBe(path);
  });

  it("refuses a CHROMIUM_PATH that cannot be run", async () => {
    const CHROMIUM_PATH = join(plantTree({ chromium: "" }), "chromium");
    await expect(findChromium({ CHROMIUM_PATH })).rejects.toThrow("CHROMIUM_PATH");
  });

  it("looks for the usual names on PATH", async () => {
    const folder = plantExecutable("google-chrome");
    expect(await findChromium({ PATH: folder }, [])).toBe(join(folder, "google-chrome"));
    expect(await findChromium({ PATH: plantTree({}) }, [])).toBeUndefined();
  });
});
