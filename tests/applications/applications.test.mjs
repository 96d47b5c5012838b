// `cardea adopt` on applications that others wrote and published: each builds after the move as it did before, without a hand edit, and a
// cookie that Auth.js made is a session of Cardea. Part of `npm run test:all`; what cannot be reached is skipped, and said.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { publishEverything } from "../install/guided-application.mjs";
import { moveApplication } from "./move-application.mjs";
import { whyUnreachable } from "./snapshot.mjs";

const list = JSON.parse(readFileSync(join(import.meta.dirname, "applications.json"), "utf8"));
/** How many are moved by default: each is built twice, and all of them take longer than everything else together. */
const SAMPLE = 5;
/**
 * `CARDEA_APPLICATIONS=next-learn,express`: those whose name contains one of these, also where the documentation has no result of them yet.
 * `CARDEA_APPLICATIONS=/`: all. By default some of those with a result, by the seed of the run.
 */
const wanted = process.env.CARDEA_APPLICATIONS?.split(",");
const measured = list.filter((spec) => spec.measured);
const first = Number(process.env.CARDEA_TEST_SEED ?? 1) % measured.length;
const sample = [...measured.slice(first), ...measured.slice(0, first)].slice(0, SAMPLE);
const chosen = wanted ? list.filter(({ repository }) => wanted.some((part) => repository.includes(part))) : sample;

let registries;
afterAll(async () => (await registries)?.local.close());

describe("cardea adopt, on public applications", () => {
  it.for(chosen.map((spec) => [spec.repository, spec]))("moves %s", async ([name, spec], { skip }) => {
    const reason = await whyUnreachable(spec);
    if (reason !== undefined) {
      console.warn(`SKIPPED: ${reason}. CARDEA_SNAPSHOTS names a folder with git directories.`);
      skip();
    }
    registries ??= publishEverything();
    const log = (step) => console.info(`${name}: ${step}`);
    const { before, after, left, again } = await moveApplication(spec, await registries, log);
    expect(after.built, after.output).toBe(true);
    // Each line that the report leaves to a hand edit. The application builds and signs in without them.
    expect(left.map(({ file, line }) => `${file}:${line}`)).toEqual(spec.left ?? []);
    expect(again).toBe(false);
    expect(after.errors.length).toBeLessThanOrEqual(before.errors.length);
    expect(after.pages).toEqual(before.pages);
    if (spec.session === null) {
      // Without a route of the library, pages tell who is signed in.
      expect(before.pages.some(({ known, visitor }) => known !== visitor)).toBe(true);
    } else {
      expect(before.session?.user?.email, before.output).toBe("ada@example.com");
      // `adopt` may add `user.id`, where the application reads it.
      expect(after.session, after.output).toMatchObject({ user: before.session.user });
    }
  });
});
