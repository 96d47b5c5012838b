// The upgrade contract, of what lies in databases, stores and browsers: a version reads what earlier ones left there.
// `CARDEA_WRITE_SAMPLES=1.2.0` adds the world of a version before its release.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClock } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { FOLDER, readFormats } from "./formats/formats.ts";
import { readWorld, startApplication, type World, writeWorld } from "./formats/world.ts";
import { RECORDED, recordWorld } from "./formats/world-formats.ts";

const folder = join(FOLDER, "worlds");
const written = process.env.CARDEA_WRITE_SAMPLES;
if (written !== undefined) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${written}.json`), `${writeWorld(await recordWorld(startApplication()))}\n`);
}

const worlds = readdirSync(folder).map((name): [string, World] => [
  name.replace(/\.json$/, ""),
  readWorld(readFileSync(join(folder, name), "utf8")),
]);

/** Reads one format of a world at the time when it was recorded. */
async function replay(world: World, name: string): Promise<unknown> {
  const clock = createClock(world.at).install();
  try {
    return await RECORDED.find((one) => one.name === name)?.read(startApplication(world), world.given[name] ?? "");
  } finally {
    clock.restore();
  }
}

/** Another character in the middle of each long text of a world, which is what secrets, hashes and seals are. */
function damaged(world: World): World {
  const spoil = (text: string) =>
    text.replace(/[\w.+/=-]{40,}/g, (long) => {
      const middle = long.length >> 1;
      return long.slice(0, middle) + long.slice(middle).replace(/[A-Za-z0-9]/, (one) => (one === "A" ? "B" : "A"));
    });
  const isTime = /^\d{4}-\d\d-/;
  const changed: unknown = JSON.parse(writeWorld(world), (_name, value) =>
    typeof value === "string" && !isTime.test(value) ? spoil(value) : value,
  );
  return readWorld(JSON.stringify(changed));
}

describe.each(worlds)("the world of version %s", (_version, world) => {
  const names = RECORDED.map(({ name }) => name).filter((name) => name in world.given);

  it.each(names)("is read: %s", async (name) => {
    const { expected } = RECORDED.find((one) => one.name === name) ?? {};
    const found = await replay(world, name);
    if (typeof expected === "object") expect(found).toMatchObject(Object(expected));
    else expect(found).toBe(expected);
  });

  it.each(names.filter((name) => !/log|password|VerificationToken|lease/.test(name)))(
    "is not read when it was changed: %s",
    async (name) => {
      const { expected } = RECORDED.find((one) => one.name === name) ?? {};
      const found = await replay(damaged(world), name).catch(() => undefined);
      expect(found).not.toEqual(expected);
    },
  );
});

describe("the list of what extensions write", () => {
  it("names every recorded format, and each cookie of an extension", () => {
    const listed = readFormats("extensions").map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(RECORDED.map(({ name }) => name)));
    // Not the whole of each package: what is installed in it is many times as much.
    const all = join(FOLDER, "../../../packages");
    const packages = readdirSync(all).filter((name) => {
      const folder = join(all, name, "src");
      const paths = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
      const sources = paths.filter((path) => /(?<!\.test)\.ts$/.test(path));
      return sources.some((path) => /t\.cookies\.write\(/.test(readFileSync(join(folder, path), "utf8")));
    });
    expect(packages).not.toEqual([]);
    for (const name of packages) expect(listed.some((one) => one.startsWith(`${name}: cookie`))).toBe(true);
  });
});
