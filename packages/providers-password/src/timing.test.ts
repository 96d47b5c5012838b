/** Known and unknown addresses take the same time (ASVS 6.3.8): the same work in `npm test`, measured in `npm run test:all`. */
import { describe, expect, it } from "vitest";
import { isLong } from "../../testing/src/long-form.ts";
import { cheap, EMAIL, OTHER, PASSWORD, startApp } from "../test/test-app.ts";
import { passwordsOf, pbkdf2, scrypt } from "./index.ts";

/** Hashes and how many pairs. */
const CASES = [
  { name: "N = 2^10", hash: cheap, pairs: 10_000 },
  { name: "the default", hash: scrypt(), pairs: 150 },
];

/** A hash of Django that is far cheaper than what is configured. */
const IMPORTED = "pbkdf2_sha256$1$seasalt$nix0000000000000000000000000000000000000000=";

/** Welch's t of two samples, without their slowest twentieth: pauses of the machine say nothing of the answers. */
function welch(one: readonly number[], other: readonly number[]): number {
  const trim = (all: readonly number[]) => [...all].sort((a, b) => a - b).slice(0, Math.ceil(all.length * 0.95));
  const stats = [trim(one), trim(other)].map((all) => {
    const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
    const variance = all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (all.length - 1);
    return { mean, error: variance / all.length };
  });
  const [a, b] = stats;
  if (a === undefined || b === undefined) throw new Error("two samples are needed");
  return (a.mean - b.mean) / Math.sqrt(a.error + b.error);
}

describe("work for a refused sign-in", () => {
  it("is one current hash for known, imported and unknown", async () => {
    let hashes = 0;
    const count = <A extends unknown[], R>(run: (...given: A) => R) => {
      return (...given: A) => {
        hashes++;
        return run(...given);
      };
    };
    const hash = { ...cheap, hash: count(cheap.hash), verify: count(cheap.verify) };
    const { open, register, signIn, memory, auth } = startApp({
      options: { hash, accept: [pbkdf2({ iterations: 1000 })] },
    });
    await register(open(), EMAIL, PASSWORD);
    await memory.adapter.createUser?.({ id: "x", email: "old@example.com", emailVerified: null });
    await passwordsOf(auth).import("user-2", IMPORTED);
    const work: number[] = [];
    for (const email of [EMAIL, "old@example.com", "nix@example.com", "no address"]) {
      const before = hashes;
      await signIn(open(), email, OTHER);
      work.push(hashes - before);
    }
    expect(work).toEqual([1, 1, 1, 1]);
  });
});

// Takes minutes.
const describeLong = isLong ? describe : () => undefined;

describeLong("time of a refused sign-in", () => {
  it.each(CASES)(
    "is the same for known, imported and unknown ($name, $pairs pairs)",
    { timeout: 3_600_000 },
    async (given) => {
      const { name, hash, pairs } = given;
      const { open, register, signIn, memory, auth } = startApp({
        // On a busy machine each waits for its turn: nothing is measured of a 503.
        options: { hash, accept: [pbkdf2({ iterations: 1000 })], wait: 20 },
      });
      await register(open(), EMAIL, PASSWORD);
      await memory.adapter.createUser?.({ id: "x", email: "old@example.com", emailVerified: null });
      await passwordsOf(auth).import("user-2", IMPORTED);
      const browser = open();
      const take = async (email: string): Promise<number> => {
        const started = performance.now();
        const { redirectsTo } = await signIn(browser, email, OTHER);
        const time = performance.now() - started;
        expect(redirectsTo).toMatch(/error=CredentialsSignin(?!.*busy)/);
        return time;
      };
      await take(EMAIL);
      const known: number[] = [];
      const old: number[] = [];
      const unknown: number[] = [];
      const samples = [
        [EMAIL, known],
        ["old@example.com", old],
        ["nix@example.com", unknown],
      ] as const;
      for (let pair = 0; pair < pairs; pair++) {
        // The order moves, so that none of them always follows the same other one.
        for (let n = 0; n < samples.length; n++) {
          const [email, times] = samples[(pair + n) % samples.length] ?? samples[0];
          times.push(await take(email));
        }
      }
      const found = { known: welch(known, unknown), imported: welch(old, unknown) };
      console.info(`time of a refused sign-in, ${name}, ${pairs} pairs: t = ${JSON.stringify(found)}`);
      // 4.5 is the bound of test vector leakage assessment (ISO/IEC 17825): by chance in fewer than one run of 100,000.
      expect(Math.abs(found.known)).toBeLessThan(4.5);
      expect(Math.abs(found.imported)).toBeLessThan(4.5);
    },
  );
});
