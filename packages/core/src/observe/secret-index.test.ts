import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecretIndex } from "./secret-index.ts";
import { isSecretShaped } from "./secret-shape.ts";

/** Random bytes as text: what tokens look like. */
const base64url = (length: number) =>
  fc
    .nat()
    .map((seed) =>
      createHash("shake256", { outputLength: length }).update(`${seed}`).digest("base64url").slice(0, length),
    );

describe("createSecretIndex()", () => {
  it.each([40, 255, 256, 3_000])(
    "leaves no part of a value of %i characters in a text that is 16 characters long and shaped like a secret",
    (length) => {
      const around = fc.stringMatching(/^[ .:]{0,20}$/);
      fc.assert(
        fc.property(
          base64url(length),
          fc.nat(),
          fc.integer({ min: 16, max: 80 }),
          around,
          around,
          (value, from, size, before, after) => {
            const at = from % Math.max(1, length - size);
            const part = value.slice(at, at + size);
            // Letters alone may happen to read like words, which are kept.
            fc.pre(isSecretShaped(part, 16));
            const index = createSecretIndex();
            index.add(value);
            expect(index.replace(`${before}${part}${after}`, "[x]")).not.toContain(part.slice(0, 16));
          },
        ),
        { numRuns: 40 },
      );
    },
  );

  const anyLength = fc.oneof(fc.integer({ min: 7, max: 60 }), fc.integer({ min: 240, max: 270 }), fc.constant(600));

  it("finds one of many values in a short text", () => {
    fc.assert(
      fc.property(fc.array(anyLength.chain(base64url), { minLength: 1, maxLength: 40 }), fc.nat(), (values, which) => {
        const index = createSecretIndex();
        for (const value of values) index.add(value);
        const value = values[which % values.length] ?? "";
        expect(index.replace(`code ${value} is wrong`.slice(0, 512), "[x]")).not.toContain(value.slice(0, 480));
      }),
      { numRuns: 40 },
    );
  });

  it("finds the same in a short text and at the end of a long one", () => {
    fc.assert(
      fc.property(anyLength.chain(base64url), fc.nat({ max: 500 }), (value, at) => {
        const line = `code ${value.slice(value.length > 40 ? at % (value.length - 40) : 0).slice(0, 40)} is wrong`;
        const filler = ". ".repeat(300);
        const [short, long] = [line, filler + line].map((text) => {
          const index = createSecretIndex();
          index.add(value);
          return index.replace(text, "[x]");
        });
        expect(long).toBe(filler + short);
      }),
      { numRuns: 40 },
    );
  });

  it("goes on finding a long value after a long text", () => {
    const value = "aB3-".repeat(20) + "x9_Q".repeat(60);
    const index = createSecretIndex();
    index.add(value);
    for (const text of [value, `${". ".repeat(400)}${value}`, value])
      expect(index.replace(text, "")).not.toContain("aB3-");
  });

  it("leaves a text alone that shares less than a part", () => {
    const index = createSecretIndex();
    index.add("q7Zr-".repeat(100));
    expect(index.replace("the code q7Zr-q7Zr is short", "[x]")).toBe("the code q7Zr-q7Zr is short");
  });
});
