import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argon2, argon2id } from "../argon2.ts";
import { scrypt } from "./scrypt.ts";

const MIB = 2 ** 20;
const TAIL = `$${"a".repeat(22)}$${"a".repeat(43)}`;

const scryptHash = (ln: number, r: number, p: number) => `$scrypt$ln=${ln},r=${r},p=${p}${TAIL}`;
const argonHash = (m: number, t: number, p: number) => `$argon2id$v=19$m=${m},t=${t},p=${p}${TAIL}`;

/** Settings of libraries, and of the OWASP Password Storage Cheat Sheet: [log2 N, r, p]. */
const SCRYPT = [
  ["Node.js", 14, 8, 1],
  ["better-auth", 14, 16, 1],
  ["Django", 14, 8, 5],
  ["Werkzeug, Go", 15, 8, 1],
  ["passlib", 16, 8, 1],
  ["OWASP", 17, 8, 1],
  ["OWASP, 64 MiB", 16, 8, 2],
  ["OWASP, 8 MiB", 13, 8, 10],
] as const;

/** [KiB, passes, lanes]. */
const ARGON2 = [
  ["node-argon2, argon2-cffi, RFC 9106 second", 65_536, 3, 4],
  ["PHP", 65_536, 4, 1],
  ["Django", 102_400, 2, 8],
  ["Spring", 16_384, 2, 1],
  ["Rust", 19_456, 2, 1],
  ["Go", 65_536, 1, 4],
  ["libsodium, interactive", 65_536, 2, 1],
  ["libsodium, moderate", 262_144, 3, 1],
  ["OWASP, 46 MiB", 47_104, 1, 1],
  ["OWASP, 7 MiB", 7168, 5, 1],
] as const;

describe("the cost of a stored hash", () => {
  it.each(SCRYPT)("of %s is accepted by scrypt()", (_, ln, r, p) => {
    expect(scrypt().matches(scryptHash(ln, r, p))).toBe(true);
  });

  it.each(ARGON2)("of %s is accepted by argon2()", (_, m, t, p) => {
    expect([argon2().matches(argonHash(m, t, p)), argon2id().matches(argonHash(m, t, p))]).toEqual([true, true]);
  });

  it("is at most 256 MiB, and 512 MiB over all lanes, or that of new hashes: scrypt()", () => {
    const counts = fc.integer({ min: 0, max: 70 });
    const own = fc.constantFrom({}, { N: 2 ** 20 }, { N: 2 ** 10 }, { N: 2 ** 17, p: 8 });
    fc.assert(
      fc.property(own, fc.integer({ min: 0, max: 26 }), counts, counts, (cost, ln, r, p) => {
        const { N, r: blocks, p: lanes } = { N: 2 ** 17, r: 8, p: 1, ...cost };
        const [memory, ownMemory] = [128 * 2 ** ln * r, 128 * N * blocks];
        const isSound = ln >= 1 && ln <= 24 && r >= 1 && r <= 64 && p >= 1 && p <= 64;
        const isBounded =
          memory <= Math.max(256 * MIB, ownMemory) && p * memory <= Math.max(512 * MIB, lanes * ownMemory);
        const [format, text] = [scrypt(cost), scryptHash(ln, r, p)];
        expect(format.matches(text)).toBe(isSound && isBounded);
        if (isSound && isBounded) expect(format.memoryOf?.(text)).toBe(memory);
      }),
      { numRuns: 2000 },
    );
  });

  it("is at most 256 MiB, and 1 GiB over all passes, or what is configured: argon2(), argon2id()", () => {
    const own = fc.constantFrom({}, { memoryCost: 2 ** 20, timeCost: 4 }, { memoryCost: 1024, timeCost: 1 });
    const m = fc.oneof(
      fc.integer({ min: 0, max: 2 ** 21 }),
      fc.constantFrom(2 ** 18, 2 ** 18 + 1, 2 ** 20, 2 ** 20 + 1),
    );
    const [t, p] = [fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })];
    fc.assert(
      fc.property(fc.constantFrom(argon2, argon2id), own, m, t, p, (make, cost, memory, passes, lanes) => {
        const { memoryCost, timeCost } = { memoryCost: 19_456, timeCost: 2, ...cost };
        const isSound = passes >= 1 && lanes >= 1 && memory >= 8 * lanes;
        const isBounded =
          memory <= Math.max(2 ** 18, memoryCost) && memory * passes <= Math.max(2 ** 20, memoryCost * timeCost);
        const [format, text] = [make(cost), argonHash(memory, passes, lanes)];
        expect(format.matches(text)).toBe(isSound && isBounded);
        if (isSound && isBounded) expect(format.memoryOf?.(text)).toBe(1024 * memory);
      }),
      { numRuns: 2000 },
    );
  });
});
