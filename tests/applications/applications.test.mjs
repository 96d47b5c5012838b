// `cardea adopt` on applications that others wrote and published: each builds after the move as it did before, without a hand edit, and a
// cookie that Auth.js made is a session of Cardea. Part of `npm run test:all`; what cannot be reached is skipped, and said.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publishEverything } from "../install/guided-application.mjs";
import { moveApplication } from "./move-application.mjs";

const list = JSON.parse(readFileSync(join(import.meta.dirname, "applications.json"), "utf8"));
/** `CARDEA_APPLICATIONS=next-learn,express`: only those whose name contains one of these. */
const wanted = process.env.CARDEA_APPLICATIONS?.split(",");
const chosen = list.filter(({ repository }) => wanted?.some((part) => repository.includes(part)) ?? true);

let registries;
beforeAll(async () => {
  registries = await publishEverything();
});
afterAll(() => registries?.local.close());

describe("cardea adopt, on public applications", () => {
  it.each(chosen.map((spec) => [spec.repository, spec]))("moves %s", async (name, spec) => {
    const moved = await moveApplication(spec, registries, (step) => console.info(`${name}: ${step}`));
    if (moved.unreachable !== undefined) {
      console.warn(`SKIPPED: ${moved.unreachable}. CARDEA_SNAPSHOTS names a folder with git directories.`);
      return;
    }
    const { before, after, left, again } = moved;
    expect(before.built, before.output).toBe(true);
    expect(after.built, after.output).toBe(true);
    expect(left).toEqual([]);
    expect(again).toBe(false);
    expect(after.errors.length).toBeLessThanOrEqual(before.errors.length);
    expect(after.pages).toEqual(before.pages);
    expect(before.session?.user, before.output).toBeDefined();
    expect(after.session, after.output).toEqual({ ...before.session, expires: expect.any(String) });
  });
});
