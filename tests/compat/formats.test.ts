// The upgrade contract: what earlier versions wrote is read. `CARDEA_WRITE_SAMPLES=1.2.0` adds the samples of a version before its release.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CODECS, FOLDER, readFormats, readSamples } from "./formats/formats.ts";

const root = join(FOLDER, "../../..");
const source = (path: string) => readFileSync(join(root, "packages/core/src", path), "utf8");

const written = process.env.CARDEA_WRITE_SAMPLES;
if (written !== undefined) {
  const pairs = Object.entries(CODECS).map(async ([name, { write }]) => [name, await write()] as const);
  const samples = Object.fromEntries(await Promise.all(pairs));
  mkdirSync(join(FOLDER, "samples"), { recursive: true });
  writeFileSync(join(FOLDER, `samples/${written}.json`), `${JSON.stringify(samples, null, 2)}\n`);
}

const asNumber = (version: string) => version.split(".").reduce((sum, part) => sum * 10_000 + Number(part), 0);

describe("the lists of formats", () => {
  it("name every cookie of core", () => {
    const names = [...source("config/cookie-defaults.ts").matchAll(/"(cardea\.[\w-]+)"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    expect(readFormats("cookies").map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it("name every purpose of sealed values, and have what reads each", () => {
    const [, union = ""] = /export type Purpose =([^;]+);/.exec(source("crypto/direct-jwe.ts")) ?? [];
    const purposes = [...union.matchAll(/"([\w-]+)"/g)].map(([, name]) => name);
    expect(purposes.length).toBeGreaterThan(8);
    const listed = readFormats("tokens").map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(purposes));
    expect(Object.keys(CODECS).toSorted()).toEqual(listed.toSorted());
  });

  it.each(["cookies", "tokens", "rows", "wire", "extensions"])(
    "%s.json says since when and until when, of each once",
    (list) => {
      const formats = readFormats(list);
      expect(new Set(formats.map(({ name }) => name)).size).toBe(formats.length);
      for (const { holds, writtenSince, readUntil } of formats) {
        expect(holds).not.toBe("");
        expect(writtenSince).toMatch(/^\d+\.\d+\.\d+$/);
        if (readUntil !== null) expect(asNumber(readUntil)).toBeGreaterThan(asNumber(writtenSince));
      }
    },
  );
});

describe.each([...readSamples()])("what version %s wrote", (version, samples) => {
  const formats = readFormats("tokens").filter(({ writtenSince, readUntil }) => {
    const isOver = readUntil !== null && asNumber(version) > asNumber(readUntil);
    return asNumber(writtenSince) <= asNumber(version) && !isOver;
  });

  it.each(formats.map(({ name }) => name))("is read: %s", async (name) => {
    const { read, expected } = CODECS[name] ?? {};
    expect(await read?.(samples[name] ?? "")).toMatchObject(Object(expected));
  });

  it("is not read when it was changed", async () => {
    for (const { name } of formats.filter((format) => !format.name.startsWith("database-session"))) {
      const sample = samples[name] ?? "";
      const at = sample.length - 40;
      const changed = `${sample.slice(0, at)}${/[A-Za-f]/.test(sample[at] ?? "") ? "z" : "A"}${sample.slice(at + 1)}`;
      expect(await CODECS[name]?.read(changed)).toBeNull();
    }
  });
});
